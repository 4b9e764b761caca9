//! Networks that turn a picture into a vector, and its patches into vectors of their own.
//!
//! A network is an ONNX file; [`Preprocessing`] says what it wants to see. What it puts out may be
//! - a vector: it is the picture's;
//! - tokens, a class token first: the picture's vector is the class token and the mean of the
//!   others, one after the other, and the others are the [`Patches`];
//! - a grid: the picture's vector is its mean, unless a vector comes out as well.
//!
//! Each picture is looked at by one thread, so that many are looked at together, and a vector
//! does not depend on how many cores there are.

mod classifier;
mod depthwise;
mod efficientnet;
mod folder;
mod network;
mod onnx;
mod package;
mod parts;
mod pickle;
mod preprocess;
mod protobuf;
mod recipe;
mod reduce;
mod resize;
mod wheel;

use std::path::Path;

use rebus_collection::{ContentHash, Matrix};

pub use classifier::Classifier;
pub use package::{KNOWN, Known, Store, home, known, locate, pull_path};
pub use preprocess::{Fit, Preprocessing};
pub use recipe::{Outputs, Recipe};
pub use reduce::{Precision, reduce};
pub use resize::{Filter, resize};

use crate::{Error, Extractor, Picture, Result};
use network::Network;

/// An image network that is ready to look at pictures.
#[derive(Debug)]
pub struct Encoder {
    name: String,
    recipe: Recipe,
    network: Network,
}

/// The vectors of a picture's patches.
#[derive(Debug, Clone)]
pub struct Patches {
    /// Patches across.
    pub across: usize,
    /// Patches down.
    pub down: usize,
    /// One row a patch, line by line from the top left.
    pub vectors: Matrix,
}

/// All a network says about a picture.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The vector of the whole.
    pub vector: Vec<f32>,
    /// The vectors of its patches, from networks that give them.
    pub patches: Option<Patches>,
    /// What its classifier says, before any normalisation, from networks that have one.
    pub classes: Option<Vec<f32>>,
}

impl Encoder {
    /// Builds an encoder from the bytes of an ONNX file, reduced ([`reduce()`]) or not. The
    /// extractor's name is that of the recipe, with a hash of file and recipe.
    ///
    /// # Errors
    /// If the file is damaged, or no network that looks at pictures.
    pub fn from_bytes(bytes: &[u8], recipe: &Recipe) -> Result<Self> {
        let broken = |what: String| Error::Network { name: recipe.name.clone(), what };
        let mut preprocessing = recipe.preprocessing.clone();
        let network = Network::load(bytes, &mut preprocessing, &recipe.outputs).map_err(broken)?;
        let used = format!("{preprocessing:?} {:?}", recipe.outputs);
        let hash = ContentHash::of(&[&ContentHash::of(bytes).0, used.as_bytes()].concat());
        let hash: String = hash.0[..6].iter().map(|byte| format!("{byte:02x}")).collect();
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let plain: String = recipe.name.chars().map(plain).collect();
        let recipe = Recipe { preprocessing, ..recipe.clone() };
        Ok(Self { name: format!("{plain}/{hash}"), recipe, network })
    }

    /// Opens a network: an `.onnx` file, or a folder with one. What it wants to be shown is read
    /// from `network.json` (ours), `preprocessor_config.json` (Hugging Face) or
    /// `preprocess_cfg.json` (immich) beside it; without, it is shown
    /// [`Preprocessing::default`] at the size that the file asks for.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is no network that looks at pictures.
    pub fn open(path: &Path) -> Result<Self> {
        let (file, recipe) = folder::find(path)?;
        let name = file.display().to_string();
        let bytes =
            std::fs::read(&file).map_err(|source| Error::Io { name: name.clone(), source })?;
        Self::from_bytes(&bytes, &recipe).map_err(|error| match error {
            Error::Network { what, .. } => Error::Network { name, what },
            other => other,
        })
    }

    /// How the network was said to be used: its name, source and licence.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What came out for a black picture: the shape of what comes out for any.
    pub fn specimen(&self) -> &Look {
        self.network.specimen()
    }

    /// Looks at a picture: its vector and its patches.
    ///
    /// # Errors
    /// If the network fails, or what comes out are not numbers.
    pub fn look(&self, picture: &Picture) -> Result<Look> {
        self.network
            .run(self.recipe.preprocessing.apply(picture))
            .map_err(|what| Error::Network { name: self.name.clone(), what })
    }
}

impl Extractor for Encoder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.specimen().vector.len()
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> Result<()> {
        features.copy_from_slice(&self.look(picture)?.vector);
        Ok(())
    }
}
