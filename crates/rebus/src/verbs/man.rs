//! `rebus man`: manual pages.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, CommandFactory};

use crate::Cli;
use crate::output::{Outcome, say};

/// Write manual pages, one for rebus and one for each verb.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus man ~/.local/share/man/man1
  rebus man man && man man/rebus-eval.1")]
pub(crate) struct Man {
    /// The folder to write them to.
    folder: PathBuf,
}

impl Man {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let path = || self.folder.display().to_string();
        std::fs::create_dir_all(&self.folder).with_context(path)?;
        clap_mangen::generate_to(Cli::command(), &self.folder).with_context(path)?;
        say(format_args!("manual pages written to {}", self.folder.display()));
        Ok(Outcome::Fine)
    }
}
