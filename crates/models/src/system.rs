//! Every system, in one table: names, help, fitting, loading and the shared test suite.

use std::path::Path;

use rebus_collection::Progress;
use serde_json::Value;

use crate::kcca::{self, Kcca};
use crate::relevance::crm;
use crate::relevance::neighbours::{self, Method};
use crate::relevance::{BlobWords, Cmrm, Crm, NeighbourWords, WordModel, blob_words, cmrm};
use crate::{
    Cca, Contrastive, Error, Lexicon, RankSvm, Result, Settings, Training, Understands, WordSvm,
    cca, contrastive, folder, lexicon, rank_svm, word_svm,
};

/// A model that can be kept.
pub trait Model: Understands {
    /// Writes the model into a folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn save(&self, folder: &Path) -> Result<()>;
}

/// Data, settings, progress.
type Fit<P> = fn(&Training<'_>, &P, &dyn Progress) -> Result<Box<dyn Model>>;

/// How a system is fitted by settings of one type.
struct By<P>(Fit<P>);

/// How any system is fitted by settings in JSON.
trait Fitting: Sync {
    fn check(&self, settings: &Value) -> Result<()>;

    fn fit(
        &self,
        data: &Training<'_>,
        settings: &Value,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Model>>;
}

impl<P: Settings> Fitting for By<P> {
    fn check(&self, settings: &Value) -> Result<()> {
        params::<P>(settings)?.check()
    }

    fn fit(
        &self,
        data: &Training<'_>,
        settings: &Value,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Model>> {
        (self.0)(data, &params(settings)?, progress)
    }
}

/// Settings from JSON; what is left out keeps its default.
fn params<P: Settings>(settings: &Value) -> Result<P> {
    serde_json::from_value(settings.clone())
        .map_err(|error| Error::Setting { field: "settings", what: error.to_string() })
}

/// What a row of features means to a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A vector of any numbers.
    Vectors,
    /// How often the picture has each of some tokens: a bag of blobs.
    Counts,
}

/// One dual encoder that can be fitted and loaded.
///
/// To add a system, write it in a file of its own and add it to [`SYSTEMS`].
pub struct System {
    /// What a model folder and the command call it.
    pub name: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// What a row of features must hold.
    pub takes: Takes,
    fitting: &'static dyn Fitting,
    /// Reads it from a folder.
    pub load: fn(&Path) -> Result<Box<dyn Model>>,
}

impl System {
    /// Checks settings before anything is looked at: an object with the fields of the system's
    /// `Params`, any left out.
    ///
    /// # Errors
    /// Naming the setting that is not known or makes no sense.
    pub fn check(&self, settings: &Value) -> Result<()> {
        self.fitting.check(settings)
    }

    /// Fits it, by settings that [`Self::check`] takes.
    ///
    /// # Errors
    /// If the settings or the data do not do, or [`Error::Interrupted`].
    pub fn fit(
        &self,
        data: &Training<'_>,
        settings: &Value,
        progress: &dyn Progress,
    ) -> Result<Box<dyn Model>> {
        self.fitting.fit(data, settings, progress)
    }
}

/// Every dual encoder.
pub static SYSTEMS: &[System] = &[
    System {
        name: cca::KIND,
        about: "regularised linear canonical correlation analysis (KCCA with linear kernels)",
        takes: Takes::Vectors,
        fitting: &By::<cca::Params>(|data, params, progress| {
            Ok(Box::new(Cca::fit(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Cca::load(folder)?)),
    },
    System {
        name: cmrm::KIND,
        about: "cross-media relevance model over bags of blobs (FACMRM, PACMRM, DRCMRM)",
        takes: Takes::Counts,
        fitting: &By::<cmrm::Params>(|data, params, progress| {
            Ok(Box::new(Cmrm::fit(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Cmrm::load(folder)?)),
    },
    System {
        name: blob_words::CO_OCCURRENCE,
        about: "words that come with each blob by counting (Mori et al.), a baseline of cmrm",
        takes: Takes::Counts,
        fitting: &By::<blob_words::Params>(|data, params, progress| {
            Ok(Box::new(BlobWords::co_occurrence(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(BlobWords::load(folder)?)),
    },
    System {
        name: contrastive::KIND,
        about: "cca refined until captions find their own pictures among others",
        takes: Takes::Vectors,
        fitting: &By::<contrastive::Params>(|data, params, progress| {
            Ok(Box::new(Contrastive::fit(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Contrastive::load(folder)?)),
    },
    System {
        name: crm::CRM,
        about: "continuous relevance model: kernels over region vectors, a multinomial over words",
        takes: Takes::Vectors,
        fitting: &By::<crm::Params>(|data, params, progress| {
            Ok(Box::new(Crm::fit(data, WordModel::Multinomial, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Crm::load(folder)?)),
    },
    System {
        name: neighbours::JEC,
        about: "words of the nearest pictures by several distances alike",
        takes: Takes::Vectors,
        fitting: &By::<neighbours::Params>(|data, params, progress| {
            Ok(Box::new(NeighbourWords::fit(data, Method::Jec, params, progress)?))
        }),
        load: |folder| Ok(Box::new(NeighbourWords::load(folder)?)),
    },
    System {
        name: kcca::KIND,
        about: "kernel canonical correlation analysis with any image and text kernel",
        takes: Takes::Vectors,
        fitting: &By::<kcca::Params>(|data, params, progress| {
            Ok(Box::new(Kcca::fit(data, params, None, progress)?))
        }),
        load: |folder| Ok(Box::new(Kcca::load(folder)?)),
    },
    System {
        name: lexicon::KIND,
        about: "contrastive with more words than the captions have, keywords and probabilities",
        takes: Takes::Vectors,
        fitting: &By::<lexicon::Params>(|data, params, progress| {
            Ok(Box::new(Lexicon::fit_captions(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Lexicon::load(folder)?)),
    },
    System {
        name: crm::MBRM,
        about: "multiple-Bernoulli relevance model: kernels over region vectors, each word by itself",
        takes: Takes::Vectors,
        fitting: &By::<crm::Params>(|data, params, progress| {
            Ok(Box::new(Crm::fit(data, WordModel::Bernoulli, params, progress)?))
        }),
        load: |folder| Ok(Box::new(Crm::load(folder)?)),
    },
    System {
        name: rank_svm::KIND,
        about: "RankSVM in the primal on sampled triples (Pegasos, or PAMIR's passive-aggressive)",
        takes: Takes::Vectors,
        fitting: &By::<rank_svm::Params>(|data, params, progress| {
            Ok(Box::new(RankSvm::fit(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(RankSvm::load(folder)?)),
    },
    System {
        name: neighbours::TAGPROP,
        about: "words of the nearest pictures, with learnt weights of distances",
        takes: Takes::Vectors,
        fitting: &By::<neighbours::Params>(|data, params, progress| {
            Ok(Box::new(NeighbourWords::fit(data, Method::TagProp, params, progress)?))
        }),
        load: |folder| Ok(Box::new(NeighbourWords::load(folder)?)),
    },
    System {
        name: blob_words::TRANSLATION,
        about: "words as translations of blobs by alignment models 1 and 2, a baseline of cmrm",
        takes: Takes::Counts,
        fitting: &By::<blob_words::Params>(|data, params, progress| {
            Ok(Box::new(BlobWords::translation(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(BlobWords::load(folder)?)),
    },
    System {
        name: neighbours::TWO_PASS,
        about: "words of the nearest pictures of every word",
        takes: Takes::Vectors,
        fitting: &By::<neighbours::Params>(|data, params, progress| {
            Ok(Box::new(NeighbourWords::fit(data, Method::TwoPass, params, progress)?))
        }),
        load: |folder| Ok(Box::new(NeighbourWords::load(folder)?)),
    },
    System {
        name: word_svm::KIND,
        about: "a support vector machine for every word by itself, the baseline of rank-svm",
        takes: Takes::Vectors,
        fitting: &By::<word_svm::Params>(|data, params, progress| {
            Ok(Box::new(WordSvm::fit(data, params, progress)?))
        }),
        load: |folder| Ok(Box::new(WordSvm::load(folder)?)),
    },
];

/// Reads whatever model a folder holds.
///
/// # Errors
/// If it holds none, or one that this program does not know or that is damaged.
pub fn load(folder: &Path) -> Result<Box<dyn Model>> {
    let kind = folder::manifest(folder)?.kind;
    match SYSTEMS.iter().find(|system| system.name == kind) {
        Some(system) => (system.load)(folder),
        None => Err(Error::damaged(&folder.join("model.json"), format!("unknown kind `{kind}`"))),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_checked_without_data() {
        for system in SYSTEMS {
            system.check(&json!({})).unwrap();
            let error = system.check(&json!({ "no_such": 1 })).unwrap_err().to_string();
            assert!(error.contains("no_such"), "{}: {error}", system.name);
        }
        let cmrm = SYSTEMS.iter().find(|system| system.name == cmrm::KIND).unwrap();
        let error = cmrm.check(&json!({ "alpha": 2.0 })).unwrap_err().to_string();
        assert!(error.contains("`alpha`"), "{error}");
    }
}
