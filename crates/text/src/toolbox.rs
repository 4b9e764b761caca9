//! Stages and pipelines by name, with what some of them need: a corpus, a lemmatiser.

use std::sync::Arc;

use crate::analysis::{Analysis, Step, Tokeniser};
use crate::compounds::Compounds;
use crate::lemma::Lemmatiser;
use crate::porter::PorterStemmer;
use crate::ptb::{Case, Ptb, Punctuation};
use crate::spelling::{Correction, Params, Speller};
use crate::stage::{BreakHyphens, LowerCase, Stage, StripSigns};
use crate::stop_words::StopWords;
use crate::tagger::{Tag, Tagger};
use crate::vocabulary::Counter;
use crate::{Error, Result, stop_words};

/// The names of the tokenisers.
pub const TOKENISERS: &[&str] = &["ptb", "words"];

/// The names of the pipelines.
pub const PIPELINES: &[&str] = &["captions", "ranking-task", "ranking-task-stemmed"];

/// How often a compound must occur in a corpus to be learnt.
const LEARN_FROM: u64 = 3;

/// Everything that stages are made from.
///
/// ```
/// use rebus_text::Toolbox;
///
/// let analysis = Toolbox::default().analysis(&["words", "lower", "stop-words", "stem"])?;
/// assert_eq!(analysis.tokens("The dogs are running"), ["dog", "run"]);
/// # Ok::<(), rebus_text::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Toolbox {
    lemmatiser: Arc<Lemmatiser>,
    compounds: Arc<Compounds>,
    speller: Option<Arc<Speller>>,
}

impl Default for Toolbox {
    fn default() -> Self {
        Self::new(Lemmatiser::builtin())
    }
}

impl Toolbox {
    /// A toolbox without a corpus: no spelling, and only the compounds of the table.
    pub fn new(lemmatiser: Lemmatiser) -> Self {
        let compounds = Arc::new(Compounds::table());
        Self { lemmatiser: Arc::new(lemmatiser), compounds, speller: None }
    }

    /// With the spelling and the compounds of a corpus, a text each.
    #[must_use]
    pub fn with_corpus<S: AsRef<str>>(mut self, texts: &[S]) -> Self {
        let texts: Vec<Vec<String>> = Ptb::captions().batch(texts);
        let mut counter = Counter::default();
        texts.iter().for_each(|text| counter.add(text));
        self.compounds = Arc::new(Compounds::learn(&texts, LEARN_FROM));
        self.speller = Some(Arc::new(Speller::new(&counter.finish(1), Params::default())));
        self
    }

    /// Where lemmas come from, in words.
    pub fn lemma_source(&self) -> String {
        self.lemmatiser.source()
    }

    /// A stage by its name.
    pub fn stage(&self, name: &str) -> Result<Arc<dyn Stage>> {
        Ok(match name {
            "lower" => Arc::new(LowerCase),
            "spelling" => match &self.speller {
                Some(speller) => Arc::clone(speller) as Arc<dyn Stage>,
                None => {
                    return Err(Error::Missing {
                        stage: "spelling",
                        needs: "a corpus (--corpus FILE) whose words are right",
                    });
                }
            },
            "compounds" => Arc::clone(&self.compounds) as Arc<dyn Stage>,
            "hyphens" => Arc::new(BreakHyphens),
            "strip" => Arc::new(StripSigns),
            "stop-words" => Arc::new(StopWords),
            "lemma" => Arc::clone(&self.lemmatiser) as Arc<dyn Stage>,
            "stem" => Arc::new(PorterStemmer::default()),
            _ => return Err(Error::UnknownStage(name.to_owned())),
        })
    }

    /// A pipeline: a tokeniser, which may be left out and is then `ptb` with its punctuation and
    /// case, and the stages; or one of the pipelines by name, and stages behind it.
    pub fn analysis<S: AsRef<str>>(&self, names: &[S]) -> Result<Analysis> {
        let first = names.first().map_or("", AsRef::as_ref);
        let (begun, rest) = match first {
            "captions" => (Analysis::captions(), 1),
            "ranking-task" => (Analysis::ranking_task(), 1),
            "ranking-task-stemmed" => (Analysis::ranking_task_stemmed(), 1),
            "words" => (Analysis::new(Tokeniser::Words), 1),
            _ => (
                Analysis::new(Tokeniser::Ptb(Ptb::new(Punctuation::Keep, Case::Keep))),
                usize::from(first == "ptb"),
            ),
        };
        names
            .iter()
            .skip(rest)
            .try_fold(begun, |analysis, name| Ok(analysis.then_shared(self.stage(name.as_ref())?)))
    }

    /// The ranking-task paper's preprocessing of captions for its kernels and similarities (section
    /// 4.1.1): Treebank tokens in lower case without punctuation, spelling (with a corpus only),
    /// compounds, stop words, lemmas.
    pub fn ranking_task_captions(&self) -> Analysis {
        let mut analysis = Analysis::captions();
        if let Some(speller) = &self.speller {
            analysis = analysis.then_shared(Arc::clone(speller) as Arc<dyn Stage>);
        }
        analysis
            .then_shared(Arc::clone(&self.compounds) as Arc<dyn Stage>)
            .then(StopWords)
            .then_shared(Arc::clone(&self.lemmatiser) as Arc<dyn Stage>)
    }

    /// What everything does to a text: both tokenisers; each stage by itself, on the
    /// tokens that the caption measures use; and the ranking-task paper's pipelines.
    pub fn overview(&self, text: &str) -> Vec<Step> {
        let step = |name, tokens| Step { name, tokens };
        let written = Ptb::new(Punctuation::Keep, Case::Keep).tokens(text);
        let captions = Ptb::captions().tokens(text);
        let mut steps = vec![
            step("words", Tokeniser::Words.tokens(text)),
            step("ptb", written.clone()),
            step("captions", captions.clone()),
        ];
        for name in crate::stage::NAMES {
            // What cannot be made for want of a corpus is left out.
            if let Ok(stage) = self.stage(name) {
                let tokens = if *name == "lower" { &written } else { &captions };
                steps.push(step(stage.name(), stage.apply(tokens.clone())));
            }
        }
        steps.push(step("ranking-task", Analysis::ranking_task().tokens(text)));
        steps.push(step("ranking-task-stemmed", Analysis::ranking_task_stemmed().tokens(text)));
        steps
    }

    /// The names of [`Self::ranking_task_captions`]'s stages up to the stop words.
    fn until_stop_words(&self) -> Vec<&'static str> {
        let spelling = self.speller.is_some().then_some("spelling");
        ["captions"].into_iter().chain(spelling).chain(["compounds"]).collect()
    }

    /// [`Self::ranking_task_captions`] of a text, each lemma with the part of speech that the word has in it.
    pub fn tagged_lemmas(&self, text: &str, tagger: &Tagger) -> Vec<(String, Tag)> {
        let names = self.until_stop_words();
        let tokens = |names: &[&str]| match self.analysis(names) {
            Ok(analysis) => analysis.tokens(text),
            Err(_) => Vec::new(),
        };
        let words = tokens(&names);
        // Tags are better with the punctuation; where a compound would reach over it, without.
        let written: Vec<&str> =
            ["ptb", "lower"].into_iter().chain(names.into_iter().skip(1)).collect();
        let written = tokens(&written);
        let is_word = |word: &str| word.chars().any(char::is_alphanumeric);
        let same = written.iter().filter(|word| is_word(word)).eq(&words);
        let mut seen = if same { written } else { words };
        // Captions begin like sentences.
        if let Some(start) = seen.first_mut().and_then(|first| first.get_mut(..1)) {
            start.make_ascii_uppercase();
        }
        let tags = tagger.tag(&seen);
        seen.iter_mut().take(1).for_each(|first| first.make_ascii_lowercase());
        seen.into_iter()
            .zip(tags)
            .filter(|(word, _)| is_word(word) && !stop_words::contains(word))
            .map(|(word, tag)| (self.lemmatiser.lemma_of(&word), tag))
            .collect()
    }

    /// The lemmatiser.
    pub fn lemmatiser(&self) -> &Lemmatiser {
        &self.lemmatiser
    }

    /// The compounds.
    pub fn compounds(&self) -> &Compounds {
        &self.compounds
    }

    /// What the spelling stage would change in a text; nothing without a corpus.
    pub fn corrections(&self, text: &str) -> Vec<Correction> {
        let tokens = Ptb::captions().tokens(text);
        self.speller.as_ref().map(|speller| speller.corrections(&tokens)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_something_and_no_other_does() {
        let toolbox = Toolbox::default().with_corpus(&["a dog runs"; 5]);
        for name in crate::stage::NAMES {
            assert_eq!(toolbox.stage(name).unwrap().name(), *name);
        }
        for name in TOKENISERS.iter().chain(PIPELINES) {
            assert!(toolbox.analysis(&[*name, "stem"]).is_ok());
        }
        assert!(matches!(toolbox.analysis(&["stem", "words"]), Err(Error::UnknownStage(_))));
        assert!(matches!(Toolbox::default().stage("spelling"), Err(Error::Missing { .. })));
    }

    #[test]
    fn captions_as_the_paper_prepares_them() {
        let plain = Toolbox::default().ranking_task_captions();
        assert_eq!(
            plain.tokens("Two dogs are running in a tee shirt."),
            ["two", "dog", "run", "t-shirt"]
        );
        let corpus = vec!["a boy throws a frisbee"; 30];
        let taught = Toolbox::default().with_corpus(&corpus).ranking_task_captions();
        assert_eq!(taught.tokens("The frisbbee was on it"), ["frisbee"]);
        assert_eq!(taught.names(), ["ptb", "spelling", "compounds", "stop-words", "lemma"]);
    }

    #[test]
    fn tagged_lemmas_are_the_lemmas() {
        let texts = ["The man's T shirts aren't white.", "Two dogs are running", "", "of the"];
        for toolbox in [Toolbox::default(), Toolbox::default().with_corpus(&texts)] {
            for text in texts {
                let tagged = toolbox.tagged_lemmas(text, Tagger::english());
                let words: Vec<String> = tagged.into_iter().map(|(word, _)| word).collect();
                assert_eq!(words, toolbox.ranking_task_captions().tokens(text));
            }
        }
        let tagged = Toolbox::default().tagged_lemmas("Two dogs are running", Tagger::english());
        assert_eq!(tagged[1..], [("dog".to_owned(), Tag::Noun), ("run".to_owned(), Tag::Verb)]);
    }

    #[test]
    fn a_corpus_teaches_spelling_and_compounds() {
        let mut corpus = vec!["A dirtbike rider on a snowboard".to_owned(); 30];
        corpus.push("a dirt bike".to_owned());
        let toolbox = Toolbox::default().with_corpus(&corpus);
        let analysis = toolbox.analysis(&["captions", "spelling", "compounds"]).unwrap();
        assert_eq!(analysis.tokens("A dirt bike, a snowbord").join(" "), "a dirtbike a snowboard");
        assert_eq!(toolbox.corrections("a snowbord")[0].to, "snowboard");
    }
}
