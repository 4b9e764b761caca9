//! Ten measures over many rankings, against ranx and pytrec_eval.

use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rebus_collection::trec::{Qrels, Run};
use rebus_eval::{Measure, evaluate};

use crate::peer::{Script, folder, number, write};
use crate::{Case, Error, Options, Outcome, PeerTime, best_of};

pub(crate) const CASE: Case = Case {
    group: "eval",
    name: "rankings",
    about: "ten measures over 10,000 queries x 1,000 results",
    work,
};

const SCRIPT: Script = Script { name: "rankings.py", text: include_str!("../peers/rankings.py") };
const MEASURES: &str = "P@5,P@10,recall@10,recall@100,S@10,R-precision,MAP,MRR,nDCG@10,nDCG@100";
const RESULTS: usize = 1000;
const RELEVANT: usize = 20;
/// The documents that results and judgements are drawn from.
const DOCUMENTS: usize = 5000;

/// Results, their scores and the relevant documents, a row a query.
struct Data {
    queries: usize,
    documents: Vec<i32>,
    scores: Vec<f32>,
    relevant: Vec<i32>,
}

impl Data {
    fn draw(queries: usize, seed: u64) -> Self {
        let mut data = Self {
            queries,
            documents: Vec::with_capacity(queries * RESULTS),
            scores: Vec::with_capacity(queries * RESULTS),
            relevant: Vec::with_capacity(queries * RELEVANT),
        };
        let mut deck: Vec<i32> = (0..DOCUMENTS as i32).collect();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut deal = |into: &mut Vec<i32>, count: usize| {
            for at in 0..count {
                let other = random.random_range(at..DOCUMENTS);
                deck.swap(at, other);
            }
            into.extend(&deck[..count]);
        };
        for _ in 0..queries {
            deal(&mut data.documents, RESULTS);
            deal(&mut data.relevant, RELEVANT);
            // Strictly falling, so that no rule for ties plays a part: the peers have none.
            data.scores.extend((0..RESULTS).map(|rank| (RESULTS - rank) as f32));
        }
        data
    }

    fn read(&self) -> rebus_collection::Result<(Run, Qrels)> {
        let (mut run, mut qrels) = (Run::new("drawn"), Qrels::new());
        for query in 0..self.queries {
            let topic = format!("q{query:05}");
            let row = query * RESULTS..(query + 1) * RESULTS;
            for (document, score) in self.documents[row.clone()].iter().zip(&self.scores[row]) {
                run.add(&topic, &format!("d{document:07}"), f64::from(*score))?;
            }
            for document in &self.relevant[query * RELEVANT..(query + 1) * RELEVANT] {
                qrels.judge(&topic, &format!("d{document:07}"), 1)?;
            }
        }
        run.sort()?;
        Ok((run, qrels))
    }

    fn write(&self, folder: &Path) -> Result<(), Error> {
        let whole = |numbers: &[i32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        let documents: Vec<u8> = whole(&self.documents);
        let relevant: Vec<u8> = whole(&self.relevant);
        let scores: Vec<u8> = self.scores.iter().flat_map(|n| n.to_le_bytes()).collect();
        write(&folder.join("documents.i32"), &documents)?;
        write(&folder.join("relevant.i32"), &relevant)?;
        write(&folder.join("scores.f32"), &scores)
    }
}

fn work(options: &Options) -> Result<Outcome, Error> {
    let data = Data::draw(options.scaled(10_000), options.seed);
    let measures = Measure::parse_list(MEASURES).map_err(|error| Error::Ours(error.to_string()))?;
    let (run, qrels) = data.read().map_err(|error| Error::Ours(error.to_string()))?;
    let (seconds, evaluation) =
        best_of(3, || evaluate(&run, &qrels, &measures, rebus_eval::Options::default()));
    let peers = match &options.python {
        Some(python) => peers(&data, python, &evaluation)?,
        None => Vec::new(),
    };
    let note = format!("{} queries x {RESULTS} results, 10 measures", data.queries);
    Ok(Outcome { seconds, limit: None, peers, note })
}

fn peers(
    data: &Data,
    python: &Path,
    ours: &rebus_eval::Evaluation,
) -> Result<Vec<PeerTime>, Error> {
    let folder = folder()?;
    data.write(folder.path())?;
    let answer = SCRIPT.run(python, folder.path(), &[&data.queries.to_string()])?;
    let peer = |name: &'static str, target: f64| {
        let seconds = number(&answer, &format!("/{name}/seconds"), &SCRIPT)?;
        let mut difference = 0f64;
        for (measure, figure) in ours.measures.iter().zip(ours.figures()) {
            let theirs = number(&answer, &format!("/{name}/figures/{measure}"), &SCRIPT)?;
            difference = difference.max((figure.unwrap_or(f64::NAN) - theirs).abs());
        }
        Ok(PeerTime { name, seconds, target, difference })
    };
    Ok(vec![peer("ranx", 2.0)?, peer("pytrec_eval", 20.0)?])
}
