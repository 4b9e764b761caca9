//! How alike two descriptions are: the text kernels of the ranking-task paper (sections 3.1, 3.4 and
//! 3.5.1).
//!
//! A kernel is fitted on the captions of the training items, from which it takes idf weights, ranks
//! and the known words. Of any two lists of items it then gives the matrix, a row an item and a
//! column an item, normalised so that an item has 1 with itself.
//!
//! ```
//! use rebus_text::kernel::{Described, TextKernel, kernel_named};
//! use rebus_text::similarity::WordSimilarity;
//!
//! let item = |captions: &[&str]| {
//!     let words = |caption: &&str| caption.split(' ').map(str::to_owned).collect();
//!     Described::new(captions.iter().map(words).collect())
//! };
//! let training = [
//!     item(&["dog catch ball", "brown dog run"]),
//!     item(&["child eat"]),
//!     item(&["boat sea", "sea"]),
//! ];
//! let similar = WordSimilarity::builder().pair("puppy", "dog", 0.8).build();
//! let kernel = TextKernel::fit(&kernel_named("TRI5SEM")?.spec, &training, Some(&similar))?;
//! let query = [item(&["puppy run"]), item(&["zeppelin"])];
//! let gram = kernel.between(&query, &training);
//! assert!(gram.row(0)[0] > 0.0 && gram.row(0)[1] == 0.0);
//! // Nothing is known about zeppelins, and this is said.
//! assert_eq!(kernel.unrankable(&query), [1]);
//! # Ok::<(), rebus_text::Error>(())
//! ```
//!
//! The way through: [`KERNELS`] lists them by name; `bag`, `tag_rank` and `trigram` are one form of
//! kernel each; `lexicon` turns words into numbers, and `gram` fills the matrix.

mod bag;
mod gram;
mod lanes;
mod lexicon;
mod registry;
mod tag_rank;
mod trigram;
mod weighting;
mod wide;

pub use registry::{Captions, Form, KERNELS, Kernel, Lexical, Spec, kernel_named};
pub use weighting::Weighting;

use rebus_collection::Matrix;

use crate::similarity::WordSimilarity;
use crate::{Analysis, Error, Result};
use gram::Pairs;
use lexicon::{Encoded, Lexicon};
use tag_rank::Ranks;

/// An item as a kernel sees it: its captions, each as analysed words in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Described {
    captions: Vec<Vec<String>>,
}

impl Described {
    /// An item with these captions; it may have none, and a caption may have no words.
    pub fn new(captions: Vec<Vec<String>>) -> Self {
        Self { captions }
    }

    /// An item from its captions as they are written.
    pub fn analysed<S: AsRef<str>>(analysis: &Analysis, captions: &[S]) -> Self {
        Self::new(captions.iter().map(|caption| analysis.tokens(caption.as_ref())).collect())
    }

    /// The captions.
    pub fn captions(&self) -> &[Vec<String>] {
        &self.captions
    }

    /// The words of all captions.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.captions.iter().flatten().map(String::as_str)
    }
}

/// A fitted text kernel.
///
/// Fitting takes no longer than counting words, so a model that has a kernel keeps the training
/// captions and the similarity, and fits it anew when it is loaded.
#[derive(Debug, Clone)]
pub struct TextKernel {
    spec: Spec,
    lexicon: Lexicon,
    ranks: Option<Ranks>,
}

impl TextKernel {
    /// Fits a kernel on the training items. `similarity` is the one that [`Spec::lexical`] asks for.
    ///
    /// # Errors
    /// If no training caption has a word, or if the kernel needs a similarity that is not given, or
    /// is given one that it has no use for.
    pub fn fit(
        spec: &Spec,
        training: &[Described],
        similarity: Option<&WordSimilarity>,
    ) -> Result<Self> {
        match (spec.lexical, similarity) {
            (Some(_), None) => {
                return Err(Error::KernelSimilarity { what: "needs a word similarity" });
            }
            (None, Some(_)) => {
                return Err(Error::KernelSimilarity { what: "takes no word similarity" });
            }
            (Some(_), Some(_)) if spec.form != Form::Trigram => {
                return Err(Error::KernelSimilarity { what: "can have no word similarity" });
            }
            _ => {}
        }
        let captions = seen(spec, training);
        let lexicon = Lexicon::learn(&captions, spec.weighting, similarity)?;
        let ranks = (spec.form == Form::TagRank).then(|| {
            let [training] = lexicon.encode([&captions]);
            Ranks::learn(&training)
        });
        Ok(Self { spec: *spec, lexicon, ranks })
    }

    /// What kernel it is.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The weight of a word inside the kernel: 1, or what idf gives it.
    pub fn weight(&self, word: &str) -> f64 {
        self.lexicon.weight_of(word)
    }

    /// The kernel of every item of `rows` with every item of `columns`. Where both are the same
    /// items, [`Self::of`] does half the work.
    pub fn between(&self, rows: &[Described], columns: &[Described]) -> Matrix {
        let (rows, columns) = (seen(&self.spec, rows), seen(&self.spec, columns));
        let [rows, columns] = self.lexicon.encode([&rows, &columns]);
        self.matrix([&rows, &columns], Pairs::All)
    }

    /// The kernel of every two of `items`.
    pub fn of(&self, items: &[Described]) -> Matrix {
        let [items] = self.lexicon.encode([&seen(&self.spec, items)]);
        self.matrix([&items, &items], Pairs::Symmetric)
    }

    fn matrix(&self, sides: [&Encoded; 2], pairs: Pairs) -> Matrix {
        match (self.spec.form, &self.ranks) {
            (Form::F1, _) => bag::f1(&self.lexicon, sides, pairs),
            (Form::Bag, _) => bag::cosine(&self.lexicon, sides, pairs),
            (Form::TagRank, Some(ranks)) => ranks.matrix(sides, pairs),
            (Form::Trigram | Form::TagRank, _) => trigram::matrix(&self.lexicon, sides, pairs),
        }
    }

    /// Which of `items` (by their place) have no word that is, or is like, a word of the training
    /// captions: no captions, only stop words, only unknown words. Their place in a ranking would be
    /// chance.
    pub fn unrankable(&self, items: &[Described]) -> Vec<usize> {
        let captions = seen(&self.spec, items);
        (0..items.len()).filter(|&item| !self.lexicon.knows(captions[item])).collect()
    }
}

/// The captions that a kernel looks at.
fn seen<'a>(spec: &Spec, items: &'a [Described]) -> Vec<&'a [Vec<String>]> {
    let captions = |item: &'a Described| match spec.captions {
        Captions::First => &item.captions[..item.captions.len().min(1)],
        Captions::All => item.captions.as_slice(),
    };
    items.iter().map(captions).collect()
}
