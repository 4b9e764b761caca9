//! One spelling for words that people write in several ways: `t shirt`, `tee-shirt`, `tshirt`,
//! `T-Shirt` are all `t-shirt`.
//!
//! A table holds the compounds that captions are full of. More can be learnt from a corpus: where it
//! writes the same two words together, hyphenated and apart, the commonest way becomes the way.

use rustc_hash::FxHashMap;

use crate::stage::Stage;
use crate::stop_words;

/// The spelling that is kept, and others for it; a blank separates tokens. Plurals follow.
const TABLE: &[(&str, &[&str])] = &[
    (
        "t-shirt",
        &["t shirt", "tshirt", "tee shirt", "tee-shirt", "teeshirt", "t- shirt", "t -shirt"],
    ),
    ("baseball", &["base ball", "base-ball"]),
    ("basketball", &["basket ball", "basket-ball"]),
    ("backpack", &["back pack", "back-pack"]),
    ("backyard", &["back yard", "back-yard"]),
    ("birdhouse", &["bird house", "bird-house"]),
    ("bulldog", &["bull dog", "bull-dog"]),
    ("campfire", &["camp fire", "camp-fire"]),
    ("cardboard", &["card board", "card-board"]),
    ("cheerleader", &["cheer leader", "cheer-leader"]),
    ("crosswalk", &["cross walk", "cross-walk"]),
    ("driveway", &["drive way", "drive-way"]),
    ("firefighter", &["fire fighter", "fire-fighter"]),
    ("firetruck", &["fire truck", "fire-truck"]),
    ("football", &["foot ball", "foot-ball"]),
    ("greyhound", &["grey hound", "grey-hound"]),
    ("headphone", &["head phone", "head-phone"]),
    ("headscarf", &["head scarf", "head-scarf"]),
    ("hillside", &["hill side", "hill-side"]),
    ("lifejacket", &["life jacket", "life-jacket"]),
    ("motorbike", &["motor bike", "motor-bike"]),
    ("motorboat", &["motor boat", "motor-boat"]),
    ("motorcycle", &["motor cycle", "motor-cycle"]),
    ("newspaper", &["news paper", "news-paper"]),
    ("playground", &["play ground", "play-ground"]),
    ("ponytail", &["pony tail", "pony-tail"]),
    ("rollerblade", &["roller blade", "roller-blade"]),
    ("rowboat", &["row boat", "row-boat"]),
    ("sailboat", &["sail boat", "sail-boat"]),
    ("sandbox", &["sand box", "sand-box"]),
    ("seashell", &["sea shell", "sea-shell"]),
    ("sidewalk", &["side walk", "side-walk"]),
    ("skateboard", &["skate board", "skate-board"]),
    ("skateboarder", &["skate boarder", "skate-boarder"]),
    ("snowboard", &["snow board", "snow-board"]),
    ("snowboarder", &["snow boarder", "snow-boarder"]),
    ("snowmobile", &["snow mobile", "snow-mobile"]),
    ("snowsuit", &["snow suit", "snow-suit"]),
    ("streetlight", &["street light", "street-light"]),
    ("sunglasses", &["sun glasses", "sun-glasses"]),
    ("surfboard", &["surf board", "surf-board"]),
    ("sweatshirt", &["sweat shirt", "sweat-shirt"]),
    ("swimsuit", &["swim suit", "swim-suit"]),
    ("treehouse", &["tree house", "tree-house"]),
    ("tugboat", &["tug boat", "tug-boat"]),
    ("volleyball", &["volley ball", "volley-ball"]),
    ("wakeboard", &["wake board", "wake-board"]),
    ("waterfall", &["water fall", "water-fall"]),
    ("wheelchair", &["wheel chair", "wheel-chair"]),
    ("windsurfer", &["wind surfer", "wind-surfer"]),
];

/// Writes compounds in one way. Tokens should be in lower case.
///
/// ```
/// use rebus_text::compounds::Compounds;
/// use rebus_text::stage::Stage;
///
/// let tokens = ["a", "t", "shirt", "and", "tee-shirts"].map(str::to_owned).to_vec();
/// assert_eq!(Compounds::table().apply(tokens), ["a", "t-shirt", "and", "t-shirts"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct Compounds {
    /// Single tokens and what they become, as tokens.
    single: FxHashMap<String, Vec<String>>,
    /// Two tokens, with a blank between, and what they become.
    pairs: FxHashMap<String, Vec<String>>,
}

impl Compounds {
    /// The compounds of the table.
    pub fn table() -> Self {
        let mut compounds = Self::default();
        for (kept, others) in TABLE {
            for other in *others {
                compounds.add(other, kept);
                if !kept.ends_with('s') {
                    compounds.add(&plural(other), &plural(kept));
                }
            }
        }
        compounds
    }

    fn add(&mut self, from: &str, to: &str) {
        let to = to.split(' ').map(str::to_owned).collect();
        let map = if from.contains(' ') { &mut self.pairs } else { &mut self.single };
        map.entry(from.to_owned()).or_insert(to);
    }

    /// The compounds of the table, and those that `texts` (tokens in lower case) show: two words of
    /// at least three letters each, neither a stop word, that occur joined or hyphenated at least
    /// `least` times, and in another way too. The commonest way is kept; of equals the joined one,
    /// then the hyphenated.
    pub fn learn<T: AsRef<[S]>, S: AsRef<str>>(texts: &[T], least: u64) -> Self {
        let mut words: FxHashMap<&str, u64> = FxHashMap::default();
        let mut pairs: FxHashMap<(&str, &str), u64> = FxHashMap::default();
        for text in texts {
            let text = text.as_ref();
            for (at, token) in text.iter().enumerate() {
                *words.entry(token.as_ref()).or_default() += 1;
                if let Some(next) = text.get(at + 1) {
                    *pairs.entry((token.as_ref(), next.as_ref())).or_default() += 1;
                }
            }
        }
        let mut compounds = Self::table();
        let hyphenated = words.keys().filter_map(|word| word.split_once('-'));
        let mut candidates: Vec<(&str, &str)> = pairs.keys().copied().chain(hyphenated).collect();
        candidates.sort_unstable();
        candidates.dedup();
        for (first, second) in candidates {
            if !(compoundable(first) && compoundable(second)) {
                continue;
            }
            let ways = [
                format!("{first}{second}"),
                format!("{first}-{second}"),
                format!("{first} {second}"),
            ];
            let count = |way: &str| words.get(way).copied().unwrap_or(0);
            let apart = pairs.get(&(first, second)).copied().unwrap_or(0);
            let counts = [count(&ways[0]), count(&ways[1]), apart];
            if counts[0].max(counts[1]) < least || counts.iter().filter(|&&c| c > 0).count() < 2 {
                continue;
            }
            let most = counts.iter().copied().max().unwrap_or(0);
            let kept = counts.iter().position(|&c| c == most).unwrap_or(0);
            for (at, way) in ways.iter().enumerate() {
                if at != kept {
                    compounds.add(way, &ways[kept]);
                }
            }
        }
        compounds
    }

    /// How many spellings are known that become others.
    pub fn len(&self) -> usize {
        self.single.len() + self.pairs.len()
    }

    /// True if none are known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn plural(word: &str) -> String {
    match word.ends_with('f') {
        true => format!("{}ves", word.trim_end_matches('f')),
        false if word.ends_with('x') => format!("{word}es"),
        false => format!("{word}s"),
    }
}

fn compoundable(word: &str) -> bool {
    word.chars().count() >= 3
        && word.chars().all(char::is_alphabetic)
        && !stop_words::contains(word)
}

impl Stage for Compounds {
    fn name(&self) -> &'static str {
        "compounds"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut pair = String::new();
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            if let Some(next) = tokens.get(at + 1) {
                pair.clear();
                pair.extend([token, " ", next]);
                if let Some(to) = self.pairs.get(&pair) {
                    out.extend(to.iter().cloned());
                    at += 2;
                    continue;
                }
            }
            match self.single.get(token) {
                Some(to) => out.extend(to.iter().cloned()),
                None => out.push(token.clone()),
            }
            at += 1;
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(compounds: &Compounds, text: &str) -> String {
        compounds.apply(text.split(' ').map(str::to_owned).collect()).join(" ")
    }

    #[test]
    fn shirts_of_every_kind() {
        let table = Compounds::table();
        let text = "t shirt , tee-shirt , t-shirt , tshirts , tee shirts , teeshirt";
        assert_eq!(
            run(&table, text),
            "t-shirt , t-shirt , t-shirt , t-shirts , t-shirts , t-shirt"
        );
        assert_eq!(
            run(&table, "sand boxes head scarves sun glasses"),
            "sandboxes headscarves sunglasses"
        );
        assert_eq!(run(&table, "a shirt t"), "a shirt t");
    }

    #[test]
    fn nothing_that_is_kept_is_changed_again() {
        let table = Compounds::table();
        for (kept, _) in TABLE {
            assert_eq!(run(&table, kept), *kept);
        }
    }

    #[test]
    fn a_corpus_teaches_its_commonest_way() {
        let split = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut texts = vec![split("a dirtbike jump"); 5];
        texts.extend(vec![split("a dirt-bike jump"); 2]);
        texts.extend(vec![split("a dirt bike jump on the way"); 3]);
        texts.extend(vec![split("run away a way"); 5]);
        let learnt = Compounds::learn(&texts, 3);
        assert_eq!(run(&learnt, "dirt bike dirt-bike dirtbike"), "dirtbike dirtbike dirtbike");
        assert_eq!(run(&learnt, "a way"), "a way");
    }
}
