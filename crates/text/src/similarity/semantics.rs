//! All lexical similarities of a training set at once (section 3.5 of the ranking-task paper).

use std::path::Path;

use rebus_collection::{Error as DataError, Progress};

use super::{Corpus, InformationContent, WordSimilarity, alignment, distributional};
use crate::kernel::Lexical;
use crate::tagger::Tagger;
use crate::vocabulary::{Counter, Vocabulary};
use crate::wordnet::WordNet;
use crate::{Error, Result, Toolbox};

/// The paper's settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Params {
    /// A word occurs at least so often in the captions to have a distributional or a Lin
    /// similarity, and in the background corpus too for that.
    pub least: u64,
    /// What is a noun or a verb, and how alignments are learnt.
    pub alignment: alignment::Params,
    /// Smaller entries are left out of the kernel by alignment.
    pub alignment_from: f64,
    /// Smaller entries are left out of the distributional kernels.
    pub distributional_from: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            least: 5,
            alignment: alignment::Params::default(),
            alignment_from: 0.05,
            distributional_from: 0.01,
        }
    }
}

impl Params {
    /// Says which field is wrong, if one is.
    pub fn check(&self) -> Result<()> {
        let shares = [
            ("alignment_from", self.alignment_from),
            ("distributional_from", self.distributional_from),
            ("alignment.nouns_share", self.alignment.nouns_share),
            ("alignment.verbs_share", self.alignment.verbs_share),
        ];
        for (name, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::Params(format!("{name} is {share}, and must be from 0 to 1")));
            }
        }
        if self.alignment.model_1 == 0 {
            let what = "alignment.model_1 is 0, so no alignment would be learnt";
            return Err(Error::Params(what.to_owned()));
        }
        Ok(())
    }
}

/// What similarities are made from besides the captions.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// Tells nouns from verbs.
    pub tagger: &'a Tagger,
    /// A corpus of other text: the paper's British National Corpus.
    pub background: Option<&'a Corpus>,
    /// The senses of words.
    pub wordnet: Option<&'a WordNet>,
}

/// The word kernels of a training set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Semantics {
    /// By alignment of the captions of an image (equation 25): sigma_A.
    pub alignment: WordSimilarity,
    /// Distributional, in the captions (equation 24): sigma_D_ic.
    pub captions: WordSimilarity,
    /// Distributional, in the background corpus (equation 24): sigma_D_BNC.
    pub background: Option<WordSimilarity>,
    /// By Lin's similarity, over WordNet's nouns (equations 22 and 23): sigma_Lin.
    pub lin: Option<WordSimilarity>,
    /// All words of the captions, with how often each occurs; a text is a caption.
    pub vocabulary: Vocabulary,
}

/// The files of a saved [`Semantics`].
const FILES: [&str; 4] = ["alignment.tsv", "captions.tsv", "background.tsv", "lin.tsv"];
const WORDS: &str = "words.tsv";

impl Semantics {
    /// Learns the similarities from the captions of the training images, an image each in `images`.
    /// The words are those of [`Toolbox::ranking_task_captions`].
    ///
    /// # Errors
    /// If a setting is wrong, or the work was interrupted.
    pub fn fit<I: AsRef<[S]>, S: AsRef<str>>(
        images: &[I],
        toolbox: &Toolbox,
        sources: &Sources<'_>,
        params: &Params,
        progress: &dyn Progress,
    ) -> Result<Self> {
        params.check()?;
        let total: usize = images.iter().map(|captions| captions.as_ref().len()).sum();
        progress.begin("captions tagged", Some(total as u64));
        let mut tagged = Vec::with_capacity(images.len());
        let (mut counter, mut corpus) = (Counter::default(), Corpus::default());
        for captions in images {
            let captions = captions.as_ref();
            let lemmas = |text: &S| toolbox.tagged_lemmas(text.as_ref(), sources.tagger);
            let captions: Vec<Vec<alignment::TaggedLemma>> = captions.iter().map(lemmas).collect();
            for caption in &captions {
                let words: Vec<&str> = caption.iter().map(|(word, _)| word.as_str()).collect();
                counter.add(&words);
                corpus.add(&words);
            }
            progress.advance(captions.len() as u64);
            if progress.interrupted() {
                return Err(DataError::Interrupted.into());
            }
            tagged.push(captions);
        }
        let vocabulary = counter.finish(1);
        let often = vocabulary.entries().iter().filter(|entry| entry.count >= params.least);
        let words: Vec<&str> = often.map(|entry| entry.word.as_str()).collect();

        let parts =
            2 + u64::from(sources.background.is_some()) + u64::from(sources.wordnet.is_some());
        progress.begin("word similarities", Some(parts));
        let done = || {
            progress.advance(1);
            if progress.interrupted() { Err(Error::from(DataError::Interrupted)) } else { Ok(()) }
        };
        let alignment = alignment::vectors(&tagged, &params.alignment);
        let alignment = alignment.vectors.kernel(params.alignment_from);
        done()?;
        let by = |corpus: &Corpus| {
            distributional::vectors(corpus, &words, params.least).kernel(params.distributional_from)
        };
        let captions = by(&corpus);
        done()?;
        let background = sources.background.map(by);
        background.iter().try_for_each(|_| done())?;
        let lin = sources.wordnet.map(|wordnet| {
            let content = InformationContent::new(&wordnet.nouns, vocabulary.counts());
            content.vectors(words.iter().copied()).kernel(0.0)
        });
        lin.iter().try_for_each(|_| done())?;
        Ok(Self { alignment, captions, background, lin, vocabulary })
    }

    /// The similarity that a text kernel asks for.
    ///
    /// # Errors
    /// If it needs a background corpus or WordNet, and there was none.
    pub fn similarity(&self, lexical: Lexical) -> Result<WordSimilarity> {
        let lacks = |what: &str| Error::Params(format!("this similarity needs {what}"));
        let lin = || self.lin.as_ref().ok_or_else(|| lacks("WordNet, which was not found"));
        let background = self.background.as_ref();
        let background = || background.ok_or_else(|| lacks("a background corpus"));
        Ok(match lexical {
            Lexical::Lin => lin()?.clone(),
            Lexical::Background => background()?.clone(),
            Lexical::Captions => self.captions.clone(),
            Lexical::BackgroundAndCaptions => background()?.mean(&self.captions),
            Lexical::Alignment => self.alignment.clone(),
            Lexical::AlignmentOrBackground => self.alignment.max(background()?),
            Lexical::AlignmentOrCaptions => self.alignment.max(&self.captions),
            Lexical::AlignmentOrBoth => self.alignment.max(&background()?.mean(&self.captions)),
        })
    }

    /// The mean of both distributional similarities (equation 26), that of the captions alone
    /// where there is no background.
    pub fn distributional(&self) -> WordSimilarity {
        match &self.background {
            Some(background) => background.mean(&self.captions),
            None => self.captions.clone(),
        }
    }

    /// The greater of alignment and [`Self::distributional`] (equation 27): what TRI5SEM uses.
    pub fn combined(&self) -> WordSimilarity {
        self.alignment.max(&self.distributional())
    }

    /// Writes a table each into a folder, which is made if it is not there.
    pub fn save(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        let tables = [
            Some(&self.alignment),
            Some(&self.captions),
            self.background.as_ref(),
            self.lin.as_ref(),
        ];
        self.vocabulary.write(&folder.join(WORDS))?;
        for (name, table) in FILES.iter().zip(tables) {
            let path = folder.join(name);
            match table {
                Some(table) => table.write(&path)?,
                None if path.exists() => {
                    std::fs::remove_file(&path).map_err(|source| Error::io(&path, source))?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Reads what [`Self::save`] wrote.
    pub fn load(folder: &Path) -> Result<Self> {
        let [alignment, captions, background, lin] = FILES.map(|name| folder.join(name));
        let optional = |path: &Path| match path.exists() {
            true => WordSimilarity::read(path).map(Some),
            false => Ok(None),
        };
        Ok(Self {
            alignment: WordSimilarity::read(&alignment)?,
            captions: WordSimilarity::read(&captions)?,
            background: optional(&background)?,
            lin: optional(&lin)?,
            vocabulary: Vocabulary::read(&folder.join(WORDS))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rebus_collection::Silent;

    #[test]
    fn captions_of_an_image_make_words_alike() {
        let images: Vec<[&str; 2]> = (0..30)
            .flat_map(|_| {
                [
                    ["A rider jumps.", "The biker is jumping."],
                    ["A rider jumps.", "The rider is jumping."],
                    ["A biker jumps.", "The biker is jumping."],
                    ["A dog sleeps on the couch.", "A puppy is sleeping."],
                    ["A man swims in a pool.", "A person swims."],
                ]
            })
            .collect();
        let toolbox = Toolbox::default();
        let tagger = Tagger::english();
        let mut corpus = Corpus::default();
        (0..5).for_each(|_| corpus.add(&["rider", "dog"]));
        let sources = Sources { tagger, background: Some(&corpus), wordnet: None };
        let found =
            Semantics::fit(&images, &toolbox, &sources, &Params::default(), &Silent).unwrap();
        assert!(found.alignment.between("rider", "biker") > 0.3);
        assert_eq!(found.alignment.between("rider", "dog"), 0.0);
        assert!(found.captions.between("swim", "pool") > 0.3);
        let background = found.background.as_ref().unwrap();
        assert_eq!((background.words().len(), &found.lin), (2, &None));
        let combined = found.combined();
        assert_eq!(found.similarity(Lexical::AlignmentOrBoth).unwrap(), combined);
        assert_eq!(found.similarity(Lexical::Background).unwrap(), *background);
        assert!(found.similarity(Lexical::Lin).unwrap_err().to_string().contains("WordNet"));
        assert!(combined.between("rider", "biker") >= found.alignment.between("rider", "biker"));

        let folder = tempfile::tempdir().unwrap();
        found.save(folder.path()).unwrap();
        assert_eq!(Semantics::load(folder.path()).unwrap(), found);
        let none = Semantics { background: None, ..found };
        none.save(folder.path()).unwrap();
        assert_eq!(Semantics::load(folder.path()).unwrap(), none);
        assert!(Semantics::load(&folder.path().join("none")).is_err());

        let wrong = Params { alignment_from: f64::NAN, ..Params::default() };
        let said = Semantics::fit(&images, &toolbox, &sources, &wrong, &Silent).unwrap_err();
        assert!(said.to_string().contains("alignment_from"));
    }
}
