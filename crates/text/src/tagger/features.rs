//! What the tagger looks at: a word, its ends and its shape, the words around it, and the tags that
//! were given to the two before it.
//!
//! A feature is only ever its hash, 32 bits of the template and the values; the hash is part of the
//! saved weights, so neither it nor the templates may change without training anew.

/// How many features a place in a sentence has that do not depend on tags.
pub(super) const OF_WORDS: usize = 27;
/// How many features it has that do.
pub(super) const OF_TAGS: usize = 9;

/// What stands before the first and behind the last word.
const OUTSIDE: u64 = 0x9e37_79b9_7f4a_7c15;

fn mix(mut x: u64) -> u64 {
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^= x >> 32;
    x = x.wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

fn of_text(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// The feature of a template with up to three values.
fn feature(template: u64, a: u64, b: u64, c: u64) -> u32 {
    let h = mix(a.wrapping_add(template.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
    let h = mix(h ^ b.rotate_left(17));
    (mix(h ^ c.rotate_left(39)) >> 32) as u32
}

/// What is looked at of one word.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// In lower case, every digit a 0.
    lower: u64,
    /// Without an inflection, as far as that can be seen: *walk* of *walks* and *walking*.
    stem: u64,
    suffixes: [u64; 4],
    prefixes: [u64; 3],
    shape: u64,
    /// The shape, runs of the same kind taken as one.
    short_shape: u64,
}

const NOTHING: Word = Word {
    lower: OUTSIDE,
    stem: OUTSIDE,
    suffixes: [OUTSIDE; 4],
    prefixes: [OUTSIDE; 3],
    shape: OUTSIDE,
    short_shape: OUTSIDE,
};

impl Word {
    fn new(word: &str) -> Self {
        let lower: String = word
            .chars()
            .flat_map(char::to_lowercase)
            .map(|c| if c.is_ascii_digit() { '0' } else { c })
            .collect();
        let kind = |c: char| match c {
            _ if c.is_uppercase() => b'X',
            _ if c.is_alphabetic() => b'x',
            _ if c.is_numeric() => b'0',
            _ if c.is_ascii() => c as u8,
            _ => b'?',
        };
        let (mut shape, mut short_shape, mut last) = (0u64, 0u64, 0u8);
        for kind in word.chars().take(12).map(kind) {
            shape = mix(shape ^ u64::from(kind));
            if kind != last {
                short_shape = mix(short_shape ^ u64::from(kind));
            }
            last = kind;
        }
        let starts: Vec<usize> = lower.char_indices().map(|(at, _)| at).collect();
        let suffix = |n: usize| {
            let from = starts.len().checked_sub(n).and_then(|at| starts.get(at));
            from.map_or(OUTSIDE, |&at| of_text(&lower[at..]))
        };
        let prefix = |n: usize| {
            let to = if n == starts.len() { Some(lower.len()) } else { starts.get(n).copied() };
            to.map_or(OUTSIDE, |at| of_text(&lower[..at]))
        };
        Self {
            lower: of_text(&lower),
            stem: of_text(stem(&lower)),
            suffixes: [suffix(1), suffix(2), suffix(3), suffix(4)],
            prefixes: [prefix(1), prefix(2), prefix(3)],
            shape,
            short_shape,
        }
    }
}

/// A word without an ending of verbs and plurals, a last e, or a doubled letter.
fn stem(lower: &str) -> &str {
    const ENDINGS: [&str; 4] = ["ing", "ed", "es", "s"];
    let left = |ending: &&str| lower.strip_suffix(ending).filter(|rest| rest.len() > 2);
    let stem = ENDINGS.iter().find_map(left).unwrap_or(lower);
    let mut last = stem.chars().rev();
    match (last.next(), last.next()) {
        (Some('e'), _) => stem.strip_suffix('e').unwrap_or(stem),
        (Some(one), Some(two)) if one == two && stem.len() > 3 => {
            &stem[..stem.len() - one.len_utf8()]
        }
        _ => stem,
    }
}

/// A sentence, as far as features need it.
#[derive(Debug)]
pub(super) struct Sentence {
    words: Vec<Word>,
}

impl Sentence {
    pub(super) fn new<S: AsRef<str>>(words: &[S]) -> Self {
        Self { words: words.iter().map(|word| Word::new(word.as_ref())).collect() }
    }

    fn word(&self, at: usize, offset: isize) -> Word {
        at.checked_add_signed(offset).and_then(|at| self.words.get(at)).copied().unwrap_or(NOTHING)
    }

    /// The features of a place that the tags before it do not change.
    pub(super) fn of_words(&self, at: usize) -> [u32; OF_WORDS] {
        let [ww, w, here, n, nn] = [-2, -1, 0, 1, 2].map(|offset| self.word(at, offset));
        let first = u64::from(at == 0);
        [
            feature(1, here.lower, 0, 0),
            feature(2, here.suffixes[0], 0, 0),
            feature(3, here.suffixes[1], 0, 0),
            feature(4, here.suffixes[2], 0, 0),
            feature(5, here.suffixes[3], 0, 0),
            feature(6, here.prefixes[0], 0, 0),
            feature(7, here.prefixes[1], 0, 0),
            feature(8, here.prefixes[2], 0, 0),
            feature(9, here.shape, first, 0),
            feature(10, here.short_shape, here.suffixes[1], 0),
            feature(11, here.lower, here.short_shape, first),
            feature(12, w.lower, 0, 0),
            feature(13, ww.lower, 0, 0),
            feature(14, n.lower, 0, 0),
            feature(15, nn.lower, 0, 0),
            feature(16, w.suffixes[2], 0, 0),
            feature(17, n.suffixes[2], 0, 0),
            feature(18, n.suffixes[1], here.suffixes[1], 0),
            feature(19, w.short_shape, here.short_shape, n.short_shape),
            feature(20, w.lower, here.lower, 0),
            feature(21, here.lower, n.lower, 0),
            feature(22, w.lower, n.lower, 0),
            feature(23, n.lower, nn.lower, 0),
            feature(24, here.suffixes[2], n.lower, 0),
            feature(25, here.short_shape, first, n.short_shape),
            feature(26, here.stem, 0, 0),
            feature(27, here.suffixes[0], n.lower, nn.lower),
        ]
    }

    /// The features of a place with the tags of the word before it and of the one before that.
    pub(super) fn of_tags(&self, at: usize, before: u8, earlier: u8) -> [u32; OF_TAGS] {
        let (here, next) = (self.word(at, 0), self.word(at, 1));
        let (before, earlier) = (u64::from(before), u64::from(earlier));
        [
            feature(40, before, 0, 0),
            feature(41, earlier, 0, 0),
            feature(42, before, earlier, 0),
            feature(43, before, here.lower, 0),
            feature(44, before, next.lower, 0),
            feature(45, before, here.suffixes[2], 0),
            feature(46, before, here.suffixes[1], next.suffixes[1]),
            feature(47, before, here.suffixes[0], next.lower),
            feature(48, before, here.stem, 0),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_stays_what_the_weights_were_trained_with() {
        let sentence = Sentence::new(&["Dogs", "Run"]);
        assert_eq!(sentence.of_words(1)[0], Sentence::new(&["run"]).of_words(0)[0]);
        assert_ne!(sentence.of_words(1)[9], Sentence::new(&["run"]).of_words(0)[9]);
        assert_eq!(
            ["walks", "walking", "hopped", "hope", "ass", "is"].map(stem),
            ["walk", "walk", "hop", "hop", "ass", "is"]
        );
        assert_eq!(sentence.of_words(0)[0], Sentence::new(&["dogs"]).of_words(0)[0]);
    }
}
