//! The test pool and what people said about its pairs.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::path::Path;

use rebus_collection::{
    CaptionId, Collection, Item, ItemId, Judgement, Place, Progress, Record, Sink, Split, Subject,
    Verdict, counted, format,
};

use crate::{Error, Result};

/// The caption of each test image that lies in the pool: the third, `#2`. All judgements are about
/// captions of that number.
pub(in crate::ranking_task) const POOL_CAPTION: usize = 2;

/// An image and a caption of the pool, each by the place of its image in the test split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::ranking_task) struct Pair {
    pub(in crate::ranking_task) image: usize,
    pub(in crate::ranking_task) caption: usize,
}

impl Pair {
    /// Whether the caption was written for the image.
    pub(in crate::ranking_task) fn is_own(self) -> bool {
        self.image == self.caption
    }
}

/// The votes of the crowd on a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ranking_task) struct Votes {
    pub(in crate::ranking_task) yes: u32,
    pub(in crate::ranking_task) no: u32,
}

impl Votes {
    /// The share of yes: the crowd's score.
    pub(in crate::ranking_task) fn share(self) -> f64 {
        f64::from(self.yes) / f64::from((self.yes + self.no).max(1))
    }
}

/// All that the figures need.
pub(in crate::ranking_task) struct Data {
    /// Where each test image stands.
    places: HashMap<ItemId, usize>,
    /// The captions of each test image, in the source's order.
    pub(in crate::ranking_task) captions: Vec<Vec<String>>,
    /// The experts' grades of the pairs they saw, in the order of the pairs.
    pub(in crate::ranking_task) experts: Vec<(Pair, Vec<f64>)>,
    /// The crowd's votes on the pairs it saw.
    pub(in crate::ranking_task) crowd: HashMap<Pair, Votes>,
    /// Judgements about something else than a test image and a caption of the pool.
    pub(in crate::ranking_task) outside: usize,
}

impl Data {
    /// Reads a folder with Flickr8k's texts and judgements. No photo is needed.
    pub(in crate::ranking_task) fn read(folder: &Path, progress: &dyn Progress) -> Result<Self> {
        progress.begin("reading Flickr8k", None);
        let mut reading = Reading { collection: Collection::new(), progress };
        let options = format::ReadOptions::default();
        format::by_name("flickr")?.read(folder, &options, &mut reading)?;
        Self::new(folder, &reading.collection)
    }

    fn new(folder: &Path, collection: &Collection) -> Result<Self> {
        let lacking = |what: &str, file: &str| {
            let error = rebus_collection::Error::malformed(Place::file(folder), what);
            Error::from(error.with_hint(format!("put {file} beside the token file")))
        };
        let mut places: HashMap<&ItemId, usize> = HashMap::new();
        let mut pool: HashMap<&CaptionId, usize> = HashMap::new();
        let mut captions = Vec::new();
        for item in collection.items_in(&Split::Test) {
            let of_item: Vec<_> = collection.captions_of(&item.id).collect();
            let Some(chosen) = of_item.get(POOL_CAPTION) else {
                let captions = counted(of_item.len() as u64, "caption");
                let what = format!("{} has {captions}, not five", item.id);
                return Err(lacking(&what, "the whole of Flickr8k.token.txt"));
            };
            pool.insert(&chosen.id, captions.len());
            places.insert(&item.id, captions.len());
            captions.push(of_item.iter().map(|caption| caption.text.clone()).collect());
        }
        if captions.is_empty() {
            return Err(lacking("no test split", "Flickr_8k.testImages.txt"));
        }
        let known = places.iter().map(|(&id, &at)| (id.clone(), at)).collect();
        let mut data = Self {
            places: known,
            captions,
            experts: Vec::new(),
            crowd: HashMap::new(),
            outside: 0,
        };
        let mut graded: HashMap<Pair, Vec<f64>> = HashMap::new();
        for judgement in collection.judgements() {
            match (pair(judgement, &places, &pool), judgement.verdict) {
                (Some(pair), Verdict::Grade(grade)) => {
                    graded.entry(pair).or_default().push(grade as f64);
                }
                (Some(pair), Verdict::Votes { yes, no }) => {
                    data.crowd.insert(pair, Votes { yes, no });
                }
                _ => data.outside += 1,
            }
        }
        data.experts = graded.into_iter().collect();
        data.experts.sort_by_key(|(pair, _)| *pair);
        match (data.experts.is_empty(), data.crowd.is_empty()) {
            (true, _) => Err(lacking("no judgements of experts", "ExpertAnnotations.txt")),
            (_, true) => Err(lacking("no judgements of the crowd", "CrowdFlowerAnnotations.txt")),
            _ => Ok(data),
        }
    }

    /// How many pairs of a test image and a caption of the pool there are.
    pub(in crate::ranking_task) fn all_pairs(&self) -> usize {
        self.captions.len() * self.captions.len()
    }

    /// The pair of two of these images: the first as such, the second by its caption.
    pub(in crate::ranking_task) fn pair(
        &self,
        items: &[Item],
        image: usize,
        caption: usize,
    ) -> Option<Pair> {
        let place = |at: usize| self.places.get(&items.get(at)?.id).copied();
        Some(Pair { image: place(image)?, caption: place(caption)? })
    }

    /// The mean grade of a pair, if experts saw it.
    pub(in crate::ranking_task) fn expert_score(&self, pair: Pair) -> Option<f64> {
        let at = self.experts.binary_search_by_key(&pair, |(known, _)| *known).ok()?;
        Some(mean(&self.experts[at].1))
    }

    /// The pairs that experts judged, with their mean grades.
    pub(in crate::ranking_task) fn expert_scores(&self) -> (Vec<Pair>, Vec<f64>) {
        self.experts.iter().map(|(pair, grades)| (*pair, mean(grades))).unzip()
    }
}

fn pair(
    judgement: &Judgement,
    places: &HashMap<&ItemId, usize>,
    pool: &HashMap<&CaptionId, usize>,
) -> Option<Pair> {
    match (&judgement.query, &judgement.answer) {
        (Subject::Item(item), Subject::Caption(caption))
        | (Subject::Caption(caption), Subject::Item(item)) => {
            Some(Pair { image: *places.get(item)?, caption: *pool.get(caption)? })
        }
        _ => None,
    }
}

fn mean(grades: &[f64]) -> f64 {
    grades.iter().sum::<f64>() / grades.len() as f64
}

/// Collects records until Ctrl-C.
struct Reading<'a> {
    collection: Collection,
    progress: &'a dyn Progress,
}

impl Sink for Reading<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if self.progress.interrupted() {
            return ControlFlow::Break(());
        }
        self.progress.advance(1);
        self.collection.take(record)
    }
}
