//! What people made of suggested keywords: accepted, rejected, corrected.
//!
//! Verdicts are about the content of a photo, so that a photo that was moved keeps them. They are
//! lines of `annotations/reviews.jsonl` in the folder of an index, which only grows; what was said
//! last about a photo and a keyword counts.

use std::path::{Path, PathBuf};

use rebus_collection::ContentHash;
use rebus_collection::writers::{Contention, Log};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::suggest::word_key;
use crate::Result;
use crate::folders::ANNOTATIONS;

/// What somebody made of a keyword.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It fits; also for a keyword that nobody suggested.
    Accepted,
    /// It does not fit.
    Rejected,
    /// It does not fit, but this one does.
    Corrected(String),
}

/// One verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The photo, by its content.
    pub photo: ContentHash,
    /// The keyword.
    pub keyword: String,
    /// What was made of it.
    pub verdict: Verdict,
}

/// What was said about one photo.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Judged {
    /// Keywords that fit.
    pub fitting: Vec<String>,
    /// Keywords that do not.
    pub unfitting: Vec<String>,
}

/// The reviews that are kept with an index.
#[derive(Debug, Clone)]
pub struct Reviews {
    path: PathBuf,
}

impl Reviews {
    /// Those of the index in this folder; nothing is written before somebody reviews.
    pub fn of_index(folder: &Path) -> Self {
        Self { path: folder.join(ANNOTATIONS).join("reviews.jsonl") }
    }

    /// A keyword fits a photo.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn accept(&self, photo: ContentHash, keyword: &str) -> Result<()> {
        self.add(photo, keyword, Verdict::Accepted)
    }

    /// A keyword does not fit a photo.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn reject(&self, photo: ContentHash, keyword: &str) -> Result<()> {
        self.add(photo, keyword, Verdict::Rejected)
    }

    /// A keyword does not fit a photo, but another does.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn correct(&self, photo: ContentHash, keyword: &str, right: &str) -> Result<()> {
        self.add(photo, keyword, Verdict::Corrected(tidy(right)))
    }

    fn add(&self, photo: ContentHash, keyword: &str, verdict: Verdict) -> Result<()> {
        let (mut log, _) = Log::<Review>::open(&self.path, Contention::Wait)?;
        Ok(log.append(&Review { photo, keyword: tidy(keyword), verdict })?)
    }

    /// Every verdict that still counts, in the order in which they were given.
    ///
    /// # Errors
    /// If the file cannot be read, or a line cannot be understood.
    pub fn list(&self) -> Result<Vec<Review>> {
        let all = Log::<Review>::read(&self.path)?;
        let mut last: FxHashMap<(ContentHash, String), usize> = FxHashMap::default();
        for (at, review) in all.iter().enumerate() {
            last.insert((review.photo, word_key(&review.keyword)), at);
        }
        let counts = |(at, review): &(usize, Review)| {
            last.get(&(review.photo, word_key(&review.keyword))) == Some(at)
        };
        Ok(all.into_iter().enumerate().filter(counts).map(|(_, review)| review).collect())
    }

    /// Every photo that was reviewed, with what fits and what does not.
    ///
    /// # Errors
    /// As [`Self::list`].
    pub fn by_photo(&self) -> Result<FxHashMap<ContentHash, Judged>> {
        let mut photos: FxHashMap<ContentHash, Judged> = FxHashMap::default();
        for Review { photo, keyword, verdict } in self.list()? {
            let judged = photos.entry(photo).or_default();
            match verdict {
                Verdict::Accepted => judged.fits(keyword),
                Verdict::Rejected => judged.fits_not(keyword),
                Verdict::Corrected(right) => {
                    judged.fits_not(keyword);
                    judged.fits(right);
                }
            }
        }
        Ok(photos)
    }
}

impl Judged {
    fn fits(&mut self, keyword: String) {
        let key = word_key(&keyword);
        self.unfitting.retain(|other| word_key(other) != key);
        if !self.fitting.iter().any(|other| word_key(other) == key) {
            self.fitting.push(keyword);
        }
    }

    fn fits_not(&mut self, keyword: String) {
        let key = word_key(&keyword);
        self.fitting.retain(|other| word_key(other) != key);
        if !self.unfitting.iter().any(|other| word_key(other) == key) {
            self.unfitting.push(keyword);
        }
    }
}

/// A keyword with single blanks.
fn tidy(keyword: &str) -> String {
    keyword.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_last_counts() {
        let folder = tempfile::tempdir().unwrap();
        let reviews = Reviews::of_index(folder.path());
        assert!(reviews.list().unwrap().is_empty());
        let [a, b] = [b"a", b"b"].map(|bytes| ContentHash::of(bytes));
        reviews.accept(a, "dog").unwrap();
        reviews.reject(a, "sea").unwrap();
        reviews.reject(b, " cat ").unwrap();
        reviews.correct(a, "Dogs", "wolf").unwrap();
        reviews.accept(b, "cat").unwrap();
        let list = reviews.list().unwrap();
        assert_eq!(list.len(), 3);
        assert_eq!(list[1].verdict, Verdict::Corrected("wolf".into()));
        let photos = reviews.by_photo().unwrap();
        assert_eq!(photos[&a].fitting, ["wolf"]);
        assert_eq!(photos[&a].unfitting, ["sea", "Dogs"]);
        assert_eq!(photos[&b].fitting, ["cat"]);
        let text =
            std::fs::read_to_string(folder.path().join("annotations/reviews.jsonl")).unwrap();
        assert_eq!(text.lines().count(), 5);
        assert!(text.contains("\"verdict\":{\"corrected\":\"wolf\"}"), "{text}");
    }
}
