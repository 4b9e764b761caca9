//! Candidates and references brought together by image.

use rebus_collection::{Error, ItemId, Place, Result, counted};
use rebus_text::ptb::Ptb;
use rustc_hash::{FxHashMap, FxHashSet};

use super::caption_set::CaptionSet;
use super::read::{CaptionFile, Names};

/// How sentences become words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tokeniser {
    /// Penn-Treebank tokens in lower case without punctuation, as the COCO caption evaluation has
    /// them.
    #[default]
    Ptb,
    /// The sentences are tokenised already; words are separated by white space.
    Whitespace,
}

impl Tokeniser {
    /// What the protocol calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ptb => "Penn Treebank, lower case, without punctuation",
            Self::Whitespace => "none: words are separated by white space",
        }
    }

    /// The tokens of each sentence, separated by single spaces.
    pub fn tokenise<S: AsRef<str>>(self, sentences: &[S]) -> Vec<String> {
        match self {
            Self::Ptb => Ptb::captions()
                .batch(sentences)
                .into_iter()
                .map(|tokens| tokens.join(" "))
                .collect(),
            Self::Whitespace => sentences.iter().map(|s| s.as_ref().to_owned()).collect(),
        }
    }
}

/// Candidates with their references, and what had no counterpart.
#[derive(Debug, Clone)]
pub struct Paired {
    /// What can be scored.
    pub set: CaptionSet,
    /// The number of references of each scored image.
    pub references: Vec<usize>,
    /// Images with a candidate, but without references.
    pub without_references: Vec<ItemId>,
    /// Images with references, but without a candidate.
    pub without_candidate: Vec<ItemId>,
    /// Images with more than one candidate, of which the first counts.
    pub several_candidates: Vec<ItemId>,
}

/// Brings candidates and references together, in the order of the candidates.
///
/// Document frequencies come from `corpus`, an image a document, or from the references of the
/// images that are scored.
///
/// # Errors
/// If no image has both, or one side names images by line and the other by id, or both by line
/// and they differ in length.
pub fn pair(
    candidates: &CaptionFile,
    references: &CaptionFile,
    corpus: Option<&CaptionFile>,
    tokeniser: Tokeniser,
) -> Result<Paired> {
    check(candidates, references)?;
    let by_id: FxHashMap<&ItemId, &Vec<String>> =
        references.images.iter().map(|(id, captions)| (id, captions)).collect();
    let mut both: Vec<(&ItemId, &str, &[String])> = Vec::new();
    let mut without_references = Vec::new();
    let mut several_candidates = Vec::new();
    for (id, captions) in &candidates.images {
        if captions.len() > 1 {
            several_candidates.push(id.clone());
        }
        // A map may name an image and give it no caption.
        let candidate = captions.first().map_or("", String::as_str);
        match by_id.get(id).filter(|references| !references.is_empty()) {
            Some(references) => both.push((id, candidate, references)),
            None => without_references.push(id.clone()),
        }
    }
    if both.is_empty() {
        return Err(nothing_shared(candidates, references));
    }
    let asked: FxHashSet<&ItemId> = candidates.images.iter().map(|(id, _)| id).collect();
    let without_candidate =
        references.images.iter().map(|(id, _)| id).filter(|id| !asked.contains(id)).cloned();
    let mut paired = Paired {
        set: CaptionSet::new(),
        references: both.iter().map(|(_, _, references)| references.len()).collect(),
        without_references,
        without_candidate: without_candidate.collect(),
        several_candidates,
    };
    // All of one side at once: a sentence's tokens may depend on the line after it.
    let tokens = tokeniser.tokenise(&both.iter().map(|(_, text, _)| *text).collect::<Vec<_>>());
    let all: Vec<&String> = both.iter().flat_map(|(_, _, references)| *references).collect();
    let mut rest = &tokeniser.tokenise(&all)[..];
    for ((id, _, references), candidate) in both.iter().zip(&tokens) {
        let (mine, others) = rest.split_at(references.len());
        rest = others;
        paired.set.add((*id).clone(), candidate, mine);
    }
    for (_, captions) in corpus.iter().flat_map(|corpus| &corpus.images) {
        paired.set.add_document(&tokeniser.tokenise(captions));
    }
    Ok(paired)
}

fn check(candidates: &CaptionFile, references: &CaptionFile) -> Result<()> {
    let (mine, theirs) = (candidates.images.len(), references.images.len());
    match (candidates.names, references.names) {
        (Names::Lines, Names::Lines) if mine != theirs => Err(Error::malformed(
            Place::file(&candidates.path),
            format!(
                "{} of candidates, but {} of references",
                counted(mine as u64, "line"),
                counted(theirs as u64, "line")
            ),
        )
        .with_hint("line n of each file must be about image n; leave a line empty for no caption")),
        (Names::Lines, Names::Ids) | (Names::Ids, Names::Lines) => Err(Error::malformed(
            Place::file(&candidates.path),
            format!(
                "the images are named by {}, those of {} by {}",
                named(candidates.names),
                references.path.display(),
                named(references.names)
            ),
        )
        .with_hint("give both as JSON with ids, or both as plain text")),
        _ => Ok(()),
    }
}

fn named(names: Names) -> &'static str {
    match names {
        Names::Ids => "id",
        Names::Lines => "line",
    }
}

fn nothing_shared(candidates: &CaptionFile, references: &CaptionFile) -> Error {
    let first = |file: &CaptionFile| {
        let ids: Vec<_> = file.images.iter().take(3).map(|(id, _)| format!("`{id}`")).collect();
        if ids.is_empty() { "none".to_owned() } else { ids.join(", ") }
    };
    let what = format!(
        "no image has both a candidate and references: candidates are of {}, references of {}",
        first(candidates),
        first(references)
    );
    Error::malformed(Place::file(&candidates.path), what)
        .with_hint("image ids must be spelt alike on both sides")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(images: &[(&str, &[&str])]) -> CaptionFile {
        let owned = |captions: &[&str]| captions.iter().map(|&text| text.to_owned()).collect();
        CaptionFile {
            images: images.iter().map(|&(id, captions)| (id.into(), owned(captions))).collect(),
            ..CaptionFile::default()
        }
    }

    #[test]
    fn what_has_no_counterpart_is_listed() {
        let candidates =
            file(&[("1", &["A dog."]), ("2", &["x", "y"]), ("3", &["z"]), ("4", &["w"])]);
        let references =
            file(&[("2", &["a cat"]), ("1", &["a dog", "Dogs!"]), ("9", &["q"]), ("4", &[])]);
        let paired = pair(&candidates, &references, None, Tokeniser::Ptb).unwrap();
        let ids: Vec<_> = paired.set.images().iter().map(|image| image.id.as_str()).collect();
        assert_eq!(ids, ["1", "2"]);
        assert_eq!(paired.references, [2, 1]);
        assert_eq!(paired.without_references, ["3".into(), "4".into()]);
        assert_eq!(paired.without_candidate, ["9".into()]);
        assert_eq!(paired.several_candidates, ["2".into()]);
        // "A dog." and "a dog" are the same tokens.
        let first = &paired.set.images()[0];
        assert_eq!(first.candidate, first.references[0]);
    }

    #[test]
    fn files_that_share_no_image_are_refused() {
        let error =
            pair(&file(&[("a.jpg", &["x"])]), &file(&[("a", &["x"])]), None, Tokeniser::Ptb)
                .unwrap_err();
        assert!(error.to_string().contains("`a.jpg`"), "{error}");
    }

    #[test]
    fn lines_and_ids_do_not_mix() {
        let mut lines = file(&[("1", &["x"])]);
        lines.names = Names::Lines;
        assert!(pair(&lines, &file(&[("1", &["x"])]), None, Tokeniser::Ptb).is_err());
        let mut longer = file(&[("1", &["x"]), ("2", &["y"])]);
        longer.names = Names::Lines;
        assert!(pair(&lines, &longer, None, Tokeniser::Ptb).is_err());
        assert!(pair(&lines, &lines, None, Tokeniser::Ptb).is_ok());
    }
}
