//! `rebus completions`: completions for a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Cli;
use crate::output::{Outcome, answer};

/// Print completions for a shell.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus completions bash > ~/.local/share/bash-completion/completions/rebus
  rebus completions zsh > ~/.zfunc/_rebus")]
pub(crate) struct Completions {
    /// The shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "rebus", &mut script);
        answer(String::from_utf8_lossy(&script).trim_end())?;
        Ok(Outcome::Fine)
    }
}
