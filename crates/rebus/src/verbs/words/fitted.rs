//! The flags that say which captions word similarities are learnt from.

use std::path::{Path, PathBuf};

use clap::Args;
use rebus_collection::{Collection, Item, Split};
use rebus_text::Toolbox;
use rebus_text::lemma::Lemmatiser;
use rebus_text::similarity::{InformationContent, Recipe, Semantics, WordSimilarity};
use rebus_text::wordnet::WordNet;

use crate::home;
use crate::output::{Usage, counted, say};
use crate::progress::Talk;

/// The similarities by name, in the order in which they are shown. `lin` is that of two senses
/// (equation 22), `lin-kernel` the word kernel made of it (equations 18 and 23).
pub(super) const NAMES: [&str; 6] =
    ["alignment", "captions", "background", "lin", "lin-kernel", "combined"];

/// Where similarities come from: flatten it into a verb's arguments.
#[derive(Debug, Clone, Args)]
pub(super) struct FittedArgs {
    /// The collection whose captions say which words are alike: of its train part, if it has parts
    #[arg(long, value_name = "PATH", required_unless_present = "load")]
    data: Option<PathBuf>,
    /// More text to learn from: plain text, a sentence or paragraph a line, or another collection
    /// (repeatable); without it the glosses of WordNet
    #[arg(long, value_name = "FILE", conflicts_with = "load")]
    background: Vec<PathBuf>,
    /// The folder of WordNet's files, if it is not in its usual place; `none` to do without
    #[arg(long, value_name = "FOLDER")]
    wordnet: Option<PathBuf>,
    /// Save the similarities in this folder, a table each
    #[arg(long, value_name = "FOLDER", conflicts_with = "load")]
    save: Option<PathBuf>,
    /// Take similarities that were saved, and learn nothing
    #[arg(long, value_name = "FOLDER", conflicts_with = "data")]
    load: Option<PathBuf>,
    /// Learn anew, even if the same was learnt before
    #[arg(long)]
    no_cache: bool,
}

/// The similarities, and what words are called in them.
pub(super) struct Fitted {
    semantics: Semantics,
    combined: WordSimilarity,
    toolbox: Toolbox,
    wordnet: Option<WordNet>,
}

impl Fitted {
    /// The names of the similarities that are there.
    pub(super) fn names(&self) -> Vec<&'static str> {
        let there = |name: &&str| match *name {
            "lin" => self.wordnet.is_some(),
            name => self.table(name).is_some(),
        };
        NAMES.into_iter().filter(there).collect()
    }

    fn table(&self, name: &str) -> Option<&WordSimilarity> {
        match name {
            "alignment" => Some(&self.semantics.alignment),
            "captions" => Some(&self.semantics.captions),
            "background" => self.semantics.background.as_ref(),
            "lin-kernel" => self.semantics.lin.as_ref(),
            "combined" => Some(&self.combined),
            _ => None,
        }
    }

    fn content(&self) -> Option<InformationContent<'_>> {
        let nouns = &self.wordnet.as_ref()?.nouns;
        Some(InformationContent::new(nouns, self.semantics.vocabulary.counts()))
    }

    /// The words most similar to a word by a similarity.
    pub(super) fn most_similar(&self, name: &str, word: &str, n: usize) -> Vec<(&str, f64)> {
        if name == "lin" {
            let words = self.semantics.vocabulary.counts().map(|(word, _)| word);
            return self.content().map_or_else(Vec::new, |by| by.most_similar(word, words, n));
        }
        let found = self.table(name).map(|table| table.most_similar(word, n)).unwrap_or_default();
        found.into_iter().map(|(word, how)| (word, f64::from(how))).collect()
    }

    /// How similar the pairs of words are, `None` where one of them is not known.
    pub(super) fn between(&self, name: &str, pairs: &[(String, String)]) -> Vec<Option<f64>> {
        let content = self.content().filter(|_| name == "lin");
        let how = |(one, other): &(String, String)| {
            if let (Some(by), Some(wordnet)) = (&content, &self.wordnet) {
                let sense = |word: &str| wordnet.nouns.first_sense(word);
                return by.between(sense(one)?, sense(other)?);
            }
            let table = self.table(name)?;
            table.id(one).and(table.id(other))?;
            Some(f64::from(table.between(one, other)))
        };
        pairs.iter().map(how).collect()
    }

    /// How many words and pairs the combined similarity has.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.combined.words().len(), self.combined.pairs())
    }

    /// The form under which the similarities know a word.
    pub(super) fn lemma(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        if self.semantics.vocabulary.id(&lower).is_some() {
            return lower;
        }
        self.toolbox.lemmatiser().lemma_of(&lower)
    }
}

impl FittedArgs {
    pub(super) fn fit(&self) -> anyhow::Result<Fitted> {
        let without = self.wordnet.as_deref() == Some(Path::new("none"));
        let (lemmatiser, wordnet) = match &self.wordnet {
            _ if without => (Lemmatiser::builtin(), None),
            Some(folder) => (Lemmatiser::wordnet(folder)?, Some(WordNet::read(folder)?)),
            None => (Lemmatiser::installed()?, WordNet::installed()?),
        };
        let toolbox = Toolbox::new(lemmatiser);
        let (semantics, toolbox) = match (&self.load, &self.data) {
            (Some(folder), _) => (Semantics::load(folder)?, toolbox),
            (None, Some(data)) => {
                let images = captions(data)?;
                let all: Vec<&String> = images.iter().flatten().collect();
                let toolbox = toolbox.with_corpus(&all);
                let (background, wordnet) = (self.background.clone(), wordnet.clone());
                let recipe = Recipe { background, wordnet, ..Recipe::default() };
                let cache = home::cache()?.join("semantics");
                let cache = (!self.no_cache).then_some(cache.as_path());
                let semantics = recipe.fit(&images, &toolbox, cache, &Talk::new())?;
                say(format_args!(
                    "learnt from {} of {} in {}",
                    counted(all.len() as u64, "caption"),
                    counted(images.len() as u64, "image"),
                    data.display()
                ));
                (semantics, toolbox)
            }
            (None, None) => return Err(Usage("give --data PATH or --load FOLDER".into()).into()),
        };
        if let Some(folder) = &self.save {
            semantics.save(folder)?;
            say(format_args!("saved in {}", folder.display()));
        }
        Ok(Fitted { combined: semantics.combined(), semantics, toolbox, wordnet })
    }
}

/// The captions of each image: of the train part where there are parts, of all images otherwise.
fn captions(path: &Path) -> anyhow::Result<Vec<Vec<String>>> {
    let collection = Collection::read(path)?;
    let of = |item: &Item| -> Vec<String> {
        collection.captions_of(&item.id).map(|caption| caption.text.clone()).collect()
    };
    let mut images: Vec<Vec<String>> = collection.items_in(&Split::Train).map(of).collect();
    if images.is_empty() {
        images = collection.items().iter().map(of).collect();
    }
    images.retain(|captions| !captions.is_empty());
    if images.is_empty() {
        anyhow::bail!("{} has no captions to learn from", path.display());
    }
    Ok(images)
}
