//! `rebus search`: photos that are probably meant, or none.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, ValueEnum};
use rebus_index::Index;
use rebus_index::search::{
    CUT_OFF, Count, Facets, Found, Hit, Part, PartKind, RelevanceKind, SearchOptions, Searcher,
    Show, Sort, Tell,
};
use rebus_query::Query;
use serde_json::json;

use crate::index::IndexArgs;
use crate::output::{Outcome, Usage, answer, counted, say};
use crate::terminal_pictures::Protocol;
use crate::{contact_sheet, indexed_model};

/// Pixels of the longer side of a picture in a terminal, and its height in lines.
const IN_TERMINAL: (u32, u16) = (160, 5);

/// Find photos by a sentence, examples, dates and fields; or say that there are none.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus search 'two dogs in the snow'
  rebus search 'beach 2:sunset -people camera:nikon 2019..2021' --html sheet.html
  rebus search 'like:photo.jpg + \"golden gate\"' --paths | xargs -r -d '\\n' ls -l
  rebus search 'children playing' --explain --json

A query holds a sentence, \"phrases\" that must be written, -words that are left out, 2:words that
count more, fields (camera:, tag:, folder:, near:, date: ...), date ranges and examples
(like:photo.jpg), with OR and + between them; the guide has the grammar. Put it in quotes for the
shell; one that begins with a minus stands behind `--`.

A photo is a match if its relevance, the probability that it is meant, is at least --min-relevance.
Without any match the exit code is 1, with --all too.")]
pub(crate) struct Search {
    /// What to look for
    #[arg(required = true, value_name = "QUERY")]
    query: Vec<String>,
    #[command(flatten)]
    finding: Finding,
    /// How many are passed over before
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
    /// Show what does not match, too, behind the matches
    #[arg(long)]
    all: bool,
    /// From which relevance on a photo is a match, 0 to 1
    #[arg(long, value_name = "P", default_value_t = CUT_OFF)]
    min_relevance: f64,
    /// In which order
    #[arg(long, value_enum, default_value = "relevance")]
    sort: SortArg,
    /// Show what each word and each part of the query has to do with a photo
    #[arg(long)]
    explain: bool,
    /// Show of which years, cameras, places, folders and keywords the matches are
    #[arg(long)]
    facets: bool,
    /// Also write a page with the pictures, which needs no other file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Where photos are looked for, and how those that are found are told: flatten it into a verb's
/// arguments.
#[derive(Args)]
pub(super) struct Finding {
    #[command(flatten)]
    pub(super) index: IndexArgs,
    /// The model to search by, of those of the index [default: its first]
    #[arg(long, value_name = "NAME")]
    pub(super) model: Option<String>,
    /// How many photos are shown at most [default: 20; with --paths all]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Print JSON
    #[arg(long, conflicts_with = "paths")]
    json: bool,
    /// Print paths only, one a line
    #[arg(long)]
    paths: bool,
}

impl Finding {
    /// How many photos are shown at most. What goes into a pipe is whole.
    pub(super) fn limit(&self) -> usize {
        self.limit.unwrap_or(if self.paths { usize::MAX } else { 20 })
    }

    /// Prints what was found; `before` photos were passed over.
    pub(super) fn print(
        &self,
        query: &str,
        index: &Index,
        model: &str,
        found: &Found,
        before: usize,
    ) -> anyhow::Result<()> {
        if self.json {
            answer(format_args!("{:#}", to_json(query, index, model, found)?))?;
        } else if self.paths {
            for hit in &found.results {
                answer(hit.path.display())?;
            }
        } else {
            print_hits(found, before)?;
        }
        Ok(())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SortArg {
    /// The newest first
    Date,
    /// The most relevant first
    Relevance,
}

impl Search {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        let typed = self.query.join(" ");
        let query = Query::parse(&typed).map_err(|error| Usage(error.pointed(&typed)))?;
        check_relevance(self.min_relevance)?;
        let index = self.finding.index.open()?;
        let record = indexed_model::of_index(&index, self.finding.model.as_deref())?;
        let reader = indexed_model::reader(&record)?;
        // The network is slow to open, and words do not need it.
        let look = |path: &Path| indexed_model::look(&record, path);
        let searcher = Searcher::new(&index, &record.name, &*reader)?.looking(&look);
        let options = SearchOptions {
            limit: self.finding.limit(),
            offset: self.offset,
            min_relevance: self.min_relevance,
            show: self.show(),
            sort: match self.sort {
                SortArg::Date => Sort::Date,
                SortArg::Relevance => Sort::Relevance,
            },
            tell: Tell { parts: self.explain, facets: self.facets },
            rerank: None,
        };
        let found = searcher.search(&query, &options)?;
        if let Some(path) = &self.html {
            let page = contact_sheet::of_search(&typed, &found);
            std::fs::write(path, page)
                .with_context(|| format!("cannot write {}", path.display()))?;
            say(format_args!("wrote {}", path.display()));
        }
        self.finding.print(&typed, &index, &record.name, &found, self.offset)?;
        if let Some(word) = negation(&query) {
            say(format_args!("note: `{word}` leaves nothing out: write -people for no people"));
        }
        conclude(&index, &found, self.show());
        Ok(if found.matches == 0 { Outcome::Short } else { Outcome::Fine })
    }

    fn show(&self) -> Show {
        if self.all { Show::All } else { Show::Matches }
    }
}

/// What clap says of a query that begins with a minus is about its first letter; what is meant is the
/// whole of it.
pub(crate) fn point_at_minus(mut error: clap::Error) -> clap::Error {
    let mut given = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    if error.kind() != ErrorKind::UnknownArgument || given.next().as_deref() != Some("search") {
        return error;
    }
    let Some(ContextValue::String(letter)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    if letter.starts_with("--") {
        return error;
    }
    let begun = |word: &String| word.starts_with(letter.as_str());
    if let Some(query) = given.take_while(|word| word != "--").find(begun) {
        let tip = format!(
            "a query that begins with a minus stands behind `--`: rebus search -- '{query}'"
        );
        error.insert(ContextKind::InvalidArg, ContextValue::String(query));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Refuses a relevance that no photo can have.
pub(super) fn check_relevance(relevance: f64) -> Result<(), Usage> {
    if (0.0..=1.0).contains(&relevance) {
        return Ok(());
    }
    Err(Usage("--min-relevance is between 0 and 1".into()))
}

/// What a reader of relevances should know.
pub(super) fn caution(found: &Found) {
    if found.relevance == RelevanceKind::Uncalibrated && !found.results.is_empty() {
        say("note: the model was not calibrated: relevance is how far a photo stands out");
    }
}

/// A word of the sentence by which people mean that something is not to be there. Nothing that is seen
/// answers to it.
fn negation(query: &Query) -> Option<&str> {
    let sentences = query.readings().iter().flat_map(|reading| &reading.sentence);
    let mut words = sentences.flat_map(|words| words.text.split_whitespace());
    words.find(|word| ["no", "not", "without"].iter().any(|no| no.eq_ignore_ascii_case(word)))
}

/// What was found in one line, after what a reader should know.
fn conclude(index: &Index, found: &Found, show: Show) {
    for unknown in &found.unknown_words {
        let year = unknown.word.len() == 4 && unknown.word.starts_with(['1', '2']);
        let like = match unknown.spelled_like.as_slice() {
            [] if year && unknown.word.parse::<u16>().is_ok() => {
                format!("; for a year write date:{}", unknown.word)
            }
            [] => String::new(),
            words => format!("; known are: {}", words.join(", ")),
        };
        say(format_args!("note: nothing is known about `{}`{like}", unknown.word));
    }
    caution(found);
    let place = index.folder().display();
    let photos = counted(index.len() as u64, "photo");
    match found.matches {
        // A filter is met or not, and of what nobody knows there is nothing near.
        0 if found.looked_at == 0 => say(format_args!("no match among {photos} ({place})")),
        0 if show == Show::All => {
            say(format_args!("no match among {photos}; the nearest are shown ({place})"))
        }
        0 => say(format_args!("no match among {photos}; --all shows the nearest ({place})")),
        1 => say(format_args!("1 of {photos} matches ({place})")),
        matches => {
            let more = if found.at_least { "at least " } else { "" };
            let shown = match found.results.len() {
                1 => "; 1 is shown, --limit N shows more".to_owned(),
                shown if shown < matches => format!("; {shown} are shown, --limit N shows more"),
                _ => String::new(),
            };
            say(format_args!("{more}{matches} of {photos} match{shown} ({place})"));
        }
    }
}

/// The stable shape of `--json`.
fn to_json(
    query: &str,
    index: &Index,
    model: &str,
    found: &Found,
) -> anyhow::Result<serde_json::Value> {
    let mut json = json!({
        "query": query,
        "index": index.folder().display().to_string(),
        "model": model,
    });
    if let (Some(all), serde_json::Value::Object(found)) =
        (json.as_object_mut(), serde_json::to_value(found)?)
    {
        all.extend(found);
    }
    Ok(json)
}

/// A table, with pictures where the terminal can.
fn print_hits(found: &Found, before: usize) -> anyhow::Result<()> {
    let protocol = Protocol::of_stdout();
    for (at, hit) in found.results.iter().enumerate() {
        if let Some(picture) = protocol.and_then(|protocol| shown(protocol, hit)) {
            answer(picture)?;
        }
        let mut line = format!("{:>4}  {:.3}  ", before + at + 1, hit.relevance);
        // Writing to a string cannot fail.
        let _ = write!(line, "{}", hit.path.display());
        let day = hit.date.as_deref().and_then(|date| date.get(..10));
        for more in day.into_iter().chain(hit.title.as_deref()) {
            let _ = write!(line, "  {more}");
        }
        answer(line)?;
        for part in &hit.parts {
            answer(explained(part))?;
        }
    }
    if let Some(facets) = &found.facets {
        print_facets(facets)?;
    }
    Ok(())
}

fn shown(protocol: Protocol, hit: &Hit) -> Option<String> {
    let (side, lines) = IN_TERMINAL;
    let jpeg = contact_sheet::thumbnail(&hit.path, side)?;
    let picture = rebus_vision::decode(&jpeg, "thumbnail").ok()?;
    Some(protocol.sequence(&jpeg, &picture, lines))
}

/// A line about one part of the query.
fn explained(part: &Part) -> String {
    let kind = match part.kind {
        PartKind::Sentence => "sentence",
        PartKind::Word => "  word",
        PartKind::Example => "example",
        PartKind::Written => "written",
        PartKind::Excluded => "left out",
        PartKind::Filter => "holds",
    };
    let mut line = format!("        {kind:<9} {}", part.what);
    if let Some(share) = part.share {
        let _ = write!(line, "  score {share:+.3}");
    }
    if let Some(relevance) = part.relevance {
        let _ = write!(line, "  relevance {relevance:.3}");
    }
    line
}

fn print_facets(facets: &Facets) -> anyhow::Result<()> {
    for (name, counts) in [
        ("years", &facets.years),
        ("cameras", &facets.cameras),
        ("places", &facets.places),
        ("folders", &facets.folders),
        ("keywords", &facets.keywords),
    ] {
        if !counts.is_empty() {
            let each = |count: &Count| format!("{} ({})", count.value, count.photos);
            answer(format_args!(
                "{name}: {}",
                counts.iter().map(each).collect::<Vec<_>>().join(", ")
            ))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_leave_nothing_out_are_noticed() {
        let of = |query: &str| negation(&Query::parse(query).unwrap()).map(str::to_owned);
        assert_eq!(of("snow Without people").as_deref(), Some("Without"));
        assert_eq!(of("snow -people"), None);
        assert_eq!(of("knot"), None);
    }
}
