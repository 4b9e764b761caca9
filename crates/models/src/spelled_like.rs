//! Known words that are written much like an unknown one.

/// How many words are named that are written like another.
const SUGGESTED: usize = 3;
/// The least likeness of spelling, from 0 to 1.
const ALIKE: f64 = 0.75;

/// The known words that are written much like `word`, the likest first.
pub(crate) fn spelled_like<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Vec<String> {
    let word = word.to_lowercase();
    let like = |known: &str| strsim::normalized_damerau_levenshtein(&word, known);
    let mut near: Vec<(f64, &str)> =
        known.map(|known| (like(known), known)).filter(|(like, _)| *like >= ALIKE).collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    near.truncate(SUGGESTED);
    near.into_iter().map(|(_, known)| known.to_owned()).collect()
}
