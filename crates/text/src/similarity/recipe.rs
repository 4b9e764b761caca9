//! From files to fitted similarities, with a cache: the way that programs take.

use std::path::{Path, PathBuf};

use rebus_collection::format::{self, ReadOptions};
use rebus_collection::{Collection, Progress};

use super::{Corpus, CorpusReader, Params, Semantics, Sources};
use crate::tagger::Tagger;
use crate::wordnet::WordNet;
use crate::{Error, Result, Toolbox};

/// Changes when the same files would give other similarities than before.
const VERSION: &str = "rebus semantics 1";

/// What similarities are made from besides the captions, by where it lies.
#[derive(Debug, Clone, Default)]
pub struct Recipe {
    /// Files of background text: a collection, whose captions count, or plain text. Without any
    /// the glosses of WordNet serve, where it is there.
    pub background: Vec<PathBuf>,
    /// WordNet, without which there is no Lin similarity.
    pub wordnet: Option<WordNet>,
    /// The settings.
    pub params: Params,
}

impl Recipe {
    /// Learns the similarities from the captions of the training images. With a `cache` folder,
    /// what was learnt from the same captions and files before is read from there instead; it may
    /// be deleted at any time.
    pub fn fit<I: AsRef<[S]>, S: AsRef<str>>(
        &self,
        images: &[I],
        toolbox: &Toolbox,
        cache: Option<&Path>,
        progress: &dyn Progress,
    ) -> Result<Semantics> {
        let place = match cache {
            Some(cache) => Some(cache.join(self.key(images, toolbox)?)),
            None => None,
        };
        if let Some(known) = place.as_ref().and_then(|place| Semantics::load(place).ok()) {
            return Ok(known);
        }
        let background = self.corpus(toolbox, progress)?;
        let sources = Sources {
            tagger: Tagger::english(),
            background: background.as_ref(),
            wordnet: self.wordnet.as_ref(),
        };
        let found = Semantics::fit(images, toolbox, &sources, &self.params, progress)?;
        if let Some(place) = place {
            // Under another name first, so that nobody reads half of it.
            let begun = place.with_extension(format!("{}.part", std::process::id()));
            found.save(&begun)?;
            if std::fs::rename(&begun, &place).is_err() {
                // Somebody else was quicker, or a damaged one stands there.
                found.save(&place)?;
                std::fs::remove_dir_all(&begun).map_err(|source| Error::io(&begun, source))?;
            }
        }
        Ok(found)
    }

    /// The background corpus, if there is any.
    pub fn corpus(&self, toolbox: &Toolbox, progress: &dyn Progress) -> Result<Option<Corpus>> {
        let corpus = Corpus::default();
        let mut reader = CorpusReader::new(toolbox.lemmatiser(), toolbox.compounds(), corpus);
        for path in &self.background {
            match format::guess(path) {
                Ok(format) => {
                    let mut collection = Collection::new();
                    format.read(path, &ReadOptions::default(), &mut collection)?;
                    let texts: Vec<&str> =
                        collection.captions().iter().map(|caption| caption.text.as_str()).collect();
                    reader.add(&texts);
                }
                Err(rebus_collection::Error::UnknownFormat { .. }) => {
                    reader.add_file(path, progress)?;
                }
                Err(other) => return Err(other.into()),
            }
        }
        if let (true, Some(wordnet)) = (self.background.is_empty(), &self.wordnet) {
            let mut glosses = Vec::new();
            wordnet.glosses(&mut |gloss| glosses.push(gloss.to_owned()))?;
            reader.add(&glosses);
        }
        let corpus = reader.finish();
        Ok((!corpus.is_empty()).then_some(corpus))
    }

    /// What tells one set of similarities from another.
    fn key<I: AsRef<[S]>, S: AsRef<str>>(&self, images: &[I], toolbox: &Toolbox) -> Result<String> {
        let mut hasher = blake3::Hasher::new();
        let mut add = |part: &str| {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        };
        add(VERSION);
        add(&format!("{:?}", self.params));
        add(&toolbox.lemma_source());
        add(&self.wordnet.as_ref().map_or_else(String::new, |w| w.folder().display().to_string()));
        for captions in images {
            let captions = captions.as_ref();
            add(&captions.len().to_string());
            captions.iter().for_each(|caption| add(caption.as_ref()));
        }
        hasher.update(Tagger::english_bytes());
        for path in &self.background {
            let io = |source| Error::io(path, source);
            let file = std::fs::File::open(path).map_err(io)?;
            // A folder is known by its name only.
            if file.metadata().map_err(io)?.is_dir() {
                hasher.update(path.to_string_lossy().as_bytes());
            } else {
                hasher.update_reader(file).map_err(io)?;
            }
        }
        Ok(hasher.finalize().to_hex()[..32].to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebus_collection::Silent;

    #[test]
    fn what_was_learnt_is_found_again_until_something_changes() {
        let folder = tempfile::tempdir().unwrap();
        let background = folder.path().join("text.txt");
        std::fs::write(&background, "A dog sees a cat. It runs.\n".repeat(9)).unwrap();
        let cache = folder.path().join("cache");
        let images = vec![["A dog sees a cat.", "The dog."]; 9];
        let toolbox = Toolbox::default();
        let mut recipe = Recipe { background: vec![background.clone()], ..Recipe::default() };
        let fit = |recipe: &Recipe| recipe.fit(&images, &toolbox, Some(&cache), &Silent).unwrap();
        let count = || std::fs::read_dir(&cache).unwrap().count();
        let first = fit(&recipe);
        assert!(first.background.as_ref().is_some_and(|b| b.between("dog", "cat") > 0.0));
        assert_eq!((&fit(&recipe), count()), (&first, 1));
        recipe.params.least = 2;
        fit(&recipe);
        std::fs::write(&background, "A dog.\n".repeat(9)).unwrap();
        fit(&recipe);
        assert_eq!(count(), 3);
        // A damaged one is made anew.
        for entry in std::fs::read_dir(&cache).unwrap() {
            std::fs::write(entry.unwrap().path().join("captions.tsv"), "x").unwrap();
        }
        fit(&recipe);
        assert_eq!(count(), 3);
        recipe.background.clear();
        assert!(fit(&recipe).background.is_none());
        recipe.background.push(folder.path().join("none"));
        assert!(recipe.fit(&images, &toolbox, None, &Silent).is_err());
    }
}
