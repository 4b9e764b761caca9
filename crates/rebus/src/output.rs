//! Answers on stdout, talk on stderr, exit codes, and the flags that every verb with figures has.

use std::fmt::Display;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
pub(crate) use rebus_collection::counted;
use rebus_eval::Ties;
use rebus_eval::report::Report;

/// How a verb ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All is well: exit code 0.
    Fine,
    /// Nothing was found, or a check fell short: exit code 1.
    Short,
    /// An index is damaged, and the answer says where: exit code 4.
    Damaged,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Fine => Self::SUCCESS,
            Outcome::Short => Self::from(1),
            Outcome::Damaged => Self::from(4),
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

/// Writes the page, where one is asked for.
pub(crate) fn write_page(report: &Report, args: &ReportArgs) -> anyhow::Result<()> {
    if let Some(path) = &args.report {
        std::fs::write(path, report.to_html())
            .with_context(|| format!("cannot write {}", path.display()))?;
        say(format_args!("wrote {}", path.display()));
    }
    Ok(())
}

/// Prints a report as its flags ask, and writes the page where one is asked for.
pub(crate) fn print_report(report: &Report, args: &ReportArgs) -> anyhow::Result<()> {
    write_page(report, args)?;
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
    let ours = || error.chain().filter_map(told);
    if let Some(hint) = ours().find_map(Told::remedy) {
        say(format_args!("hint: {hint}"));
    }
    ExitCode::from(ours().find_map(Told::code).unwrap_or(BAD_INPUT))
}

/// What the command makes of an error of a library: a remedy, and the exit code it asks for.
trait Told {
    /// What the user can do about it.
    fn remedy(&self) -> Option<String>;

    /// The exit code, where it is another than that of bad input.
    fn code(&self) -> Option<u8>;
}

/// Bad input, which is what most errors are.
const BAD_INPUT: u8 = 3;

impl Told for Usage {
    fn remedy(&self) -> Option<String> {
        None
    }

    fn code(&self) -> Option<u8> {
        Some(2)
    }
}

impl Told for rebus_collection::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Interrupted => Some(130),
            Self::NoSuch { .. } => Some(2),
            _ => None,
        }
    }
}

impl Told for rebus_eval::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        self.is_wrong_usage().then_some(2)
    }
}

impl Told for rebus_index::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Interrupted => Some(130),
            Self::Damaged { .. } => Some(4),
            Self::NoSuch { .. } | Self::Taken { .. } | Self::Setting { .. } => Some(2),
            Self::Collection(inner) => inner.code(),
            Self::Vision(inner) => inner.code(),
            Self::Model(inner) => inner.code(),
            _ => None,
        }
    }
}

impl Told for rebus_models::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Interrupted => Some(130),
            Self::Setting { .. } => Some(2),
            Self::Damaged { .. } => Some(4),
            _ => None,
        }
    }
}

impl Told for rebus_papers::Error {
    fn remedy(&self) -> Option<String> {
        match self {
            Self::Data(inner) => inner.remedy(),
            Self::Vision(inner) => inner.remedy(),
            Self::Text(inner) => inner.remedy(),
            Self::Model(inner) => inner.remedy(),
            Self::Eval(inner) => inner.remedy(),
            _ => None,
        }
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Data(inner) => inner.code(),
            Self::Vision(inner) => inner.code(),
            Self::Text(inner) => inner.code(),
            Self::Model(inner) => inner.code(),
            Self::Eval(inner) => inner.code(),
            _ => None,
        }
    }
}

impl Told for rebus_serve::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        matches!(self, Self::Token { .. } | Self::Unguarded { .. }).then_some(2)
    }
}

impl Told for rebus_text::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Damaged { .. } => Some(4),
            Self::Data(error) => error.code(),
            _ => self.is_wrong_usage().then_some(2),
        }
    }
}

impl Told for rebus_vision::Error {
    fn remedy(&self) -> Option<String> {
        self.hint()
    }

    fn code(&self) -> Option<u8> {
        match self {
            Self::Interrupted => Some(130),
            Self::NoNetwork { .. } => Some(2),
            Self::Network { .. } => Some(4),
            _ => None,
        }
    }
}

type AnyError = dyn std::error::Error + 'static;

/// Looks whether an error is one of a kind.
type Look = for<'a> fn(&'a AnyError) -> Option<&'a dyn Told>;

/// What is known of an error, if it is one of ours.
fn told(error: &AnyError) -> Option<&dyn Told> {
    fn is<E: Told + std::error::Error + 'static>(error: &AnyError) -> Option<&dyn Told> {
        error.downcast_ref::<E>().map(|error| error as &dyn Told)
    }
    let kinds: [Look; 9] = [
        is::<Usage>,
        is::<rebus_collection::Error>,
        is::<rebus_eval::Error>,
        is::<rebus_index::Error>,
        is::<rebus_models::Error>,
        is::<rebus_papers::Error>,
        is::<rebus_serve::Error>,
        is::<rebus_text::Error>,
        is::<rebus_vision::Error>,
    ];
    kinds.iter().find_map(|is| is(error))
}
