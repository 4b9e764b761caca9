//! The systems that a command line names, in one way for every verb that measures some.
//!
//! `[NAME=]FILE[,FILE...]`: a system is called as it is named, or else as its first file without the
//! ending; where another has that name already, as the path of that file. Several files are several
//! runs of the system.

use std::path::{Path, PathBuf};

use crate::output::Usage;

/// A system as it is named on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) files: Vec<PathBuf>,
}

/// The systems with their names, each once.
pub(crate) fn entries(given: &[String]) -> Result<Vec<Entry>, Usage> {
    let mut entries: Vec<Entry> = Vec::new();
    for text in given {
        let (name, files) = match text.split_once('=') {
            // A file whose own name holds a `=` is that file.
            Some((name, files)) if !Path::new(text).exists() => (name.to_owned(), files),
            _ => (String::new(), text.as_str()),
        };
        let files: Vec<PathBuf> = match Path::new(files).exists() {
            true => vec![files.into()],
            false => files.split(',').filter(|file| !file.is_empty()).map(PathBuf::from).collect(),
        };
        let Some(first) = files.first() else {
            return Err(Usage(format!("`{text}` names no file")));
        };
        let is_new = |name: &String| entries.iter().all(|entry| entry.name != *name);
        let stem = first.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let names = [Some(name).filter(|name| !name.is_empty()), stem];
        let Some(name) = names.into_iter().flatten().next() else {
            return Err(Usage(format!("`{text}` names no file")));
        };
        let name = if is_new(&name) { name } else { first.display().to_string() };
        if !is_new(&name) {
            return Err(Usage(format!("two systems are called {name}: name them apart")));
        }
        entries.push(Entry { name, files });
    }
    Ok(entries)
}

/// The systems, each with a single file.
pub(crate) fn single(given: &[String]) -> Result<Vec<(String, PathBuf)>, Usage> {
    let one = |entry: Entry| match <[PathBuf; 1]>::try_from(entry.files) {
        Ok([file]) => Ok((entry.name, file)),
        Err(_) => Err(Usage(format!(
            "{} has several files: `rebus compare` takes several runs of a system",
            entry.name
        ))),
    };
    entries(given)?.into_iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(given: &[&str]) -> Result<Vec<String>, String> {
        let given: Vec<String> = given.iter().map(ToString::to_string).collect();
        let entries = entries(&given).map_err(|usage| usage.0)?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    #[test]
    fn names_are_given_or_the_files() {
        assert_eq!(names(&["runs/a.run", "NN=b.npy", "c.d.npy"]).unwrap(), ["a", "NN", "c.d"]);
        assert_eq!(names(&["x/a.npy", "y/a.npy"]).unwrap(), ["a", "y/a.npy"]);
        assert!(names(&["a.npy", "a.npy", "a.npy"]).unwrap_err().contains("two systems"));
        assert!(names(&["NN="]).unwrap_err().contains("names no file"));
        let several = ["NN=a.npy,b.npy".to_owned()];
        assert_eq!(entries(&several).unwrap()[0].files.len(), 2);
        assert!(single(&several).is_err());
    }
}
