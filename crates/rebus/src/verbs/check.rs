//! `rebus check`: whether an index is whole.

use std::fmt::Write;

use clap::Args;
use rebus_index::check;
use serde_json::json;

use crate::index;
use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;

/// Look through every file of an index for damage, and tell what it affects.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus check
  rebus check family --json

Exit code 4 if anything is damaged. `rebus index --repair` makes it again from the photos.")]
pub(crate) struct Check {
    /// The index: its folder or its name [default: the one last made or
    /// brought up to date]
    #[arg(value_name = "INDEX")]
    index: Option<String>,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let folder = index::existing(self.index.as_deref())?;
        let report = check(&folder, &Talk::new())?;
        if self.json {
            let mut whole = json!(report);
            whole["index"] = folder.display().to_string().into();
            answer(format_args!("{whole:#}"))?;
        } else {
            let mut text = String::new();
            for damage in &report.damages {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{}: {}", damage.file.display(), damage.what);
                let _ = writeln!(text, "  affects: {}", damage.affects);
                let _ = writeln!(text, "  remedy: {}", damage.remedy);
            }
            if text.is_empty() {
                text += "nothing is damaged";
            }
            answer(text.trim_end())?;
        }
        say(format_args!(
            "checked {}, {} and {} in {}: {}",
            counted(report.photos, "photo"),
            counted(report.vectors, "vector"),
            counted(report.thumbnails, "thumbnail"),
            folder.display(),
            match report.damages.len() as u64 {
                0 => "all well".to_owned(),
                count => format!("{} damaged", counted(count, "place")),
            }
        ));
        Ok(if report.damages.is_empty() { Outcome::Fine } else { Outcome::Damaged })
    }
}
