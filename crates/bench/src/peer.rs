//! Runs a peer's script in its own Python, on files in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Why a case could not be timed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file could not be written or a program not started.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or program.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The peer's script failed.
    #[error("the peer's script {script} failed: {what}")]
    Peer {
        /// The script.
        script: &'static str,
        /// Its last words.
        what: String,
    },
    /// Our own work failed.
    #[error("{0}")]
    Ours(String),
}

impl Error {
    /// What the user can do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { .. } | Self::Peer { .. } => Some(
                "install the peers with crates/bench/peers/install, then name their Python \
                 with --peers; or leave --peers out"
                    .into(),
            ),
            Self::Ours(_) => None,
        }
    }
}

/// A script of a peer, embedded so that an installed rebus has it too.
pub(crate) struct Script {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

impl Script {
    /// Runs the script with `python` on `folder` and reads the JSON it prints.
    pub(crate) fn run(&self, python: &Path, folder: &Path, more: &[&str]) -> Result<Value, Error> {
        let path = folder.join(self.name);
        write(&path, self.text.as_bytes())?;
        let output = Command::new(python)
            .arg(&path)
            .arg(folder)
            .args(more)
            .output()
            .map_err(|source| Error::Io { path: python.to_path_buf(), source })?;
        let failed = |what: &str| Error::Peer { script: self.name, what: what.trim().to_owned() };
        if !output.status.success() {
            let talk = String::from_utf8_lossy(&output.stderr);
            return Err(failed(talk.lines().last().unwrap_or("no message")));
        }
        let answer = String::from_utf8_lossy(&output.stdout);
        let last = answer.lines().last().unwrap_or_default();
        serde_json::from_str(last).map_err(|error| failed(&error.to_string()))
    }
}

/// Writes a file, with its path in the error.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    std::fs::write(path, bytes).map_err(|source| Error::Io { path: path.to_path_buf(), source })
}

/// A folder for a peer's input, removed when dropped.
pub(crate) fn folder() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(|source| Error::Io { path: std::env::temp_dir(), source })
}

/// A number in a peer's answer.
pub(crate) fn number(answer: &Value, pointer: &str, script: &Script) -> Result<f64, Error> {
    answer
        .pointer(pointer)
        .and_then(Value::as_f64)
        .ok_or_else(|| Error::Peer { script: script.name, what: format!("no number at {pointer}") })
}
