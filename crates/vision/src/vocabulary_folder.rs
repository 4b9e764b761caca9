//! Vocabularies on disk: a folder with `model.json` and `model.safetensors`.
//!
//! The same shape as a model's folder: the JSON says what made the vocabulary and holds the hash of
//! the other file; it is written last.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use rebus_collection::writers::write_whole;
use rebus_collection::{ContentHash, Matrix};
use safetensors::{Dtype, SafeTensors, tensor::View};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

const MANIFEST: &str = "model.json";
const TENSORS: &str = "model.safetensors";
/// No `model.json` of a vocabulary comes near this size, nor the names in the other file.
const MOST_TEXT: usize = 1 << 16;
/// No vocabulary comes near so many numbers.
const MOST_VALUES: usize = 1 << 28;

/// A kind of vocabulary.
pub(crate) struct Kind {
    /// What `model.json` calls it.
    pub(crate) name: &'static str,
    pub(crate) version: u32,
    /// The names of its tensors.
    pub(crate) tensors: &'static [&'static str],
}

#[derive(Serialize, Deserialize)]
struct Manifest<T> {
    kind: String,
    version: u32,
    training: T,
    files: Files,
}

#[derive(Serialize, Deserialize)]
struct Files {
    #[serde(rename = "model.safetensors")]
    tensors: String,
}

#[derive(Deserialize)]
struct Head {
    kind: String,
    version: u32,
}

/// The kind of vocabulary that a folder holds, if it looks like one; empty if that cannot be read.
pub(crate) fn kind(folder: &Path) -> Option<String> {
    let manifest = folder.join(MANIFEST);
    if !folder.join(TENSORS).is_file() || !manifest.is_file() {
        return None;
    }
    let head = read(&manifest, MOST_TEXT).ok().and_then(|text| serde_json::from_slice(&text).ok());
    Some(head.map_or_else(String::new, |head: Head| head.kind))
}

impl Kind {
    /// Writes a vocabulary into a folder, which is made if needed.
    pub(crate) fn save<T: Serialize>(
        &self,
        folder: &Path,
        training: &T,
        tensors: &[&Matrix],
    ) -> Result<()> {
        fs::create_dir_all(folder).map_err(|source| io(folder, source))?;
        let views = self.tensors.iter().zip(tensors).map(|(name, values)| {
            (*name, Tensor { values, shape: [values.rows(), values.columns()] })
        });
        let path = folder.join(TENSORS);
        let bytes = safetensors::serialize(views, None)
            .map_err(|error| damaged(&path, error.to_string()))?;
        let manifest = Manifest {
            kind: self.name.into(),
            version: self.version,
            training,
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

    /// Reads a vocabulary: what made it, and its tensors, which must have the shapes that `shape`
    /// gives for each.
    pub(crate) fn load<T: DeserializeOwned>(
        &self,
        folder: &Path,
        shape: impl Fn(&T, usize) -> [usize; 2],
    ) -> Result<(T, Vec<Matrix>)> {
        let path = folder.join(MANIFEST);
        let text = read(&path, MOST_TEXT)?;
        let bad = |error: serde_json::Error| damaged(&path, error.to_string());
        let head: Head = serde_json::from_slice(&text).map_err(bad)?;
        if head.kind != self.name {
            return Err(damaged(&path, format!("kind is `{}`, not `{}`", head.kind, self.name)));
        }
        if head.version != self.version {
            let what = format!("version {}; this program reads {}", head.version, self.version);
            return Err(damaged(&path, what));
        }
        let manifest: Manifest<T> = serde_json::from_slice(&text).map_err(bad)?;
        let shapes: Vec<[usize; 2]> =
            (0..self.tensors.len()).map(|at| shape(&manifest.training, at)).collect();
        let values = shapes
            .iter()
            .fold(0usize, |sum, [rows, columns]| sum.saturating_add(rows.saturating_mul(*columns)));
        if values > MOST_VALUES {
            return Err(damaged(&path, format!("it speaks of {values} numbers, which are absurd")));
        }
        let path = folder.join(TENSORS);
        let bytes = read(&path, values * size_of::<f32>() + MOST_TEXT)?;
        if ContentHash::of(&bytes).to_string() != manifest.files.tensors {
            return Err(damaged(&path, "is not the file that model.json names".into()));
        }
        let tensors = self.tensors.iter().zip(shapes);
        let tensors = tensors.map(|(name, shape)| tensor(&path, &bytes, name, shape));
        Ok((manifest.training, tensors.collect::<Result<_>>()?))
    }
}

fn read(path: &Path, most: usize) -> Result<Vec<u8>> {
    let size = fs::metadata(path).map_err(|source| io(path, source))?.len();
    if size > most as u64 {
        return Err(damaged(path, format!("{size} bytes are too many for it")));
    }
    fs::read(path).map_err(|source| io(path, source))
}

fn tensor(path: &Path, bytes: &[u8], name: &str, [rows, columns]: [usize; 2]) -> Result<Matrix> {
    let bad = |what: String| damaged(path, format!("tensor `{name}`: {what}"));
    let file = SafeTensors::deserialize(bytes).map_err(|error| bad(error.to_string()))?;
    let view = file.tensor(name).map_err(|_| bad("is missing".into()))?;
    if view.dtype() != Dtype::F32 {
        return Err(bad(format!("is {:?}, not F32", view.dtype())));
    }
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
    values: &'a Matrix,
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
        let values = self.values.values().iter();
        values.flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().into()
    }

    fn data_len(&self) -> usize {
        self.values.values().len() * 4
    }
}
