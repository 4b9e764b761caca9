//! Where rebus keeps what it made or fetched.
//!
//! `REBUS_HOME` holds everything where it is set; elsewhere models are in the user's data folder
//! and what can be made again is in the user's cache folder.

use std::path::PathBuf;

use rebus_vision::encoder;

use crate::output::Usage;

/// The folder of the models that were fetched or made.
pub(crate) fn models() -> PathBuf {
    encoder::home()
}

/// The folder of the indexes that have no folder of their own.
pub(crate) fn indexes() -> PathBuf {
    models().with_file_name("indexes")
}

/// The file that remembers what was written into sidecars.
pub(crate) fn journal() -> PathBuf {
    models().with_file_name("sidecars.jsonl")
}

/// The folder of kept features: safe to delete.
pub(crate) fn features() -> Result<PathBuf, Usage> {
    Ok(cache()?.join("features"))
}

/// The folder of all that can be made again: safe to delete.
pub(crate) fn cache() -> Result<PathBuf, Usage> {
    let path =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = || {
        let named = path("XDG_CACHE_HOME").or_else(|| path("LOCALAPPDATA"));
        named.or_else(|| Some(std::env::home_dir()?.join(".cache"))).map(|dir| dir.join("rebus"))
    };
    path("REBUS_HOME")
        .map(|home| home.join("cache"))
        .or_else(cache)
        .ok_or_else(|| Usage("no home folder: say where to keep things with REBUS_HOME".into()))
}
