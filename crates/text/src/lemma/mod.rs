//! Lemmas: the form under which a dictionary has a word.
//!
//! Where WordNet 3.0 is installed its rules and exceptions are followed ([`Lemmatiser::wordnet`]):
//! a form in the exception list gives what stands there, a form that is itself an entry stays, and
//! otherwise an ending is exchanged so that an entry results. Elsewhere a small table and rules of
//! our own serve ([`Lemmatiser::builtin`]); they know the common words of captions and are not meant
//! to equal WordNet.

mod builtin;
mod wordnet;

use std::path::{Path, PathBuf};

use crate::Result;
use crate::stage::Stage;
use wordnet::WordNet;

/// What kind of word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PartOfSpeech {
    /// *dog*, *men*.
    Noun,
    /// *runs*, *sat*.
    Verb,
    /// *bigger*.
    Adjective,
    /// *best*.
    Adverb,
}

impl PartOfSpeech {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Noun, Self::Verb, Self::Adjective, Self::Adverb];
}

/// Finds lemmas.
///
/// ```
/// use rebus_text::lemma::{Lemmatiser, PartOfSpeech};
///
/// let lemmatiser = Lemmatiser::builtin();
/// assert_eq!(lemmatiser.lemma("wolves", PartOfSpeech::Noun).as_deref(), Some("wolf"));
/// assert_eq!(lemmatiser.lemma("riding", PartOfSpeech::Verb).as_deref(), Some("ride"));
/// assert_eq!(lemmatiser.lemma_of("sat"), "sit");
/// ```
#[derive(Debug, Clone)]
pub struct Lemmatiser {
    source: Source,
}

#[derive(Debug, Clone)]
enum Source {
    Builtin,
    WordNet(Box<WordNet>),
}

impl Lemmatiser {
    /// The built-in table and rules.
    pub fn builtin() -> Self {
        Self { source: Source::Builtin }
    }

    /// WordNet's files from a folder with `index.noun`, `noun.exc` and so on.
    pub fn wordnet(folder: &Path) -> Result<Self> {
        Ok(Self { source: Source::WordNet(Box::new(WordNet::read(folder)?)) })
    }

    /// WordNet where it is installed, the built-in table otherwise. An installed WordNet that is
    /// damaged is an error.
    pub fn installed() -> Result<Self> {
        installed_folder().map_or_else(|| Ok(Self::builtin()), |folder| Self::wordnet(&folder))
    }

    /// Where the lemmas come from, in words.
    pub fn source(&self) -> String {
        match &self.source {
            Source::Builtin => "the built-in table".to_owned(),
            Source::WordNet(wordnet) => format!("WordNet in {}", wordnet.folder().display()),
        }
    }

    /// The lemma of a lower-case word of a known kind; `None` where the word is not known as such.
    /// The built-in table knows few words and then trusts its rules: it always answers.
    pub fn lemma(&self, word: &str, kind: PartOfSpeech) -> Option<String> {
        match &self.source {
            Source::Builtin => Some(builtin::lemma(word, kind)),
            Source::WordNet(wordnet) => wordnet.lemma(word, kind),
        }
    }

    /// The lemma of a lower-case word of an unknown kind: of the kind that is likeliest for this
    /// form. A word that is not known stays.
    pub fn lemma_of(&self, word: &str) -> String {
        match &self.source {
            Source::Builtin => builtin::lemma_of(word),
            Source::WordNet(_) if builtin::is_kept(word) => word.to_owned(),
            Source::WordNet(wordnet) => match (wordnet.lemma_of(word), word.rsplit_once('-')) {
                (Some(lemma), _) => lemma,
                // Of a hyphenated word the last part is inflected: skate-boards.
                (None, Some((head, tail))) if !tail.is_empty() => {
                    format!("{head}-{}", self.lemma_of(tail))
                }
                (None, _) => word.to_owned(),
            },
        }
    }
}

/// The folder of an installed WordNet: what `WNSEARCHDIR` or `WNHOME` says, or a usual place.
pub fn installed_folder() -> Option<PathBuf> {
    let search = std::env::var_os("WNSEARCHDIR").map(PathBuf::from);
    let home = std::env::var_os("WNHOME").map(|home| PathBuf::from(home).join("dict"));
    let usual = ["/usr/share/wordnet", "/usr/local/share/wordnet", "/usr/local/WordNet-3.0/dict"];
    search
        .into_iter()
        .chain(home)
        .chain(usual.map(PathBuf::from))
        .find(|folder| folder.join("index.noun").is_file())
}

impl Stage for Lemmatiser {
    fn name(&self) -> &'static str {
        "lemma"
    }

    fn apply(&self, tokens: Vec<String>) -> Vec<String> {
        tokens.iter().map(|token| self.lemma_of(token)).collect()
    }
}
