//! WordNet 3.0's own files: which words it has, and its lists of irregular forms.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::PartOfSpeech;
use crate::wordnet::{file, suffix, text};
use crate::{Error, Result, stop_words};

/// Endings and what they become, in the order in which they are tried.
const NOUN: &[(&str, &str)] = &[
    ("s", ""),
    ("ses", "s"),
    ("ves", "f"),
    ("xes", "x"),
    ("zes", "z"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("men", "man"),
    ("ies", "y"),
];
const VERB: &[(&str, &str)] = &[
    ("s", ""),
    ("ies", "y"),
    ("es", "e"),
    ("es", ""),
    ("ed", "e"),
    ("ed", ""),
    ("ing", "e"),
    ("ing", ""),
];
const ADJECTIVE: &[(&str, &str)] = &[("er", ""), ("est", ""), ("er", "e"), ("est", "e")];

/// How many forms a word of each kind has: a count of a lemma is shared out among them.
const FORMS: [u64; 4] = [2, 4, 3, 1];

#[derive(Debug, Clone)]
pub(super) struct WordNet {
    folder: PathBuf,
    /// Entries of one word, with how often the sense-tagged texts have each as noun, verb,
    /// adjective, adverb; `None` where it is no such word.
    entries: FxHashMap<Box<str>, [Option<u32>; 4]>,
    exceptions: [FxHashMap<Box<str>, Vec<Box<str>>>; 4],
}

impl WordNet {
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let mut entries: FxHashMap<Box<str>, [Option<u32>; 4]> = FxHashMap::default();
        let mut exceptions: [FxHashMap<Box<str>, Vec<Box<str>>>; 4] = Default::default();
        for kind in PartOfSpeech::ALL {
            let slot = kind as usize;
            let path = file(folder, "index", kind);
            for (at, line) in text(&path)?.lines().enumerate() {
                // The licence stands at the top, each line of it behind two blanks.
                if line.starts_with(' ') {
                    continue;
                }
                let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
                if !rest.starts_with(['n', 'v', 'a', 'r']) {
                    let what = "expected a word, its kind and its senses";
                    return Err(Error::format(&path, at + 1, what));
                }
                if !word.contains('_') {
                    entries.entry(word.into()).or_default()[slot] = Some(0);
                }
            }
            let path = folder.join(format!("{}.exc", suffix(kind)));
            for (at, line) in text(&path)?.lines().enumerate() {
                let mut forms = line.split_whitespace();
                let (Some(form), Some(first)) = (forms.next(), forms.next()) else {
                    return Err(Error::format(&path, at + 1, "expected a form and its base"));
                };
                let bases = std::iter::once(first).chain(forms).map(Into::into);
                exceptions[slot].entry(form.into()).or_default().extend(bases);
            }
        }
        let mut wordnet = Self { folder: folder.to_owned(), entries, exceptions };
        wordnet.count(&folder.join("cntlist.rev"));
        Ok(wordnet)
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds the counts of sense-tagged texts. They only help to choose between kinds, so a file
    /// that is missing or odd does no harm.
    fn count(&mut self, path: &Path) {
        for line in std::fs::read_to_string(path).unwrap_or_default().lines() {
            let Some((word, rest)) = line.split_once('%') else { continue };
            let slot = match rest.as_bytes().first() {
                Some(b'1') => 0,
                Some(b'2') => 1,
                Some(b'3' | b'5') => 2,
                Some(b'4') => 3,
                _ => continue,
            };
            let count = line.rsplit(' ').next().and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
            if let Some(Some(known)) = self.entries.get_mut(word).map(|entry| &mut entry[slot]) {
                *known = known.saturating_add(count);
            }
        }
    }

    fn has(&self, word: &str, kind: PartOfSpeech) -> Option<u32> {
        self.entries.get(word).and_then(|entry| entry[kind as usize])
    }

    /// What a form may come from, best first: its exceptions, itself, what the rules give. A form
    /// among the exceptions, such as *forest* as an adjective, is subject to no rule.
    fn candidates(&self, word: &str, kind: PartOfSpeech) -> Vec<String> {
        let exceptions = self.exceptions[kind as usize].get(word);
        let rules = match kind {
            PartOfSpeech::Noun => NOUN,
            PartOfSpeech::Verb => VERB,
            PartOfSpeech::Adjective => ADJECTIVE,
            PartOfSpeech::Adverb => &[],
        };
        let ruled = rules
            .iter()
            .filter(|_| exceptions.is_none() && word.len() > 2)
            .filter_map(|(old, new)| Some(format!("{}{new}", word.strip_suffix(old)?)))
            .filter(|base| base.len() > 1);
        exceptions
            .into_iter()
            .flatten()
            .map(|base| base.to_string())
            .chain([word.to_owned()])
            .chain(ruled)
            .filter(|base| self.has(base, kind).is_some())
            .collect()
    }

    pub(super) fn lemma(&self, word: &str, kind: PartOfSpeech) -> Option<String> {
        self.candidates(word, kind).into_iter().next()
    }

    /// The likeliest lemma of any kind: by the count of the lemma, shared out among the forms of
    /// its kind; of equals the noun before the verb, and what [`Self::lemma`] would say.
    pub(super) fn lemma_of(&self, word: &str) -> Option<String> {
        // Pronouns and their kin are no entries, but may look like a form of one: its, it.
        let auxiliary = stop_words::contains(word);
        let mut best: Option<(u64, String)> = None;
        for kind in PartOfSpeech::ALL {
            if auxiliary && kind != PartOfSpeech::Verb {
                continue;
            }
            let candidates = self.candidates(word, kind);
            // A plural may be an entry itself (windows) and yet be meant as a plural.
            let itself = candidates.first().is_some_and(|first| first == word);
            for lemma in candidates.into_iter().take(1 + usize::from(itself)) {
                let count = u64::from(self.has(&lemma, kind).unwrap_or(0));
                // Twelve is divided by every number of forms.
                let weight = count * 12 / FORMS[kind as usize];
                if best.as_ref().is_none_or(|(most, _)| weight > *most) {
                    best = Some((weight, lemma));
                }
            }
        }
        best.map(|(_, lemma)| lemma)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A dictionary of a few words, with what surrounds them in the real files.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            std::fs::write(folder.path().join(name), text).unwrap();
        };
        write(
            "index.noun",
            "  1 licence\nax n 1 0 1 0 1  \ndog n 7 1 @ 7 1 2  \nhot_dog n 1 0 1 0 1  \nman n 1 0 1 0 1  \nmen n 1 0 1 0 1  \nrun n 1 0 1 0 1  \nrunning n 1 0 1 0 1  \nwatch n 1 0 1 0 1  \n",
        );
        write(
            "index.verb",
            "dog v 1 0 1 0 1  \nrun v 1 0 1 0 1  \ndance v 1 0 1 0 1  \nsee v 1 0 1 0 1  \n",
        );
        write("index.adj", "big a 1 0 1 0 1  \nlarge a 1 0 1 0 1  \n");
        write("index.adv", "well r 1 0 1 0 1  \n");
        write("noun.exc", "axes ax axis\nmen man\n");
        write("verb.exc", "ran run\nrunning run\nsaw see\n");
        write("adj.exc", "bigger big\n");
        write("adv.exc", "best well\n");
        write(
            "cntlist.rev",
            "run%2:38:00:: 1 100\nrunning%1:04:00:: 1 2\ndog%1:05:00:: 1 42\nnonsense\n",
        );
        folder
    }

    #[test]
    fn exceptions_entries_rules() {
        let folder = folder();
        let wordnet = WordNet::read(folder.path()).unwrap();
        let lemma = |word, kind| wordnet.lemma(word, kind);
        assert_eq!(lemma("axes", PartOfSpeech::Noun).as_deref(), Some("ax"));
        assert_eq!(lemma("men", PartOfSpeech::Noun).as_deref(), Some("man"));
        assert_eq!(lemma("running", PartOfSpeech::Noun).as_deref(), Some("running"));
        assert_eq!(lemma("watches", PartOfSpeech::Noun).as_deref(), Some("watch"));
        assert_eq!(lemma("dancing", PartOfSpeech::Verb).as_deref(), Some("dance"));
        assert_eq!(lemma("larger", PartOfSpeech::Adjective).as_deref(), Some("large"));
        assert_eq!(lemma("best", PartOfSpeech::Adverb).as_deref(), Some("well"));
        assert_eq!(lemma("xyz", PartOfSpeech::Noun), None);
        assert_eq!(wordnet.lemma_of("running").as_deref(), Some("run"));
        assert_eq!(wordnet.lemma_of("dogs").as_deref(), Some("dog"));
        assert_eq!(wordnet.lemma_of("zzz"), None);
    }

    #[test]
    fn a_damaged_folder_is_named() {
        let folder = folder();
        std::fs::write(folder.path().join("index.verb"), "dog\n").unwrap();
        let said = WordNet::read(folder.path()).unwrap_err().to_string();
        assert!(said.contains("index.verb:1:"), "{said}");
        std::fs::write(folder.path().join("index.verb"), b"a v 1\n\xff\n").unwrap();
        let said = WordNet::read(folder.path()).unwrap_err().to_string();
        assert!(said.contains("index.verb:2:"), "{said}");
        std::fs::remove_file(folder.path().join("index.verb")).unwrap();
        assert!(WordNet::read(folder.path()).is_err());
    }
}
