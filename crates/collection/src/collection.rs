//! A collection held in memory: items in a fixed order, with all that belongs to them.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use crate::format::{self, ReadOptions};
use crate::{
    Caption, CaptionId, ContentHash, Finding, ImageSource, Item, ItemId, Judgement, Record, Result,
    Sink, Split, Topic,
};

/// Pictures, captions, splits and judgements, in the order in which they were met.
///
/// It is itself a [`Sink`]: any reader can fill it, record by record.
#[derive(Debug, Clone, Default)]
pub struct Collection {
    items: Vec<Item>,
    captions: Vec<Caption>,
    topics: Vec<Topic>,
    judgements: Vec<Judgement>,
    findings: Vec<Finding>,
    splits: FxHashMap<ItemId, Split>,
    item_at: FxHashMap<ItemId, usize>,
    caption_at: FxHashMap<CaptionId, usize>,
    captions_of: FxHashMap<ItemId, Vec<usize>>,
}

impl Collection {
    /// A collection with nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the collection at `path`, guessing its format.
    ///
    /// # Errors
    /// If nothing is there, no format fits, or nothing could be read; what concerns single
    /// records is among the [`findings`](Self::findings).
    pub fn read(path: &std::path::Path) -> Result<Self> {
        let mut collection = Self::new();
        format::guess(path)?.read(path, &ReadOptions::default(), &mut collection)?;
        Ok(collection)
    }

    /// The items, in their fixed order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The captions, in their fixed order.
    pub fn captions(&self) -> &[Caption] {
        &self.captions
    }

    /// The topics, in their fixed order.
    pub fn topics(&self) -> &[Topic] {
        &self.topics
    }

    /// The judgements, in the source's order.
    pub fn judgements(&self) -> &[Judgement] {
        &self.judgements
    }

    /// What was odd about the source.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The item of this name.
    pub fn item(&self, id: &ItemId) -> Option<&Item> {
        self.item_at.get(id).map(|&at| &self.items[at])
    }

    /// The caption of this name.
    pub fn caption(&self, id: &CaptionId) -> Option<&Caption> {
        self.caption_at.get(id).map(|&at| &self.captions[at])
    }

    /// The captions of an item, in the source's order.
    pub fn captions_of(&self, id: &ItemId) -> impl ExactSizeIterator<Item = &Caption> {
        let at = self.captions_of.get(id).map_or(&[][..], Vec::as_slice);
        at.iter().map(|&at| &self.captions[at])
    }

    /// The part an item belongs to, if the source says.
    pub fn split_of(&self, id: &ItemId) -> Option<&Split> {
        self.splits.get(id)
    }

    /// The items of one part, in their fixed order.
    pub fn items_in<'a>(&'a self, split: &'a Split) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(move |item| self.split_of(&item.id) == Some(split))
    }

    /// What the collection says, in one number: items with their keywords and, where known, the content
    /// of their pictures; captions; splits. Two collections of the same hash train the same model.
    pub fn hash(&self) -> ContentHash {
        let mut hasher = blake3::Hasher::new();
        let mut add = |text: &str| {
            // The length first, so that no two lists run together alike.
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        for item in &self.items {
            add(item.id.as_str());
            add(self.split_of(&item.id).map_or("", Split::as_str));
            add(&item.hash.map(|hash| hash.to_string()).unwrap_or_default());
            add(&item.keywords.len().to_string());
            item.keywords.iter().for_each(|word| add(word));
        }
        for caption in &self.captions {
            [caption.id.as_str(), caption.item.as_str(), &caption.text]
                .into_iter()
                .for_each(&mut add);
        }
        ContentHash(*hasher.finalize().as_bytes())
    }

    fn add_item(&mut self, item: Item) {
        match self.item_at.get(&item.id) {
            Some(&at) => merge(&mut self.items[at], item),
            None => {
                self.item_at.insert(item.id.clone(), self.items.len());
                self.items.push(item);
            }
        }
    }

    fn add_caption(&mut self, caption: Caption) {
        let at = self.captions.len();
        self.caption_at.entry(caption.id.clone()).or_insert(at);
        self.captions_of.entry(caption.item.clone()).or_default().push(at);
        self.captions.push(caption);
    }
}

/// Adds what a second record of an item says to the first; the first word stands.
fn merge(mine: &mut Item, theirs: Item) {
    if mine.image == ImageSource::Absent {
        mine.image = theirs.image;
    }
    mine.hash = mine.hash.or(theirs.hash);
    mine.size = mine.size.or(theirs.size);
    mine.regions = mine.regions.or(theirs.regions);
    mine.metadata.fill_from(theirs.metadata);
    for keyword in theirs.keywords {
        if !mine.keywords.contains(&keyword) {
            mine.keywords.push(keyword);
        }
    }
    if mine.blobs.is_empty() {
        mine.blobs = theirs.blobs;
    }
}

/// Two collections are equal if they hold the same items, captions, topics and judgements in the
/// same order, and the same splits. Findings are about the source, and do not count.
impl PartialEq for Collection {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
            && self.captions == other.captions
            && self.topics == other.topics
            && self.judgements == other.judgements
            && self.splits == other.splits
    }
}

impl Sink for Collection {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        match record {
            Record::Item(item) => self.add_item(*item),
            Record::Caption(caption) => self.add_caption(caption),
            Record::Split(item, split) => {
                self.splits.insert(item, split);
            }
            Record::Topic(topic) => self.topics.push(topic),
            Record::Judgement(judgement) => self.judgements.push(judgement),
            Record::Finding(finding) => self.findings.push(finding),
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_record_adds_to_the_first() {
        let mut collection = Collection::new();
        let mut first = Item::new("a.jpg");
        first.keywords = vec!["sun".into()];
        let mut second = Item::new("a.jpg");
        second.keywords = vec!["sun".into(), "sea".into()];
        second.metadata.title = Some("Dawn".into());
        let _ = collection.take(Record::Item(Box::new(first)));
        let _ = collection.take(Record::Item(Box::new(second)));
        assert_eq!(collection.items().len(), 1);
        let item = collection.item(&"a.jpg".into()).unwrap();
        assert_eq!(item.keywords, ["sun", "sea"]);
        assert_eq!(item.metadata.title.as_deref(), Some("Dawn"));
    }

    #[test]
    fn captions_are_found_by_item_whatever_came_first() {
        let mut collection = Collection::new();
        let caption = Caption { id: "a.jpg#0".into(), item: "a.jpg".into(), text: "A dog.".into() };
        let _ = collection.take(Record::Caption(caption));
        let _ = collection.take(Record::Item(Box::new(Item::new("a.jpg"))));
        let _ = collection.take(Record::Split("a.jpg".into(), Split::Dev));
        assert_eq!(collection.captions_of(&"a.jpg".into()).len(), 1);
        assert_eq!(collection.items_in(&Split::Dev).count(), 1);
        assert_eq!(collection.captions_of(&"b.jpg".into()).len(), 0);
    }
}
