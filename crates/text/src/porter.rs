//! The Porter stemmer (Porter 1980, "An algorithm for suffix stripping").
//!
//! Two variants. [`Variant::Published`] is the algorithm as printed. [`Variant::Revised`] is
//! Porter's own later program, which differs in two rules of step 2 (*abli* became *bli*, and *logi*
//! was added). Both leave words of one or two letters alone, as his program does. Words with
//! anything but the letters a to z come back as they are.

use crate::stage::Stage;

/// Which of the two algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// As printed in 1980.
    #[default]
    Published,
    /// As in Porter's later program.
    Revised,
}

/// A suffix and what it becomes.
type Rule = (&'static str, &'static str);

const STEP_2: &[Rule] = &[
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
];

const STEP_2_PUBLISHED: &[Rule] = &[("abli", "able")];
const STEP_2_REVISED: &[Rule] = &[("bli", "ble"), ("logi", "log")];

const STEP_3: &[Rule] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
];

const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

/// The stem of a lower-case word.
///
/// ```
/// use rebus_text::porter::{Variant, stem};
///
/// assert_eq!(stem("relational", Variant::Published), "relat");
/// assert_eq!(stem("running", Variant::Published), "run");
/// ```
pub fn stem(word: &str, variant: Variant) -> String {
    if word.len() <= 2 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return word.to_owned();
    }
    let mut word = Word(word.as_bytes().to_vec());
    word.step_1a();
    word.step_1b();
    word.step_1c();
    let extra = match variant {
        Variant::Published => STEP_2_PUBLISHED,
        Variant::Revised => STEP_2_REVISED,
    };
    word.replace(&[STEP_2, extra]);
    word.replace(&[STEP_3]);
    word.step_4();
    word.step_5();
    word.0.into_iter().map(char::from).collect()
}

struct Word(Vec<u8>);

impl Word {
    fn ends(&self, suffix: &str) -> bool {
        self.0.ends_with(suffix.as_bytes())
    }

    /// What is left without a suffix of that length.
    fn without(&self, suffix: &str) -> usize {
        self.0.len() - suffix.len()
    }

    fn set_end(&mut self, at: usize, end: &str) {
        self.0.truncate(at);
        self.0.extend_from_slice(end.as_bytes());
    }

    /// A letter other than a, e, i, o, u, and other than y after a consonant.
    fn consonant(&self, i: usize) -> bool {
        match self.0.get(i) {
            Some(b'a' | b'e' | b'i' | b'o' | b'u') => false,
            Some(b'y') => i == 0 || !self.consonant(i - 1),
            _ => true,
        }
    }

    /// m: how often a vowel is followed by a consonant within the first `len` letters.
    fn measure(&self, len: usize) -> usize {
        (1..len).filter(|&i| self.consonant(i) && !self.consonant(i - 1)).count()
    }

    /// *v*: a vowel within the first `len` letters.
    fn vowel(&self, len: usize) -> bool {
        (0..len).any(|i| !self.consonant(i))
    }

    /// *d: two of the same consonant at the end of the first `len` letters.
    fn double(&self, len: usize) -> bool {
        len >= 2 && self.0[len - 1] == self.0[len - 2] && self.consonant(len - 1)
    }

    /// *o: consonant, vowel, consonant at the end of the first `len` letters, the last not w, x, y.
    fn short(&self, len: usize) -> bool {
        len >= 3
            && self.consonant(len - 3)
            && !self.consonant(len - 2)
            && self.consonant(len - 1)
            && !matches!(self.0[len - 1], b'w' | b'x' | b'y')
    }

    fn step_1a(&mut self) {
        let len = self.0.len();
        if self.ends("sses") || self.ends("ies") {
            self.0.truncate(len - 2);
        } else if self.ends("s") && !self.ends("ss") {
            self.0.truncate(len - 1);
        }
    }

    fn step_1b(&mut self) {
        if self.ends("eed") {
            let stem = self.without("eed");
            if self.measure(stem) > 0 {
                self.0.truncate(stem + 2);
            }
            return;
        }
        let Some(suffix) = ["ed", "ing"].into_iter().find(|suffix| self.ends(suffix)) else {
            return;
        };
        let stem = self.without(suffix);
        if !self.vowel(stem) {
            return;
        }
        self.0.truncate(stem);
        if self.ends("at") || self.ends("bl") || self.ends("iz") {
            self.0.push(b'e');
        } else if self.double(stem) && !matches!(self.0[stem - 1], b'l' | b's' | b'z') {
            self.0.truncate(stem - 1);
        } else if self.measure(stem) == 1 && self.short(stem) {
            self.0.push(b'e');
        }
    }

    fn step_1c(&mut self) {
        if self.ends("y") && self.vowel(self.0.len() - 1) {
            let at = self.0.len() - 1;
            self.set_end(at, "i");
        }
    }

    /// Steps 2 and 3: the longest suffix of the tables, where what is before it has m > 0.
    fn replace(&mut self, tables: &[&[Rule]]) {
        let rules = tables.iter().flat_map(|rules| rules.iter());
        let found = rules.filter(|(suffix, _)| self.ends(suffix)).max_by_key(|(s, _)| s.len());
        if let Some((suffix, end)) = found {
            let stem = self.without(suffix);
            if self.measure(stem) > 0 {
                self.set_end(stem, end);
            }
        }
    }

    fn step_4(&mut self) {
        let found = STEP_4.iter().filter(|suffix| self.ends(suffix)).max_by_key(|s| s.len());
        let Some(suffix) = found else { return };
        let stem = self.without(suffix);
        let allowed = *suffix != "ion"
            || stem.checked_sub(1).is_some_and(|last| matches!(self.0[last], b's' | b't'));
        if allowed && self.measure(stem) > 1 {
            self.0.truncate(stem);
        }
    }

    fn step_5(&mut self) {
        if self.ends("e") {
            let stem = self.0.len() - 1;
            let m = self.measure(stem);
            if m > 1 || (m == 1 && !self.short(stem)) {
                self.0.truncate(stem);
            }
        }
        let len = self.0.len();
        if self.ends("ll") && self.measure(len - 1) > 1 {
            self.0.truncate(len - 1);
        }
    }
}

/// Replaces each token by its stem.
#[derive(Debug, Clone, Copy, Default)]
pub struct PorterStemmer(pub Variant);

impl Stage for PorterStemmer {
    fn name(&self) -> &'static str {
        "stem"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        tokens.iter().map(|token| stem(token, self.0)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples that Porter's paper gives for its steps, followed to the end.
    #[test]
    fn examples_of_the_paper() {
        for (word, expected) in [
            ("caresses", "caress"),
            ("ponies", "poni"),
            ("cats", "cat"),
            ("feed", "feed"),
            ("agreed", "agre"),
            ("plastered", "plaster"),
            ("motoring", "motor"),
            ("sing", "sing"),
            ("hopping", "hop"),
            ("falling", "fall"),
            ("filing", "file"),
            ("happy", "happi"),
            ("sky", "sky"),
            ("generalizations", "gener"),
            ("oscillators", "oscil"),
        ] {
            assert_eq!(stem(word, Variant::Published), expected, "{word}");
        }
    }

    #[test]
    fn the_variants_differ_where_they_should() {
        assert_eq!(stem("possibly", Variant::Published), "possibli");
        assert_eq!(stem("possibly", Variant::Revised), "possibl");
        assert_eq!(stem("archaeology", Variant::Published), "archaeologi");
        assert_eq!(stem("archaeology", Variant::Revised), "archaeolog");
    }

    #[test]
    fn what_is_no_english_word_stays() {
        for word in ["", "as", "café", "t-shirt", "Running", "3rd"] {
            assert_eq!(stem(word, Variant::Published), word);
        }
    }
}
