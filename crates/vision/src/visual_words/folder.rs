//! Visual words on disk: a folder with `model.json` and `model.safetensors`.
//!
//! The same shape as a model's folder: the JSON says what made the words and holds the hash of the
//! other file; it is written last.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use rebus_collection::writers::write_whole;
use rebus_collection::{ContentHash, Matrix};
use safetensors::{Dtype, SafeTensors, tensor::View};
use serde::{Deserialize, Serialize};

use super::{NAMES, Training, VERSION, VisualWords, WIDTHS, WORDS};
use crate::{Error, Result};

const KIND: &str = "visual-words";
const MANIFEST: &str = "model.json";
const TENSORS: &str = "model.safetensors";
/// No file of visual words comes near this size.
const MOST_BYTES: u64 = 1 << 22;

#[derive(Serialize, Deserialize)]
struct Manifest {
    kind: String,
    version: u32,
    training: Training,
    files: Files,
}

#[derive(Serialize, Deserialize)]
struct Files {
    #[serde(rename = "model.safetensors")]
    tensors: String,
}

impl VisualWords {
    /// Writes the words into a folder, which is made if needed.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn save(&self, folder: &Path) -> Result<()> {
        fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        let views = NAMES.iter().zip(&self.vocabularies).map(|(name, vocabulary)| {
            let words = &vocabulary.words;
            (*name, Tensor { words, shape: [words.rows(), words.columns()] })
        });
        let path = folder.join(TENSORS);
        let bytes = safetensors::serialize(views, None)
            .map_err(|error| damaged(&path, error.to_string()))?;
        let manifest = Manifest {
            kind: KIND.into(),
            version: VERSION,
            training: self.training.clone(),
            files: Files { tensors: ContentHash::of(&bytes).to_string() },
        };
        // While files change, the folder is no model.
        let manifest_path = folder.join(MANIFEST);
        match fs::remove_file(&manifest_path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io(&manifest_path, error));
            }
            _ => {}
        }
        write_whole(&path, &bytes).map_err(|source| io(&path, source))?;
        let json = serde_json::to_string_pretty(&manifest)
            .map_err(|error| damaged(&manifest_path, error.to_string()))?;
        write_whole(&manifest_path, format!("{json}\n").as_bytes())
            .map_err(|source| io(&manifest_path, source))
    }

    /// Reads the words from a folder.
    ///
    /// # Errors
    /// If a file cannot be read, is not the one that was written, or a tensor does not fit; the
    /// file and the tensor are named.
    pub fn load(folder: &Path) -> Result<Self> {
        let path = folder.join(MANIFEST);
        let manifest: Manifest = serde_json::from_slice(&read(&path)?)
            .map_err(|error| damaged(&path, error.to_string()))?;
        if manifest.kind != KIND {
            return Err(damaged(&path, format!("kind is `{}`, not `{KIND}`", manifest.kind)));
        }
        if manifest.version != VERSION {
            let what = format!("version {}; this program reads {VERSION}", manifest.version);
            return Err(damaged(&path, what));
        }
        let path = folder.join(TENSORS);
        let bytes = read(&path)?;
        if ContentHash::of(&bytes).to_string() != manifest.files.tensors {
            return Err(damaged(&path, "is not the file that model.json names".into()));
        }
        let [colour, texture, sift] = [0, 1, 2].map(|kind| tensor(&path, &bytes, kind));
        Ok(Self::new([colour?, texture?, sift?], manifest.training))
    }
}

fn read(path: &Path) -> Result<Vec<u8>> {
    let size = fs::metadata(path).map_err(|source| io(path, source))?.len();
    if size > MOST_BYTES {
        let what = format!("{size} bytes are too many for visual words");
        return Err(damaged(path, what));
    }
    fs::read(path).map_err(|source| io(path, source))
}

fn tensor(path: &Path, bytes: &[u8], kind: usize) -> Result<Matrix> {
    let bad = |what: String| damaged(path, format!("tensor `{}`: {what}", NAMES[kind]));
    let file = SafeTensors::deserialize(bytes).map_err(|error| bad(error.to_string()))?;
    let view = file.tensor(NAMES[kind]).map_err(|_| bad("is missing".into()))?;
    if view.dtype() != Dtype::F32 {
        return Err(bad(format!("is {:?}, not F32", view.dtype())));
    }
    let (rows, columns) = (WORDS[kind], WIDTHS[kind]);
    if view.shape() != [rows, columns] {
        return Err(bad(format!("has shape {:?}, not [{rows}, {columns}]", view.shape())));
    }
    let values: Vec<f32> =
        view.data().as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)).collect();
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(bad(format!("value {at} is not finite")));
    }
    Matrix::new(rows, columns, values).map_err(|error| bad(error.to_string()))
}

fn io(path: &Path, source: std::io::Error) -> Error {
    Error::Io { name: path.display().to_string(), source }
}

fn damaged(path: &Path, what: String) -> Error {
    Error::Damaged { path: path.to_path_buf(), what }
}

struct Tensor<'a> {
    words: &'a Matrix,
    shape: [usize; 2],
}

impl View for Tensor<'_> {
    fn dtype(&self) -> Dtype {
        Dtype::F32
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        self.words.values().iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    fn data_len(&self) -> usize {
        self.words.values().len() * 4
    }
}
