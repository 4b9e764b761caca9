//! Where rebus keeps what it made or fetched: models in the data folder, features and other things
//! that can be made again in the cache folder.
//!
//! `REBUS_HOME` holds both where it is set; elsewhere the XDG folders do, or `.local/share` and
//! `.cache` in the home folder.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::output::Usage;

/// The folder of the models that were fetched or made.
pub(crate) fn models() -> Result<PathBuf, Usage> {
    Ok(folder("XDG_DATA_HOME", ".local/share")?.join("models"))
}

/// The folder of kept features: safe to delete.
pub(crate) fn features() -> Result<PathBuf, Usage> {
    Ok(cache()?.join("features"))
}

/// The folder of all that can be made again: safe to delete.
pub(crate) fn cache() -> Result<PathBuf, Usage> {
    Ok(folder("XDG_CACHE_HOME", ".cache")?.join("cache"))
}

fn folder(variable: &str, inside: &str) -> Result<PathBuf, Usage> {
    let set = |name: &str| std::env::var_os(name).filter(|value: &OsString| !value.is_empty());
    if let Some(home) = set("REBUS_HOME") {
        return Ok(PathBuf::from(home));
    }
    if let Some(folder) = set(variable) {
        return Ok(PathBuf::from(folder).join("rebus"));
    }
    match std::env::home_dir() {
        Some(home) => Ok(home.join(inside).join("rebus")),
        None => Err(Usage("no home folder: say where to keep things with REBUS_HOME".into())),
    }
}
