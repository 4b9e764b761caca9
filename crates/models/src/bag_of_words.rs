//! Texts as weighted bags of words.
//!
//! Which words, and what each counts, is a [`Form`]: how texts are taken apart, what a document is
//! for the frequency of words, the weight of a word that occurs, and whether the bag is scaled to
//! length 1. A word counts once however often it occurs in a text. The default is the form of the
//! ranking-task paper (section 3.1): a word counts sqrt(lambda_w), so that the dot product of two
//! bags weighs a shared word by its inverse document frequency lambda_w, and a document is all
//! texts of one picture. [`Form::scalable_explicit`] is that of the other paper (section 3.3).

use rebus_text::lemma::Lemmatiser;
use rebus_text::porter::{PorterStemmer, Variant};
use rebus_text::stage::LowerCase;
use rebus_text::stop_words::StopWords;
use rebus_text::vocabulary::{Counter, Entry, Vocabulary};
use rebus_text::{Analysis, Tokeniser};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// How a text becomes a bag: recorded in a model's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Form {
    /// How texts are taken apart.
    pub words: Words,
    /// What a word counts.
    pub weighting: Weighting,
    /// Whether the bag is scaled.
    pub length: Length,
    /// In what the frequency of words is counted.
    pub document: Document,
}

impl Form {
    /// The form of the scalable-explicit paper, section 3.3, before idf and scaling: lemmas, each
    /// sentence a document, 1 for a word that occurs.
    pub fn scalable_explicit() -> Self {
        Self {
            words: Words::Lemmas,
            weighting: Weighting::Binary,
            length: Length::AsIs,
            document: Document::Sentence,
        }
    }
}

/// How texts are taken apart. Stop words are left out, except of keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Words {
    /// Plain words in lower case, stemmed with Porter's algorithm.
    #[default]
    Stems,
    /// Treebank tokens with hyphens broken up, signs stripped and in lower case, as lemmas of the
    /// built-in table: a model must read a text alike on every machine.
    Lemmas,
    /// Plain words in lower case and nothing else: somebody chose them.
    Keywords,
}

/// What a word counts that occurs in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weighting {
    /// 1.
    Binary,
    /// log(|D| / |D(w)|), as in the scalable-explicit paper.
    Idf,
    /// sqrt(log(|D| / (|D(w)| + 1))), as in the ranking-task paper.
    #[default]
    SqrtIdf,
}

/// Whether a bag is scaled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// The weights stay as they are.
    AsIs,
    /// The squares of the weights sum to 1.
    #[default]
    Unit,
}

/// In what the frequency of words is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Document {
    /// One text.
    Sentence,
    /// All texts of a picture.
    #[default]
    Picture,
}

/// How frequent a word must be to be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtLeast {
    /// It occurs so many times.
    Times(u64),
    /// It occurs in so many documents.
    Documents(u64),
}

/// Turns texts into weighted bags of words.
#[derive(Debug, Clone)]
pub struct BagOfWords {
    form: Form,
    analysis: Analysis,
    vocabulary: Vocabulary,
    weights: Vec<f64>,
}

impl PartialEq for BagOfWords {
    fn eq(&self, other: &Self) -> bool {
        self.form == other.form && self.vocabulary == other.vocabulary
    }
}

impl BagOfWords {
    /// A bag over these words.
    pub fn new(vocabulary: Vocabulary, form: Form) -> Self {
        let weight = |entry: &Entry| match form.weighting {
            Weighting::Binary => 1.0,
            Weighting::Idf => (vocabulary.texts() as f64 / entry.texts.max(1) as f64).ln().max(0.0),
            Weighting::SqrtIdf => vocabulary.idf(&entry.word).max(0.0).sqrt(),
        };
        let weights = vocabulary.entries().iter().map(weight).collect();
        Self { form, analysis: form.words.analysis(), vocabulary, weights }
    }

    /// A bag over the words that are frequent enough in the texts of all pictures.
    ///
    /// # Errors
    /// If there is no such word.
    pub fn learn(texts: &[Vec<&str>], form: Form, least: AtLeast) -> Result<Self> {
        let analysis = form.words.analysis();
        let mut counter = Counter::default();
        for texts in texts {
            match form.document {
                Document::Sentence => {
                    texts.iter().for_each(|text| counter.add(&analysis.tokens(text)));
                }
                Document::Picture => {
                    let tokens: Vec<String> =
                        texts.iter().flat_map(|text| analysis.tokens(text)).collect();
                    counter.add(&tokens);
                }
            }
        }
        let (vocabulary, what) = match least {
            AtLeast::Times(least) => (counter.finish(least), format!("{least} times in the texts")),
            AtLeast::Documents(least) => {
                (counter.finish_in_texts(least), format!("in {least} of the texts"))
            }
        };
        if vocabulary.is_empty() {
            return Err(Error::Data { what: format!("no word occurs {what}") });
        }
        Ok(Self::new(vocabulary, form))
    }

    /// How many words it knows.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// True if it knows none.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The words it knows, as the analysis leaves them.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.vocabulary.entries().iter().map(|entry| entry.word.as_str())
    }

    /// The word at a position.
    pub fn word(&self, at: usize) -> Option<&str> {
        self.vocabulary.entries().get(at).map(|entry| entry.word.as_str())
    }

    /// Where a word stands, as the analysis leaves it.
    pub fn position(&self, word: &str) -> Option<usize> {
        self.vocabulary.id(word).map(|id| id.0 as usize)
    }

    /// How texts become bags.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The steps by which texts are taken apart.
    pub fn analysis(&self) -> Vec<String> {
        self.analysis.names().into_iter().map(str::to_owned).collect()
    }

    /// The bag of all `texts` together as `(position, weight)`, sorted; empty if no word is known.
    pub fn encode(&self, texts: &[&str]) -> Vec<(usize, f64)> {
        let mut bag: Vec<usize> = texts
            .iter()
            .flat_map(|text| self.analysis.tokens(text))
            .filter_map(|word| self.position(&word))
            .collect();
        bag.sort_unstable();
        bag.dedup();
        let length = match self.form.length {
            Length::AsIs => 1.0,
            Length::Unit => bag.iter().map(|&at| self.weights[at].powi(2)).sum::<f64>().sqrt(),
        };
        if length == 0.0 {
            return Vec::new();
        }
        bag.into_iter().map(|at| (at, self.weights[at] / length)).collect()
    }

    /// The same over more words.
    pub(crate) fn with(&self, more: Vec<Entry>) -> Self {
        Self::new(self.vocabulary.with(more), self.form)
    }

    /// A text in the form that the bag has words in.
    pub(crate) fn tokens(&self, text: &str) -> Vec<String> {
        self.analysis.tokens(text)
    }

    /// What the word at a position weighs before the bag is scaled.
    pub(crate) fn weight(&self, position: usize) -> f64 {
        self.weights[position]
    }

    /// What a word weighs that a single document has: as much as any.
    pub(crate) fn rarest(&self) -> f64 {
        self.weights.iter().copied().fold(0.0, f64::max)
    }

    /// How many documents it was learnt from.
    pub(crate) fn documents(&self) -> u64 {
        self.vocabulary.texts()
    }

    /// How often each word occurred in what it was learnt from.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.vocabulary.counts().map(|(_, count)| count)
    }

    /// How many of the documents it was learnt from have a word.
    pub(crate) fn documents_with(&self, word: &str) -> u64 {
        self.vocabulary.texts_with(word)
    }

    /// The words of a text that it does not know, as they are written; stop words are no words.
    pub(crate) fn unknown(&self, text: &str) -> Vec<String> {
        let unknown = |word: &String| {
            let stems = self.tokens(word);
            !stems.is_empty() && stems.iter().all(|stem| self.position(stem).is_none())
        };
        let mut words: Vec<String> = Tokeniser::Words.tokens(text);
        words.retain(unknown);
        words.dedup();
        words
    }

    pub(crate) fn to_text(&self) -> String {
        self.vocabulary.to_text()
    }
}

impl Words {
    fn analysis(self) -> Analysis {
        match self {
            Self::Stems => Analysis::new(Tokeniser::Words)
                .then(LowerCase)
                .then(StopWords)
                .then(PorterStemmer(Variant::Published)),
            Self::Lemmas => Analysis::ranking_task().then(StopWords).then(Lemmatiser::builtin()),
            Self::Keywords => Analysis::new(Tokeniser::Words).then(LowerCase),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: [&[&str]; 4] = [&["A dog runs.", "dogs"], &["a cat"], &["the cats"], &["sea"]];

    fn learn(form: Form, least: AtLeast) -> Result<BagOfWords> {
        let texts: Vec<Vec<&str>> = TEXTS.iter().map(|texts| texts.to_vec()).collect();
        BagOfWords::learn(&texts, form, least)
    }

    #[test]
    fn weights_by_hand() {
        let bag = learn(Form::default(), AtLeast::Times(1)).unwrap();
        assert_eq!(bag.words().collect::<Vec<_>>(), ["cat", "dog", "run", "sea"]);
        // lambda: cat log(4/3), dog and run log(4/2); squares of the weights sum to 1.
        let (cat, dog) = ((4.0f64 / 3.0).ln(), 2.0f64.ln());
        let encoded = bag.encode(&["Cats and dogs"]);
        assert!((encoded[0].1.powi(2) - cat / (cat + dog)).abs() < 1e-12);
        assert!((encoded[1].1.powi(2) - dog / (cat + dog)).abs() < 1e-12);
        assert!(bag.encode(&["an elephant"]).is_empty());
        assert!(learn(Form::default(), AtLeast::Times(9)).is_err());
    }

    #[test]
    fn the_other_papers_form_by_hand() {
        let form = Form::scalable_explicit();
        let bag = learn(form, AtLeast::Documents(2)).unwrap();
        assert_eq!(bag.words().collect::<Vec<_>>(), ["cat", "dog"]);
        assert_eq!(bag.encode(&["Two dogs, cats and dogs"]), [(0, 1.0), (1, 1.0)]);
        // Five sentences, cat in two: log(5/2).
        let idf = (5.0f64 / 2.0).ln();
        let bag = learn(Form { weighting: Weighting::Idf, ..form }, AtLeast::Documents(2)).unwrap();
        assert_eq!(bag.encode(&["a cat"]), [(0, idf)]);
        let scaled = Form { weighting: Weighting::Idf, length: Length::Unit, ..form };
        let bag = learn(scaled, AtLeast::Documents(2)).unwrap();
        let half = 0.5f64.sqrt();
        for (at, (position, weight)) in bag.encode(&["cats, dogs"]).into_iter().enumerate() {
            assert_eq!(position, at);
            assert!((weight - half).abs() < 1e-12);
        }
        // A document is a picture: dog is in one of four, though in two sentences.
        let pictures = Form { document: Document::Picture, ..form };
        let bag = learn(pictures, AtLeast::Documents(2)).unwrap();
        assert_eq!(bag.words().collect::<Vec<_>>(), ["cat"]);
    }

    #[test]
    fn forms_are_read_and_wrong_ones_named() {
        let form: Form =
            serde_json::from_str(r#"{"words": "lemmas", "weighting": "idf"}"#).unwrap();
        assert_eq!((form.words, form.length), (Words::Lemmas, Length::Unit));
        let error = serde_json::from_str::<Form>(r#"{"weighting": "heavy"}"#).unwrap_err();
        assert!(error.to_string().contains("heavy"));
    }
}
