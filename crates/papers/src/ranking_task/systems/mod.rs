//! The systems of Table 11, fitted and measured again: nearest neighbours and KCCA with every
//! combination of image and text kernel; on the test split also what people's judgements say of
//! them (Tables 1, 2, 4 to 7 and 12).
//!
//! # What was decided
//! - **Pool**: caption `#2` of each picture of the split, as in the judgements; every picture is a
//!   query for the captions, every caption one for the pictures.
//! - **Training**: the 6,000 pictures of the training split with five captions each.
//! - **Choice of settings** (section 4.1.3): for `test` on the development split. For `dev` on 1,000
//!   training pictures (every sixth), with a fit on the 5,000 others; the settings then go to a fit
//!   on all 6,000. Never on the pictures that are reported. Word weights and word similarities come
//!   from all training captions in both fits.
//! - **Image kernel**: squared or cubed, and the factor d on the text kernel's diagonal, are fixed by
//!   the same pictures before kappa and n (`selection`).
//! - **Visual vocabularies** are made from 200 training pictures; the paper took them from PASCAL
//!   2008, which is not at hand.
//! - **Centring**: both kernels are centred in feature space over the training items.
//! - **Spectrum**: the 1,500 largest eigenvalues of each kernel are kept, so that n ends there.
//! - **A caption without a known word** has no direction: its cosine with everything is 0.

mod data;
mod experiment;
mod figures;
mod grams;
mod judged;
mod pictures;
mod selection;
mod semantics;
mod table;
mod texts;

use std::path::Path;

use rebus_collection::{Item, Progress, Split, counted};
use rebus_eval::report::{Protocol, Report};
use rebus_text::Toolbox;
use rebus_text::lemma::Lemmatiser;
use rebus_vision::visual_words::Params as WordsParams;
use rebus_vision::{Cache, Extractor, RowKind, VisualWords};

pub use table::{ImageKernel, Method, Printed, SYSTEMS, TableSystem, systems_named};

use super::judgements::{Data as Judgements, POOL_CAPTION};
use crate::{Error, Request, Result};
use data::Data;
use experiment::{Experiment, Outcome};
use figures::Paper;
use grams::{Grams, Key};
use pictures::Pictures;
use texts::Texts;

/// Fits the systems on a folder of Flickr8k and measures them.
///
/// # Errors
/// If a system is not known, data or pictures are missing or cannot be read, or progress says that
/// it shall stop; what was computed until then is in the cache.
pub fn reproduce(folder: &Path, request: &Request<'_>, progress: &dyn Progress) -> Result<Report> {
    let systems = systems_named(&request.systems)?;
    let split = request.split.clone().unwrap_or(Split::Dev);
    if !matches!(split, Split::Dev | Split::Test) {
        let known = vec!["dev", "test"];
        return Err(rebus_collection::Error::no_such("split", split.as_str(), known).into());
    }
    let mut data = Data::read(folder, request.photos.as_deref(), &split, progress)?;
    let cache = request.cache.as_deref();
    let words = match request.extractor {
        Some(_) => None,
        None => Some(visual_words(&data, cache, progress)?),
    };
    let extractor: &dyn Extractor = match (&words, request.extractor) {
        (Some(words), _) => words,
        (None, Some(extractor)) => extractor,
        (None, None) => return Err(Error::Ours("no features".into())),
    };
    let mut kept = cache.map(|folder| Cache::open(&folder.join("features"), extractor));
    let mut kept = kept.take().transpose()?;
    let pictures = Pictures::new(&mut data, extractor, kept.as_mut(), progress)?;
    drop(kept);
    let corpus: Vec<&String> = data.train.captions.iter().flatten().collect();
    let toolbox = Toolbox::new(Lemmatiser::installed()?).with_corpus(&corpus);
    let similarities = semantics::needed(&systems, &data, &toolbox, request, progress)?;
    let texts = Texts::new(&data, &toolbox, similarities);
    let mut experiment = Experiment::new(&data, pictures, texts, Grams::new(cache), progress);
    let outcomes: Vec<Outcome> =
        systems.into_iter().map(|system| experiment.run(system)).collect::<Result<_>>()?;
    report(folder, &data, &split, extractor, &outcomes, progress)
}

/// The vocabularies, from the training pictures or from an earlier run.
fn visual_words(data: &Data, cache: Option<&Path>, progress: &dyn Progress) -> Result<VisualWords> {
    let params = WordsParams::default();
    let ids: Vec<&str> = data.train.items.iter().map(|item| item.id.as_str()).collect();
    let key = Key::of("visual words 1").and(format!("{params:?} {}", ids.join("\n")).as_bytes());
    let folder = cache.map(|cache| cache.join(format!("visual-words-{}", key.name())));
    if let Some(folder) = &folder
        && let Ok(known) = VisualWords::load(folder)
    {
        return Ok(known);
    }
    let items: Vec<&Item> = data.train.items.iter().collect();
    let words = VisualWords::fit(&items, &params, progress)?;
    if let Some(folder) = &folder {
        words.save(folder)?;
    }
    Ok(words)
}

fn report(
    folder: &Path,
    data: &Data,
    split: &Split,
    extractor: &dyn Extractor,
    outcomes: &[Outcome],
    progress: &dyn Progress,
) -> Result<Report> {
    let low_level = RowKind::of_extractor(extractor.name()) == RowKind::VisualWords;
    let paper = if low_level { Paper::Beside } else { Paper::Absent };
    let baseline = figures::best(outcomes)?;
    let mut report = figures::recall(outcomes, baseline, paper)?;
    let mut protocol = protocol(data, split, extractor);
    for (name, value) in report.protocol.statements() {
        protocol = protocol.with(name, value.clone());
    }
    protocol = protocol.with("unit", "R@k, S@k and R-precision in percent; ranks as they are");
    for outcome in outcomes {
        protocol = protocol.with(&format!("{}: settings", outcome.system.name), &*outcome.settings);
    }
    report.protocol = protocol;
    if *split == Split::Test {
        let judgements = Judgements::read(folder, progress)?;
        judged::add(&mut report, data, &judgements, outcomes, baseline, paper)?;
        let share = 100.0 * judged::judged_share(data, &judgements, outcomes);
        report.notes.push(format!(
            "Tables 1 and 2: experts judged the first captions of the paper's systems; {share:.0} % \
             of ours are among them, and the shares are of those"
        ));
    } else if low_level {
        report.notes.push("the paper's figures are of the test split, ours of dev".into());
    }
    for outcome in outcomes.iter().filter(|outcome| outcome.unrankable > 0) {
        report.notes.push(format!(
            "{}: captions of the pool without a word that the kernel knows, which are far from \
             every picture: {}",
            outcome.system.name, outcome.unrankable
        ));
    }
    Ok(report)
}

fn protocol(data: &Data, split: &Split, extractor: &dyn Extractor) -> Protocol {
    let pictures = |count: usize| counted(count as u64, "picture");
    let n = pictures(data.report.len());
    let choice = match data.held_out.is_empty() {
        true => format!("{} of dev", pictures(data.choice.len())),
        false => format!(
            "{} of train, held out of the fit that settings are chosen with",
            pictures(data.choice.len())
        ),
    };
    Protocol::new()
        .with("paper", "Hodosh, Young, Hockenmaier 2013, ranking task: systems")
        .with("split", split.as_str())
        .with("pool", format!("caption #{POOL_CAPTION} of each of {n}, and the pictures"))
        .with("training", format!("{}, all their captions", pictures(data.train.len())))
        .with("settings chosen on", choice)
        .with("features", extractor.name())
        .with("ties", "worst")
}
