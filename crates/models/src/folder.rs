//! A model on disk: a folder with `model.json`, tensors and a vocabulary.
//!
//! `model.json` says what kind of model it is, what it was trained on and with which settings,
//! and holds the content hash of every other file. It is written last: a folder without it is
//! not a model.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use half::f16;
use rebus_collection::writers::write_whole;
use rebus_collection::{ContentHash, MappedFile, Matrix};
use rebus_text::vocabulary::Vocabulary;
use safetensors::{Dtype, SafeTensors, tensor::View};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::bag_of_words::Form;
use crate::{BagOfWords, Error, Result, Settings};

const MANIFEST: &str = "model.json";
const TENSORS: &str = "model.safetensors";
const VOCABULARY: &str = "vocabulary.txt";

/// What `model.json` says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the system in [`SYSTEMS`](crate::SYSTEMS).
    pub kind: String,
    /// The version of the kind's layout.
    pub version: u32,
    /// The extractor whose features it takes.
    pub extractor: String,
    /// The steps by which it takes texts apart, in order.
    pub analysis: Vec<String>,
    /// What it was trained on: how many pictures and texts, and whatever the caller adds.
    pub training: Map<String, Value>,
    /// The settings it was fitted with.
    pub settings: Value,
    /// BLAKE3 of the other files.
    #[serde(default)]
    pub files: Map<String, Value>,
}

/// Writes the files of a model, the manifest last.
pub(crate) struct Writer<'a> {
    folder: &'a Path,
    manifest: Manifest,
    dtype: Dtype,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(folder: &'a Path, manifest: Manifest) -> Result<Self> {
        fs::create_dir_all(folder).map_err(|source| Error::io(folder, source))?;
        // While files change, the folder is no model.
        match fs::remove_file(folder.join(MANIFEST)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(&folder.join(MANIFEST), error));
            }
            _ => {}
        }
        Ok(Self { folder, manifest: Manifest { files: Map::new(), ..manifest }, dtype: Dtype::F32 })
    }

    /// Keeps numbers in 16 bits.
    pub(crate) fn in_half(mut self) -> Self {
        self.dtype = Dtype::F16;
        self
    }

    pub(crate) fn file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let hash = ContentHash::of(bytes).to_string();
        self.manifest.files.insert(name.to_owned(), hash.into());
        write(&self.folder.join(name), bytes)
    }

    pub(crate) fn tensors(&mut self, tensors: &[(&str, &Matrix)]) -> Result<()> {
        let views = tensors.iter().map(|(name, matrix)| {
            let shape = [matrix.rows(), matrix.columns()];
            (*name, Tensor { matrix, shape, dtype: self.dtype })
        });
        let bytes = safetensors::serialize(views, None)
            .map_err(|error| Error::damaged(&self.folder.join(TENSORS), error.to_string()))?;
        self.file(TENSORS, &bytes)
    }

    pub(crate) fn vocabulary(&mut self, text: &str) -> Result<()> {
        self.file(VOCABULARY, text.as_bytes())
    }

    pub(crate) fn text(&mut self, name: &str, text: &str) -> Result<()> {
        self.file(name, text.as_bytes())
    }

    pub(crate) fn finish(self) -> Result<()> {
        let path = self.folder.join(MANIFEST);
        let json = serde_json::to_string_pretty(&self.manifest)
            .map_err(|error| Error::damaged(&path, error.to_string()))?;
        write(&path, format!("{json}\n").as_bytes())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    write_whole(path, bytes).map_err(|source| Error::io(path, source))
}

struct Tensor<'a> {
    matrix: &'a Matrix,
    shape: [usize; 2],
    dtype: Dtype,
}

impl View for Tensor<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let values = self.matrix.values().iter();
        let bytes: Vec<u8> = match self.dtype {
            Dtype::F16 => values.flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect(),
            _ => values.flat_map(|value| value.to_le_bytes()).collect(),
        };
        bytes.into()
    }

    fn data_len(&self) -> usize {
        self.matrix.values().len() * if self.dtype == Dtype::F16 { 2 } else { 4 }
    }
}

/// The files of a model, checked against their hashes.
pub(crate) struct Reader {
    pub(crate) manifest: Manifest,
    folder: PathBuf,
    /// Where the files are, if they are in the program itself.
    embedded: Option<Embedded>,
    tensors: Bytes,
}

/// The files of a model in memory: their names and contents.
pub(crate) type Embedded = &'static [(&'static str, &'static [u8])];

/// The bytes of a file: part of the program, or mapped from the disk.
enum Bytes {
    Here(&'static [u8]),
    Mapped(MappedFile),
}

impl Bytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Here(bytes) => bytes,
            Self::Mapped(file) => file.bytes(),
        }
    }
}

impl Reader {
    /// Opens a model of this kind and version.
    pub(crate) fn open(folder: &Path, kind: &str, version: u32) -> Result<Self> {
        Self::new(manifest(folder)?, folder, None, kind, version)
    }

    /// Opens a model that is part of the program.
    pub(crate) fn embedded(files: Embedded, kind: &str, version: u32) -> Result<Self> {
        let folder = Path::new("embedded");
        let bytes = find(files, MANIFEST).ok_or_else(|| Error::damaged(folder, "no model.json"))?;
        let manifest = serde_json::from_slice(bytes)
            .map_err(|error| Error::damaged(&folder.join(MANIFEST), error.to_string()))?;
        Self::new(manifest, folder, Some(files), kind, version)
    }

    fn new(
        manifest: Manifest,
        folder: &Path,
        embedded: Option<Embedded>,
        kind: &str,
        version: u32,
    ) -> Result<Self> {
        let mut reader =
            Self { manifest, folder: folder.to_path_buf(), embedded, tensors: Bytes::Here(&[]) };
        if reader.manifest.kind != kind {
            return Err(reader.damaged(format!("kind is `{}`, not `{kind}`", reader.manifest.kind)));
        }
        if reader.manifest.version != version {
            return Err(reader.damaged(format!(
                "version {} of `{kind}`; this program reads {version}",
                reader.manifest.version
            )));
        }
        reader.tensors = reader.tensor_file()?;
        Ok(reader)
    }

    /// Something is wrong with what `model.json` says.
    pub(crate) fn damaged(&self, what: String) -> Error {
        Error::damaged(&self.folder.join(MANIFEST), what)
    }

    /// Something is wrong with a tensor.
    pub(crate) fn damaged_tensor(&self, name: &str, what: impl std::fmt::Display) -> Error {
        Error::damaged(&self.folder.join(TENSORS), format!("tensor `{name}`: {what}"))
    }

    /// The settings, which must make sense.
    pub(crate) fn settings<P: Settings>(&self) -> Result<P> {
        let params: P = serde_json::from_value(self.manifest.settings.clone())
            .map_err(|error| self.damaged(format!("settings: {error}")))?;
        params.check().map_err(|error| self.damaged(format!("settings: {error}")))?;
        Ok(params)
    }

    pub(crate) fn file(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = match self.embedded {
            Some(files) => {
                find(files, name).ok_or_else(|| Error::damaged(&path, "is missing"))?.to_vec()
            }
            None => fs::read(&path).map_err(|source| Error::io(&path, source))?,
        };
        self.check(name, &bytes)?;
        Ok(bytes)
    }

    /// The file of tensors: mapped, or where the program has it.
    fn tensor_file(&self) -> Result<Bytes> {
        let path = self.folder.join(TENSORS);
        let bytes = match self.embedded {
            Some(files) => Bytes::Here(
                find(files, TENSORS).ok_or_else(|| Error::damaged(&path, "is missing"))?,
            ),
            None => Bytes::Mapped(MappedFile::open(&path).map_err(|error| match error {
                rebus_collection::Error::Io { source, .. } => Error::io(&path, source),
                other => Error::damaged(&path, other.to_string()),
            })?),
        };
        self.check(TENSORS, bytes.as_slice())?;
        Ok(bytes)
    }

    /// Whether a file is the one that the manifest names.
    fn check(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        let hash = ContentHash::of(bytes).to_string();
        match self.manifest.files.get(name).and_then(Value::as_str) {
            Some(known) if known == hash => Ok(()),
            Some(_) => Err(Error::damaged(&path, "is not the file that model.json names")),
            None => Err(Error::damaged(&path, "is not named in model.json")),
        }
    }

    /// A file of text.
    pub(crate) fn text(&self, name: &str) -> Result<String> {
        String::from_utf8(self.file(name)?)
            .map_err(|error| Error::damaged(&self.folder.join(name), error.to_string()))
    }

    /// The text side, which must take texts apart as this program does.
    pub(crate) fn bag_of_words(&self, form: Form) -> Result<BagOfWords> {
        let path = self.folder.join(VOCABULARY);
        let text = self.text(VOCABULARY)?;
        let vocabulary = Vocabulary::from_text(&text, &path)
            .map_err(|error| Error::damaged(&path, error.to_string()))?;
        let bag = BagOfWords::new(vocabulary, form);
        if bag.analysis() != self.manifest.analysis {
            let what =
                format!("analysis is {:?}, not {:?}", self.manifest.analysis, bag.analysis());
            return Err(Error::damaged(&self.folder.join(MANIFEST), what));
        }
        Ok(bag)
    }

    /// A tensor that must have this shape; `None` leaves a side open. Its numbers stay in the file.
    pub(crate) fn tensor(&self, name: &str, shape: [Option<usize>; 2]) -> Result<Matrix> {
        let bad = |what: String| self.damaged_tensor(name, what);
        let bytes = self.tensors.as_slice();
        let file = SafeTensors::deserialize(bytes).map_err(|e| bad(e.to_string()))?;
        let view = file.tensor(name).map_err(|_| bad("is missing".into()))?;
        if !matches!(view.dtype(), Dtype::F32 | Dtype::F16) {
            return Err(bad(format!("is {:?}, not F32 or F16", view.dtype())));
        }
        let &[rows, columns] = view.shape() else {
            return Err(bad(format!("has {} sides, not 2", view.shape().len())));
        };
        let [want_rows, want_columns] = shape;
        if want_rows.is_some_and(|want| want != rows)
            || want_columns.is_some_and(|want| want != columns)
        {
            let side = |want: Option<usize>| want.map_or("any".into(), |want| want.to_string());
            let want = format!("{} x {}", side(want_rows), side(want_columns));
            return Err(bad(format!("is {rows} x {columns}, not {want}")));
        }
        let matrix = match (view.dtype(), &self.tensors) {
            (Dtype::F32, Bytes::Mapped(file)) => {
                // Where the tensor begins in the file: its bytes are a part of the file's.
                let start = view.data().as_ptr() as usize - bytes.as_ptr() as usize;
                file.matrix(start, rows, columns)
            }
            (Dtype::F16, _) => {
                let pairs = view.data().as_chunks::<2>().0.iter();
                let values = pairs.map(|&two| f16::from_le_bytes(two).to_f32()).collect();
                Matrix::new(rows, columns, values)
            }
            _ => {
                let fours = view.data().as_chunks::<4>().0.iter();
                let values = fours.map(|&four| f32::from_le_bytes(four)).collect();
                Matrix::new(rows, columns, values)
            }
        };
        let matrix = matrix.map_err(|error| bad(error.to_string()))?;
        if let Some(at) = matrix.values().iter().position(|value| !value.is_finite()) {
            return Err(bad(format!("value {at} is not finite")));
        }
        Ok(matrix)
    }
}

fn find(files: Embedded, name: &str) -> Option<&'static [u8]> {
    files.iter().find(|(known, _)| *known == name).map(|(_, bytes)| *bytes)
}

/// Where the training data of a model came from.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingSource {
    /// What the collection is called.
    pub collection: String,
    /// What it said: [`Collection::hash`](rebus_collection::Collection::hash).
    pub hash: ContentHash,
    /// What was taken of it and how: split, captions, whatever else one must know to do it again.
    pub protocol: Map<String, Value>,
}

/// Writes into the `model.json` of a saved model where its training data came from, as `collection`,
/// `hash` and `protocol` beside what the model itself says of its training.
///
/// # Errors
/// If the folder holds no model, or `model.json` cannot be written.
pub fn record_training(folder: &Path, source: &TrainingSource) -> Result<()> {
    let mut manifest = manifest(folder)?;
    for (name, value) in [
        ("collection", Value::from(source.collection.as_str())),
        ("hash", source.hash.to_string().into()),
        ("protocol", source.protocol.clone().into()),
    ] {
        manifest.training.insert(name.to_owned(), value);
    }
    Writer { folder, manifest, dtype: Dtype::F32 }.finish()
}

/// What `model.json` of a folder says.
pub fn manifest(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|source| Error::io(&path, source))?;
    serde_json::from_str(&text).map_err(|error| Error::damaged(&path, error.to_string()))
}
