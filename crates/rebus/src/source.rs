//! The flags that say what to read, for every verb that reads a collection.

use std::path::PathBuf;

use clap::Args;
use rebus_collection::format::{self, FORMATS, Format, ReadOptions};

/// A collection to read: flatten it into a verb's arguments.
#[derive(Debug, Clone, Args)]
pub(crate) struct SourceArgs {
    /// The collection: a file, a folder, or a pattern such as `x-{000..009}.tar`
    pub(crate) path: PathBuf,
    #[arg(long, value_name = "NAME", help = "The format, where it should not be guessed", long_help = formats())]
    pub(crate) format: Option<String>,
    /// Where the pictures lie, if not where the format expects them
    #[arg(long, value_name = "DIR")]
    pub(crate) photos: Option<PathBuf>,
    /// What a table's column means: rebus's name for it, then the file's (repeatable)
    #[arg(long = "column", value_name = "FIELD=NAME", value_parser = column)]
    pub(crate) columns: Vec<(String, String)>,
}

impl SourceArgs {
    /// The format asked for, or the one that fits.
    pub(crate) fn choose(&self) -> rebus_collection::Result<&'static dyn Format> {
        format::choose(&self.path, self.format.as_deref())
    }

    /// How to read it.
    pub(crate) fn options(&self) -> ReadOptions {
        ReadOptions {
            photos: self.photos.clone(),
            columns: self.columns.clone(),
            ..ReadOptions::default()
        }
    }
}

/// The formats with their lines of help.
fn formats() -> String {
    let mut help = String::from("The format, where it should not be guessed:");
    for format in FORMATS {
        help += &format!("\n- {}: {}", format.name(), format.about());
    }
    help
}

fn column(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((field, name)) if !field.is_empty() && !name.is_empty() => {
            Ok((field.to_owned(), name.to_owned()))
        }
        _ => Err("write it as FIELD=NAME, such as caption=sentence_text".into()),
    }
}
