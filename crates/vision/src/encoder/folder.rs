//! Finding a network and its recipe in the layouts that people have.

use std::fs;
use std::path::{Path, PathBuf};

use super::recipe::{FILES, Recipe};
use crate::{Error, Result};

/// Where the network may lie in a folder, the most particular first.
const NETWORKS: [&str; 5] = [
    "model.onnx",
    "visual/model.onnx",
    "onnx/vision_model.onnx",
    "vision_model.onnx",
    "onnx/model.onnx",
];

/// The largest recipe that is read.
const LARGEST_RECIPE: u64 = 1 << 20;

/// The network's file and its recipe, from a folder or a file.
pub(super) fn find(path: &Path) -> Result<(PathBuf, Recipe)> {
    let name = path.display().to_string();
    let about = fs::metadata(path).map_err(|source| Error::Io { name: name.clone(), source })?;
    let file = if about.is_dir() { network_in(path)? } else { path.to_path_buf() };
    let mut folders: Vec<&Path> = file.parent().into_iter().collect();
    // A recipe may lie beside the folder of the network: onnx/model.onnx.
    if about.is_dir() && !folders.contains(&path) {
        folders.push(path);
    }
    let mut recipe = recipe_in(&folders)?.unwrap_or_default();
    if recipe.name.is_empty() {
        let called = if about.is_dir() { path.file_name() } else { path.file_stem() };
        recipe.name = called.map_or(name, |called| called.to_string_lossy().into_owned());
    }
    Ok((file, recipe))
}

fn network_in(folder: &Path) -> Result<PathBuf> {
    if let Some(file) = NETWORKS.iter().map(|name| folder.join(name)).find(|file| file.is_file()) {
        return Ok(file);
    }
    let name = folder.display().to_string();
    let entries =
        fs::read_dir(folder).map_err(|source| Error::Io { name: name.clone(), source })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|file| file.extension().is_some_and(|extension| extension == "onnx"))
        .collect();
    files.sort();
    match (files.pop(), files.is_empty()) {
        (Some(file), true) => Ok(file),
        (None, _) => Err(Error::Network { name, what: "there is no .onnx file in it".into() }),
        (Some(_), false) => Err(Error::Network {
            name,
            what: "there are several .onnx files in it; name one of them".into(),
        }),
    }
}

fn recipe_in(folders: &[&Path]) -> Result<Option<Recipe>> {
    for folder in folders {
        for (file, read) in FILES {
            let path = folder.join(file);
            let name = path.display().to_string();
            let Ok(about) = fs::metadata(&path) else { continue };
            if about.len() > LARGEST_RECIPE {
                return Err(Error::Network { name, what: "too large for a recipe".into() });
            }
            let text = fs::read_to_string(&path)
                .map_err(|source| Error::Io { name: name.clone(), source })?;
            return read(&text).map(Some).map_err(|what| Error::Network { name, what });
        }
    }
    Ok(None)
}
