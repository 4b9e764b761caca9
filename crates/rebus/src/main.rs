//! The `rebus` command: flags, one call into a library, printing.

mod built_in;
mod contact_sheet;
mod home;
mod index;
mod indexed_model;
mod model;
mod output;
mod part;
mod progress;
mod source;
mod systems;
mod terminal_pictures;
mod verbs;
mod walk;

use std::process::ExitCode;

use clap::Parser;

use crate::verbs::Verb;

/// Pictures for words, words for pictures: find, describe and measure.
#[derive(Parser)]
#[command(name = "rebus", version, max_term_width = 100, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

fn main() -> ExitCode {
    let asked = Cli::try_parse().unwrap_or_else(|error| verbs::point_at_minus(error).exit());
    match asked.verb.run() {
        Ok(outcome) => outcome.into(),
        Err(error) => output::fail(&error),
    }
}
