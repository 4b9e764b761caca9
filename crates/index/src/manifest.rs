//! `index.json`: what a folder is, before anything else in it is touched.

use std::io::Write;
use std::path::Path;

use rebus_collection::writers::AtomicFile;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// The file.
pub(crate) const FILE: &str = "index.json";
/// What it calls itself.
const FORMAT: &str = "rebus index";
/// The version that this program writes, and the newest that it reads.
pub const VERSION: u32 = 1;

/// What `index.json` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    pub(crate) version: u32,
    pub(crate) name: String,
    /// The program that made it.
    created_by: String,
}

impl Manifest {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            format: FORMAT.into(),
            version: VERSION,
            name: name.into(),
            created_by: concat!("rebus ", env!("CARGO_PKG_VERSION")).into(),
        }
    }

    /// Reads the manifest of a folder; a newer version is refused before anything else is read.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::Absent { path: folder.to_path_buf() });
            }
            Err(source) => return Err(Error::io(&path, source)),
        };
        let value: serde_json::Value = serde_json::from_str(&text)
            .map_err(|error| Error::damaged(&path, error.to_string()))?;
        // Whatever else a newer version has, these two say what it is.
        if value["format"] != FORMAT {
            return Err(Error::damaged(&path, "it is not that of an index"));
        }
        let version = value["version"].as_u64().and_then(|version| u32::try_from(version).ok());
        match version {
            Some(found) if found > VERSION => {
                Err(Error::Newer { path: folder.to_path_buf(), found, known: VERSION })
            }
            Some(_) => serde_json::from_value(value)
                .map_err(|error| Error::damaged(&path, error.to_string())),
            None => Err(Error::damaged(&path, "it does not say its version")),
        }
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<()> {
        let path = folder.join(FILE);
        let mut file = AtomicFile::create(&path)?;
        let text = format!("{:#}\n", serde_json::json!(self));
        file.write_all(text.as_bytes()).map_err(|source| Error::io(&path, source))?;
        Ok(file.commit()?)
    }
}

/// Whether a folder is an index.
pub(crate) fn is_index(folder: &Path) -> bool {
    folder.join(FILE).is_file() && folder.join(crate::catalogue::FOLDER).is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_version_is_refused_and_another_file_is_no_index() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(Manifest::read(folder.path()), Err(Error::Absent { .. })));
        let manifest = Manifest::new("holidays");
        manifest.write(folder.path()).unwrap();
        assert_eq!(Manifest::read(folder.path()).unwrap(), manifest);
        let put = |text: &str| std::fs::write(folder.path().join(FILE), text).unwrap();
        put(r#"{"format": "rebus index", "version": 7, "rooms": 3}"#);
        let error = Manifest::read(folder.path()).unwrap_err();
        assert!(error.to_string().contains("version 7"), "{error}");
        assert!(error.hint().unwrap().contains("newer rebus"));
        for text in ["", "{}", r#"{"format": "rebus index"}"#, "[1]"] {
            put(text);
            assert!(matches!(Manifest::read(folder.path()), Err(Error::Damaged { .. })), "{text}");
        }
    }
}
