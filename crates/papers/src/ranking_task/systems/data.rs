//! The pictures and captions that a reproduction stands on, and which of them serve for what.

use std::ops::ControlFlow;
use std::path::Path;

use rebus_collection::{Collection, Item, Place, Progress, Record, Sink, Split, counted, format};

use super::super::judgements::POOL_CAPTION;
use crate::{Error, Result};

/// Of the training pictures every so-many-th is held out where settings must be chosen without the
/// development split: 1,000 of 6,000.
const HELD_OUT: usize = 6;

/// A part of the collection: pictures that could be found, with their captions.
pub(super) struct Part {
    pub(super) items: Vec<Item>,
    /// All captions of each picture, in the source's order.
    pub(super) captions: Vec<Vec<String>>,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.items.len()
    }

    /// The caption of each picture that is in the pool.
    pub(super) fn pool(&self) -> Vec<Vec<String>> {
        self.captions.iter().map(|all| vec![all[POOL_CAPTION].clone()]).collect()
    }

    /// Some of the pictures.
    pub(super) fn only(&self, rows: &[usize]) -> Self {
        Self {
            items: rows.iter().map(|&row| self.items[row].clone()).collect(),
            captions: rows.iter().map(|&row| self.captions[row].clone()).collect(),
        }
    }
}

/// What is trained on, what settings are chosen on, what is reported.
pub(super) struct Data {
    pub(super) train: Part,
    /// Settings are chosen on these. Where they are training pictures, `held_out` has their rows.
    pub(super) choice: Part,
    pub(super) held_out: Vec<usize>,
    pub(super) report: Part,
}

impl Data {
    /// Reads Flickr8k for one split. `photos` is where its pictures lie, if elsewhere.
    pub(super) fn read(
        folder: &Path,
        photos: Option<&Path>,
        split: &Split,
        progress: &dyn Progress,
    ) -> Result<Self> {
        progress.begin("reading Flickr8k", None);
        let at_hand = read(folder, None, progress)?;
        let train = part(&at_hand, &Split::Train, folder)?;
        let elsewhere = photos.map(|photos| read(folder, Some(photos), progress)).transpose()?;
        let report = part(elsewhere.as_ref().unwrap_or(&at_hand), split, folder)?;
        let (choice, held_out) = match split {
            Split::Test => (part(&at_hand, &Split::Dev, folder)?, Vec::new()),
            _ => {
                let held_out: Vec<usize> = (0..train.len()).step_by(HELD_OUT).collect();
                (train.only(&held_out), held_out)
            }
        };
        Ok(Self { train, choice, held_out, report })
    }

    /// Holds out pictures anew after some training pictures were lost.
    pub(super) fn hold_out_again(&mut self) {
        if !self.held_out.is_empty() {
            self.held_out = (0..self.train.len()).step_by(HELD_OUT).collect();
            self.choice = self.train.only(&self.held_out);
        }
    }

    /// The training pictures that a model is fitted on while settings are chosen.
    pub(super) fn fitted_for_choice(&self) -> Vec<usize> {
        let held = |row: &usize| self.held_out.binary_search(row).is_err();
        (0..self.train.len()).filter(held).collect()
    }
}

fn read(folder: &Path, photos: Option<&Path>, progress: &dyn Progress) -> Result<Collection> {
    let mut reading = Reading { collection: Collection::new(), progress };
    let options = format::ReadOptions {
        photos: photos.map(Path::to_path_buf),
        ..format::ReadOptions::default()
    };
    format::by_name("flickr")?.read(folder, &options, &mut reading)?;
    Ok(reading.collection)
}

fn part(collection: &Collection, split: &Split, folder: &Path) -> Result<Part> {
    let lacking = |what: String, hint: &str| {
        let error = rebus_collection::Error::malformed(Place::file(folder), what);
        Error::from(error.with_hint(hint))
    };
    let mut part = Part { items: Vec::new(), captions: Vec::new() };
    let mut absent = 0;
    for item in collection.items_in(split) {
        let captions: Vec<String> =
            collection.captions_of(&item.id).map(|caption| caption.text.clone()).collect();
        if captions.len() <= POOL_CAPTION {
            let captions = counted(captions.len() as u64, "caption");
            let what = format!("{} has {captions}, not five", item.id);
            return Err(lacking(what, "put the whole of Flickr8k.token.txt there"));
        }
        if item.image == rebus_collection::ImageSource::Absent {
            absent += 1;
            continue;
        }
        part.items.push(item.clone());
        part.captions.push(captions);
    }
    if part.items.len() < 2 {
        let what = format!("no photos of the {split} split ({absent} are named)");
        return Err(lacking(what, "say with --photos DIR where they lie"));
    }
    Ok(part)
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
