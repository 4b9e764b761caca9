//! The senses of one kind of word, and their hypernyms.

use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{file, text};
use crate::lemma::PartOfSpeech;
use crate::{Error, Result};

/// A sense of a [`Taxonomy`]: its place in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sense(pub u32);

/// Senses with their words and their hypernyms.
#[derive(Debug, Clone, Default)]
pub struct Taxonomy {
    /// The first word of each sense.
    names: Vec<Box<str>>,
    /// Where each sense stands in WordNet's file, by which WordNet itself names it.
    offsets: Vec<u32>,
    /// Where the parents of each begin; one more than there are senses.
    starts: Vec<u32>,
    parents: Vec<Sense>,
    /// The senses of each word, the most frequent first.
    senses: FxHashMap<Box<str>, Vec<Sense>>,
}

impl Taxonomy {
    /// Reads the index and the data of a kind of word.
    pub(super) fn read(folder: &Path, kind: PartOfSpeech) -> Result<Self> {
        let path = file(folder, "data", kind);
        let mut taxonomy = Self::default();
        let mut above: Vec<(usize, Vec<u32>)> = Vec::new();
        let mut places: FxHashMap<u32, Sense> = FxHashMap::default();
        for (at, line) in text(&path)?.lines().enumerate() {
            // The licence stands at the top, each line of it behind two blanks.
            if line.starts_with(' ') {
                continue;
            }
            let (offset, name, parents) = data_line(line).ok_or_else(|| {
                Error::format(&path, at + 1, "expected a sense with its words and pointers")
            })?;
            places.insert(offset, Sense(taxonomy.names.len() as u32));
            taxonomy.names.push(name.into());
            taxonomy.offsets.push(offset);
            above.push((at + 1, parents));
        }
        taxonomy.starts.push(0);
        for (line, parents) in above {
            for offset in parents {
                let parent = places.get(&offset).ok_or_else(|| {
                    Error::format(&path, line, format!("there is no sense {offset:08} to be above"))
                })?;
                taxonomy.parents.push(*parent);
            }
            taxonomy.starts.push(taxonomy.parents.len() as u32);
        }
        let path = file(folder, "index", kind);
        for (at, line) in text(&path)?.lines().enumerate() {
            if line.starts_with(' ') {
                continue;
            }
            let wrong = || Error::format(&path, at + 1, "expected a word and its senses");
            let (word, offsets) = index_line(line).ok_or_else(wrong)?;
            let senses = offsets.iter().map(|offset| places.get(offset).copied());
            let senses: Option<Vec<Sense>> = senses.collect();
            taxonomy.senses.insert(word.into(), senses.ok_or_else(wrong)?);
        }
        Ok(taxonomy)
    }

    /// How many senses there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The senses of a word, the most frequent first. Words of several parts are written with
    /// underscores or blanks between them.
    pub fn senses(&self, word: &str) -> &[Sense] {
        let found = match word.contains(' ') {
            true => self.senses.get(word.replace(' ', "_").as_str()),
            false => self.senses.get(word),
        };
        found.map_or(&[], Vec::as_slice)
    }

    /// Every word with its senses, in no order.
    pub fn words(&self) -> impl Iterator<Item = (&str, &[Sense])> {
        self.senses.iter().map(|(word, senses)| (&**word, &senses[..]))
    }

    /// The most frequent sense of a word.
    pub fn first_sense(&self, word: &str) -> Option<Sense> {
        self.senses(word).first().copied()
    }

    /// The first word of a sense.
    pub fn name(&self, sense: Sense) -> &str {
        self.names.get(sense.0 as usize).map_or("", |name| name)
    }

    /// Where a sense stands in WordNet's data file.
    pub fn offset(&self, sense: Sense) -> Option<u32> {
        self.offsets.get(sense.0 as usize).copied()
    }

    /// The direct hypernyms of a sense.
    pub fn parents(&self, sense: Sense) -> &[Sense] {
        let at = sense.0 as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(&from), Some(&to)) => &self.parents[from as usize..to as usize],
            _ => &[],
        }
    }

    /// The sense itself, then all its hypernyms, nearest first, each once.
    pub fn with_ancestors(&self, sense: Sense) -> Vec<Sense> {
        let mut seen = FxHashSet::default();
        let mut found = vec![sense];
        seen.insert(sense);
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(self.parents(at).iter().copied().filter(|&parent| seen.insert(parent)));
            next += 1;
        }
        found
    }
}

/// The offset of a sense, its first word and the offsets of its hypernyms.
fn data_line(line: &str) -> Option<(u32, &str, Vec<u32>)> {
    let mut fields = line.split(' ');
    let offset = fields.next()?.parse().ok()?;
    let words = usize::from_str_radix(fields.nth(2)?, 16).ok()?;
    let name = fields.next()?;
    // The rest of the first word, then a word and its number each.
    let pointers: usize = fields.nth((2 * words).checked_sub(1)?)?.parse().ok()?;
    let mut parents = Vec::new();
    for _ in 0..pointers {
        let (symbol, to) = (fields.next()?, fields.next()?);
        fields.nth(1)?;
        if matches!(symbol, "@" | "@i") {
            parents.push(to.parse().ok()?);
        }
    }
    Some((offset, name, parents))
}

/// A word and the offsets of its senses.
fn index_line(line: &str) -> Option<(&str, Vec<u32>)> {
    let mut fields = line.split_ascii_whitespace();
    let word = fields.next()?;
    let senses: usize = fields.nth(1)?.parse().ok()?;
    let pointers: usize = fields.next()?.parse().ok()?;
    // The kinds of pointers, and two counts of senses.
    let offsets = fields.skip(pointers.checked_add(2)?);
    let offsets: Vec<u32> = offsets.map(|offset| offset.parse().ok()).collect::<Option<_>>()?;
    (offsets.len() == senses && senses > 0).then_some((word, offsets))
}

/// A taxonomy of a few senses, for the tests of what stands on it: `child parent parent...` a line,
/// a word of its own for each sense.
#[cfg(test)]
pub(crate) fn small(lines: &str) -> Taxonomy {
    let rows: Vec<Vec<&str>> = lines.lines().map(|l| l.split_whitespace().collect()).collect();
    let at = |word: &str| Sense(rows.iter().position(|row| row[0] == word).unwrap() as u32);
    let mut taxonomy = Taxonomy { starts: vec![0], ..Taxonomy::default() };
    for row in &rows {
        taxonomy.names.push(row[0].into());
        taxonomy.offsets.push(0);
        taxonomy.parents.extend(row[1..].iter().map(|word| at(word)));
        taxonomy.starts.push(taxonomy.parents.len() as u32);
        taxonomy.senses.insert(row[0].into(), vec![at(row[0])]);
    }
    taxonomy
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = "  1 licence\n\
        00000100 03 n 01 entity 0 000 | what exists  \n\
        00000200 03 n 02 animal 0 beast 1 001 @ 00000100 n 0000 | a living thing  \n\
        00000300 03 n 01 dog 0 002 @ 00000200 n 0000 ~ 00000100 n 0000 | barks  \n\
        00000400 03 n 01 Laika 0 002 @i 00000300 n 0000 @ 00000100 n 0000 | flew  \n";
    const INDEX: &str = "  1 licence\nanimal n 1 1 @ 1 1 00000200  \ndog n 2 1 @ 2 1 00000300 00000200  \nhot_dog n 1 0 1 0 00000300  \n";

    fn read(data: &str, index: &str) -> Result<Taxonomy> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("data.noun"), data).unwrap();
        std::fs::write(folder.path().join("index.noun"), index).unwrap();
        Taxonomy::read(folder.path(), PartOfSpeech::Noun)
    }

    #[test]
    fn senses_and_what_is_above_them() {
        let nouns = read(DATA, INDEX).unwrap();
        assert_eq!((nouns.len(), nouns.is_empty()), (4, false));
        assert_eq!(nouns.senses("dog"), [Sense(2), Sense(1)]);
        assert_eq!(nouns.first_sense("hot dog"), Some(Sense(2)));
        assert_eq!((nouns.name(Sense(1)), nouns.offset(Sense(1))), ("animal", Some(200)));
        let above = nouns.with_ancestors(Sense(3));
        assert_eq!(above, [Sense(3), Sense(2), Sense(0), Sense(1)]);
        assert!(nouns.senses("cat").is_empty() && nouns.parents(Sense(99)).is_empty());
        // A cycle ends.
        let cycle = small("a b\nb a");
        assert_eq!(cycle.with_ancestors(Sense(0)), [Sense(0), Sense(1)]);
    }

    #[test]
    fn damage_is_named_by_its_line() {
        for (data, index, place) in [
            ("x", "", "data.noun:1:"),
            ("00000100 03 n zz entity 0 000", "", "data.noun:1:"),
            ("00000100 03 n 00 entity 0 000", "", "data.noun:1:"),
            ("00000100 03 n 01 entity 0 009 @", "", "data.noun:1:"),
            ("00000100 03 n 01 entity 0 001 @ 00000777 n 0000", "", "data.noun:1:"),
            (DATA, "dog n 1 0 1 0 00000999", "index.noun:1:"),
            (DATA, "dog n 3 0 1 0 00000100", "index.noun:1:"),
            (DATA, "dog n 1 18446744073709551615 1 0", "index.noun:1:"),
        ] {
            let said = read(data, index).unwrap_err().to_string();
            assert!(said.contains(place), "{said}");
        }
    }
}
