//! Words for the classes of a classifier, by WordNet: a class is named by its own words and by
//! those of everything above it, so that what sees a *tabby* also sees a *cat* and an *animal*.

use rebus_text::wordnet::{Sense, Taxonomy};
use rustc_hash::{FxHashMap, FxHashSet};

/// A sense counts for a word if it is among its most frequent ones: nobody who types *dog* thinks
/// of an andiron.
const SENSES: usize = 2;
/// A word that stands for more classes than this says nothing that one could see.
const MOST: usize = 120;

/// The words that name some of the classes, with the classes that each names; `offsets` are the
/// places of the classes' senses in WordNet's file of nouns. Words that WordNet puts first for
/// their sense come before others: *clock* before *horologe*.
pub fn class_words(nouns: &Taxonomy, offsets: &[u32]) -> Vec<(String, Vec<usize>)> {
    let wanted: FxHashSet<u32> = offsets.iter().copied().collect();
    let mut at: FxHashMap<u32, Sense> = FxHashMap::default();
    for (_, senses) in nouns.words() {
        for &sense in senses {
            if let Some(offset) = nouns.offset(sense).filter(|offset| wanted.contains(offset)) {
                at.insert(offset, sense);
            }
        }
    }
    let mut below: FxHashMap<Sense, Vec<usize>> = FxHashMap::default();
    for (class, offset) in offsets.iter().enumerate() {
        let Some(&sense) = at.get(offset) else { continue };
        for ancestor in nouns.with_ancestors(sense) {
            below.entry(ancestor).or_default().push(class);
        }
    }
    let mut words: Vec<(bool, String, Vec<usize>)> = Vec::new();
    for (word, senses) in nouns.words() {
        if word.contains('_') {
            continue;
        }
        let own =
            |sense: &Sense| nouns.offset(*sense).is_some_and(|offset| wanted.contains(&offset));
        let frequent = senses.iter().take(SENSES);
        // A class's own word counts however rare the sense is: the classifier means that one.
        let used = frequent.chain(senses.iter().skip(SENSES).filter(|sense| own(sense)));
        let mut classes: Vec<usize> =
            used.filter_map(|sense| below.get(sense)).flatten().copied().collect();
        classes.sort_unstable();
        classes.dedup();
        if (1..=MOST).contains(&classes.len()) {
            let first = senses.first().is_some_and(|&sense| nouns.name(sense) == word);
            words.push((!first, word.to_owned(), classes));
        }
    }
    words.sort_unstable();
    words.into_iter().map(|(_, word, classes)| (word, classes)).collect()
}
