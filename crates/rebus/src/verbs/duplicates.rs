//! `rebus duplicates`: photos that are there more than once.

use std::fmt::Write;

use clap::Args;
use rebus_index::{Alike, Group, Limits, Photo, duplicates};
use serde_json::{Value, json};

use crate::index::IndexArgs;
use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;

/// Find photos with the same bytes, and photos that are nearly the same picture.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus duplicates
  rebus duplicates --exact --paths > spare.txt

Nearly the same are photos made smaller, compressed again or touched up a little. With --paths, the
best photo of every group (the largest) is left out, so that what is printed can be looked through
for what to remove; rebus removes nothing. Exit code 1 if there are none.")]
pub(crate) struct Duplicates {
    #[command(flatten)]
    index: IndexArgs,
    /// Only those with the same bytes
    #[arg(long)]
    exact: bool,
    /// In how many of 64 bits photos that are nearly the same may differ, at most 7
    #[arg(long, value_name = "N", default_value_t = Limits::default().bits)]
    bits: u32,
    /// How alike a model must find them, from 0 to 1
    #[arg(long, value_name = "COSINE", default_value_t = Limits::default().cosine)]
    cosine: f32,
    /// Print the paths of all but the best photo of every group, one a line
    #[arg(long, conflicts_with = "json")]
    paths: bool,
    /// Print the groups as JSON
    #[arg(long)]
    json: bool,
}

impl Duplicates {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let index = self.index.open()?;
        let limits = Limits { bits: self.bits, cosine: self.cosine };
        let mut groups = duplicates(&index, limits, &Talk::new())?;
        if self.exact {
            groups.retain(|group| group.alike == Alike::Exact);
        }
        if self.json {
            let groups: Vec<Value> = groups.iter().map(as_json).collect();
            let folder = index.folder().display().to_string();
            answer(format_args!("{:#}", json!({ "index": folder, "groups": groups })))?;
        } else {
            let text = if self.paths { spare(&groups) } else { describe(&groups) };
            if !text.is_empty() {
                answer(text.trim_end())?;
            }
        }
        let count = |alike| groups.iter().filter(|group| group.alike == alike).count() as u64;
        say(format_args!(
            "found {} of the same bytes and {} nearly the same among {} in {}",
            counted(count(Alike::Exact), "group"),
            counted(count(Alike::Near), "group"),
            counted(index.len() as u64, "photo"),
            index.folder().display()
        ));
        Ok(if groups.is_empty() { Outcome::Short } else { Outcome::Fine })
    }
}

fn as_json(group: &Group) -> Value {
    let photo = |photo: &Photo| {
        json!({
            "path": photo.path.display().to_string(),
            "bytes": photo.bytes,
            "width": photo.size.map(|size| size.width),
            "height": photo.size.map(|size| size.height),
        })
    };
    json!({ "alike": group.alike, "photos": group.photos.iter().map(photo).collect::<Vec<_>>() })
}

fn describe(groups: &[Group]) -> String {
    let mut text = String::new();
    for group in groups {
        let alike = match group.alike {
            Alike::Exact => "the same bytes",
            Alike::Near => "nearly the same",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{alike}:");
        for photo in &group.photos {
            let size = photo
                .size
                .map_or_else(String::new, |size| format!(", {} x {}", size.width, size.height));
            let bytes = counted(photo.bytes, "byte");
            let _ = writeln!(text, "  {} ({bytes}{size})", photo.path.display());
        }
    }
    text
}

/// Paths of all photos but the first of every group, each once.
fn spare(groups: &[Group]) -> String {
    let mut text = String::new();
    let mut told = std::collections::BTreeSet::new();
    for photo in groups.iter().flat_map(|group| group.photos.iter().skip(1)) {
        if told.insert(&photo.path) {
            let _ = writeln!(text, "{}", photo.path.display());
        }
    }
    text
}
