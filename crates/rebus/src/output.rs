//! Answers on stdout, talk on stderr, exit codes, and the flags that every verb with figures has.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use rebus_eval::Ties;
use rebus_eval::report::Report;

/// How a verb ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well: exit code 0.
    Fine,
    /// Nothing was found, or a check fell short: exit code 1.
    Short,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::SUCCESS,
            Outcome::Short => Self::from(1),
        }
    }
}

/// Wrong usage that clap cannot see, such as options that contradict each other: exit code 2.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Writes a piece of the answer to stdout. A reader that went away (`| head`) is no error.
pub(crate) fn answer(text: impl Display) -> anyhow::Result<()> {
    match writeln!(anstream::stdout(), "{text}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        other => Ok(other?),
    }
}

/// Refuses to write over a file that is read.
pub(crate) fn keep_inputs<'a>(
    inputs: impl IntoIterator<Item = &'a PathBuf>,
    out: &Path,
) -> Result<(), Usage> {
    let Ok(target) = out.canonicalize() else { return Ok(()) };
    if inputs.into_iter().any(|input| input.canonicalize().is_ok_and(|input| input == target)) {
        return Err(Usage(format!("{} is read: write to another file", out.display())));
    }
    Ok(())
}

/// How figures are printed: flatten it into a verb's arguments.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReportArgs {
    /// Print the figures as JSON, in full precision
    #[arg(long, conflicts_with_all = ["csv", "latex"])]
    pub(crate) json: bool,
    /// Print the figures as comma-separated values, one figure a line
    #[arg(long, conflicts_with = "latex")]
    pub(crate) csv: bool,
    /// Print the figures as LaTeX tables
    #[arg(long)]
    pub(crate) latex: bool,
    /// Also write a page with tables and plots, which needs no other file
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,
}

/// Prints a report as its flags ask, and writes the page where one is asked for.
pub(crate) fn print_report(report: &Report, args: &ReportArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.report {
        std::fs::write(path, report.to_html())
            .with_context(|| format!("cannot write {}", path.display()))?;
        say(format_args!("wrote {}", path.display()));
    }
    if args.json {
        answer(format_args!("{:#}", report.to_json()))
    } else if args.csv {
        answer(report.to_csv())
    } else if args.latex {
        answer(report.to_latex())
    } else {
        answer(report.to_text())
    }
}

/// Reads a rule for ties by its name.
pub(crate) fn ties() -> impl TypedValueParser<Value = Ties> {
    PossibleValuesParser::new(Ties::ALL.map(Ties::name)).try_map(|name| name.parse::<Ties>())
}

/// So many of a thing, in words: "1 item", "2 items".
pub(crate) fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Says something to the person at the terminal, on stderr.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Prints an error with its causes and its remedy, and gives the exit code that belongs to it.
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    let mut said = error.to_string();
    say(format_args!("error: {said}"));
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors tell their cause themselves.
        if !said.ends_with(&cause) {
            say(format_args!("  because: {cause}"));
            said = cause;
        }
    }
    if let Some(hint) = error.chain().find_map(hint) {
        say(format_args!("hint: {hint}"));
    }
    ExitCode::from(exit_code(error))
}

fn hint(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let collection = || about_data(error).and_then(rebus_collection::Error::hint);
    let vision = || error.downcast_ref::<rebus_vision::Error>().and_then(rebus_vision::Error::hint);
    let models = || error.downcast_ref::<rebus_models::Error>().and_then(rebus_models::Error::hint);
    let eval = || error.downcast_ref::<rebus_eval::Error>().and_then(rebus_eval::Error::hint);
    let text = || error.downcast_ref::<rebus_text::Error>().and_then(rebus_text::Error::hint);
    collection().or_else(vision).or_else(models).or_else(eval).or_else(text)
}

/// The error about data that this one is, or passes on.
fn about_data<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a rebus_collection::Error> {
    match error.downcast_ref::<rebus_papers::Error>() {
        Some(rebus_papers::Error::Data(inner)) => Some(inner),
        _ => error.downcast_ref::<rebus_collection::Error>(),
    }
}

fn exit_code(error: &anyhow::Error) -> u8 {
    error.chain().find_map(code_of).unwrap_or(3)
}

/// The exit code that an error asks for by its kind; bad input (3) is what the rest is.
fn code_of(error: &(dyn std::error::Error + 'static)) -> Option<u8> {
    if error.is::<Usage>() {
        return Some(2);
    }
    if let Some(error) = about_data(error) {
        return match error {
            rebus_collection::Error::Interrupted => Some(130),
            rebus_collection::Error::NoSuch { .. } => Some(2),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<rebus_models::Error>() {
        return match error {
            rebus_models::Error::Interrupted => Some(130),
            rebus_models::Error::Setting { .. } => Some(2),
            rebus_models::Error::Damaged { .. } => Some(4),
            _ => None,
        };
    }
    if let Some(error) = error.downcast_ref::<rebus_eval::Error>() {
        return error.is_wrong_usage().then_some(2);
    }
    if let Some(error) = error.downcast_ref::<rebus_text::Error>() {
        return error.is_wrong_usage().then_some(2);
    }
    match error.downcast_ref::<rebus_vision::Error>() {
        Some(rebus_vision::Error::Interrupted) => Some(130),
        Some(rebus_vision::Error::Network { .. }) => Some(4),
        _ => None,
    }
}
