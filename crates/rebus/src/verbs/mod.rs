//! One file a verb: its flags, and the one call behind it.

use clap::Subcommand;

use crate::output::Outcome;

/// What can be asked of rebus.
#[derive(Subcommand)]
pub(crate) enum Verb {}

impl Verb {
    /// Does what was asked.
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        match self {}
    }
}
