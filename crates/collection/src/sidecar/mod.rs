//! Writing keywords and a description into the XMP sidecar beside a photo, and taking them back.
//!
//! The photo itself is never touched. A sidecar that is there is not written anew: a few pieces of
//! text are put into it, and every other byte stays as it was, with white space, comments, unknown
//! properties and the encoding. What is no well-formed XMP is refused and left alone.
//!
//! - [`beside`] names the sidecar of a photo: the one that is there (`photo.jpg.xmp`, else
//!   `photo.xmp`), or `photo.jpg.xmp`, as darktable and digiKam have it.
//! - [`merge`] adds to `dc:subject`, `digiKam:TagsList` and `lr:hierarchicalSubject` the keywords
//!   that are not there yet, and fills `dc:description` where there is none.
//! - [`Journal`] writes sidecars whole or not at all, after noting down what it is about to do, so
//!   that [`Journal::undo`] can take it back.
//!
//! ```
//! use rebus_collection::sidecar::{Additions, merge};
//!
//! let additions = Additions { keywords: vec!["dog".into()], ..Additions::default() };
//! let merged = merge(None, &additions)?;
//! let text = String::from_utf8(merged.bytes)?;
//! assert!(text.contains("<rdf:li>dog</rdf:li>"));
//! let again = merge(Some(text.as_bytes()), &additions)?;
//! assert!(again.added.is_empty() && again.bytes == text.as_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod encoding;
mod form;
mod journal;
mod merge;
mod own_words;
mod take_out;
mod tree;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use journal::{How, Journal, Undone, Which, Written};
pub use merge::{Merged, merge};
pub use own_words::OwnWords;

/// What is to be added to a sidecar.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Additions {
    /// Keywords. One that is there already, in whatever case, is not added again.
    pub keywords: Vec<String>,
    /// Keywords that the photo carries inside. Readers take the keywords of a sidecar for all there
    /// are, so that these go first into a sidecar that has none yet.
    pub inherited: Vec<String>,
    /// A sentence, taken where the sidecar has no description.
    pub description: Option<String>,
}

/// What was added to one property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Added {
    /// The property, with its usual prefix: `dc:subject`.
    pub property: String,
    /// The values, in order.
    pub values: Vec<String>,
    /// Whether the property was not there before.
    pub new: bool,
}

/// Why a document was not changed: what is wrong, and at which byte of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Refused {
    /// The byte.
    pub byte: u64,
    /// What is wrong there.
    pub what: String,
}

/// One piece of text that takes the place of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Edit {
    /// The byte of the text, as UTF-8 and without a byte order mark.
    at: usize,
    old: String,
    new: String,
}

/// The sidecar of a photo: the first that is there of `photo.jpg.xmp` and `photo.xmp`, or else the
/// former, which is not there yet.
pub fn beside(photo: &Path) -> PathBuf {
    let with = |base: &Path, ending: &str| {
        let mut name = base.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let stem = photo.with_extension("");
    [(photo, ".xmp"), (photo, ".XMP"), (&stem, ".xmp"), (&stem, ".XMP")]
        .into_iter()
        .map(|(base, ending)| with(base, ending))
        .find(|path| path.is_file())
        .unwrap_or_else(|| with(photo, ".xmp"))
}

/// Applies edits, which are in order and do not overlap.
fn apply(text: &str, edits: &[Edit]) -> Option<String> {
    let mut changed = String::with_capacity(text.len() + 1024);
    let mut from = 0;
    for edit in edits {
        let old = edit.at..edit.at.checked_add(edit.old.len())?;
        if text.get(old.clone())? != edit.old {
            return None;
        }
        changed.push_str(text.get(from..edit.at)?);
        changed.push_str(&edit.new);
        from = old.end;
    }
    changed.push_str(text.get(from..)?);
    Some(changed)
}

/// The edits that take edits back.
fn inverse(edits: &[Edit]) -> Vec<Edit> {
    let (mut longer, mut shorter) = (0, 0);
    let mut back = Vec::with_capacity(edits.len());
    for Edit { at, old, new } in edits {
        back.push(Edit { at: at + longer - shorter, old: new.clone(), new: old.clone() });
        longer += new.len();
        shorter += old.len();
    }
    back
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sidecar_that_is_there_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let photo = folder.path().join("a.b.jpg");
        let named = |name: &str| folder.path().join(name);
        assert_eq!(beside(&photo), named("a.b.jpg.xmp"));
        std::fs::write(named("a.b.XMP"), "").unwrap();
        assert_eq!(beside(&photo), named("a.b.XMP"));
        std::fs::write(named("a.b.xmp"), "").unwrap();
        assert_eq!(beside(&photo), named("a.b.xmp"));
        std::fs::write(named("a.b.jpg.xmp"), "").unwrap();
        assert_eq!(beside(&photo), named("a.b.jpg.xmp"));
    }

    #[test]
    fn edits_and_their_inverse() {
        let edit = |at, old: &str, new: &str| Edit { at, old: old.to_owned(), new: new.to_owned() };
        let edits = [edit(0, "a", ""), edit(2, "", "xyz"), edit(3, "d", "DD")];
        let changed = apply("abcdef", &edits).unwrap();
        assert_eq!(changed, "bxyzcDDef");
        assert_eq!(apply(&changed, &inverse(&edits)).unwrap(), "abcdef");
        assert_eq!(apply("abc", &[edit(1, "x", "y")]), None);
        assert_eq!(apply("abc", &[edit(9, "", "y")]), None);
    }
}
