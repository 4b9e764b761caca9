//! `rebus index`: makes an index of photos, and keeps it up to date.

use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use rebus_index::{
    Error, Eye, Index as Opened, ModelRecord, OnDamage, Options, Update, update, watch,
};
use serde_json::json;

use crate::output::{Outcome, Usage, answer, counted, say};
use crate::progress::Talk;
use crate::{built_in, index, model};

/// So many failed files are shown unless JSON is asked for.
const SHOWN: usize = 100;

/// Make an index of photos, or bring it up to date: new, changed, moved and deleted ones.
///
/// A run that was interrupted is gone on with by the next one. Photos on a drive that is away stay.
/// Without PHOTOS, the folders that the index knows are looked through again.
#[derive(Args)]
#[command(after_help = "Examples:
  rebus index ~/Pictures
  rebus index ~/Pictures /mnt/camera --name family --watch
  rebus index --model models/mine --json")]
pub(crate) struct Index {
    /// Folders with photos, or single photos
    photos: Vec<PathBuf>,
    /// A model that looks at the photos, by name or folder; may be repeated
    /// [default: those that the index has, or rebus-small]
    #[arg(long, value_name = "NAME|FOLDER")]
    model: Vec<String>,
    /// The index: its folder or its name [default: the one last made or
    /// brought up to date, or `photos`]
    #[arg(long, value_name = "DIR|NAME")]
    index: Option<String>,
    /// What to call the index; it lies in rebus's own folder unless --index says otherwise
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Go on and follow what changes, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Take the photos of this folder out of the index; may be repeated
    #[arg(long, value_name = "FOLDER")]
    forget: Vec<PathBuf>,
    /// Make again what is damaged
    #[arg(long)]
    repair: bool,
    /// Seconds from one commit to the next: how much work a power cut may lose
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    commit_every: f64,
    /// Print what was done as JSON
    #[arg(long)]
    json: bool,
}

impl Index {
    pub(crate) fn run(self) -> anyhow::Result<Outcome> {
        self.name.as_deref().map_or(Ok(()), index::check_name)?;
        let folder = index::wanted(self.index.as_deref().or(self.name.as_deref()));
        if self.photos.is_empty() && !folder.join("index.json").is_file() {
            return Err(Usage("name the folders with the photos: rebus index PHOTOS".into()).into());
        }
        let models = self.models(&folder)?;
        let eyes: Vec<Eye<'_>> = models.iter().map(model::Opened::eye).collect();
        let options = Options {
            name: self.name.clone(),
            forget: self.forget.clone(),
            damage: if self.repair { OnDamage::Repair } else { OnDamage::Refuse },
            commit_every: Duration::from_secs_f64(self.commit_every),
        };
        let progress = Talk::new();
        let begun = Instant::now();
        let made = update(&folder, &self.photos, &eyes, &options, &progress);
        if folder.join("index.json").is_file() {
            index::remember(&folder)?;
        }
        let made = made.inspect_err(|error| {
            if matches!(error, Error::Interrupted) {
                say(format_args!(
                    "what was done is kept in {}; run it again to go on",
                    folder.display()
                ));
            }
        })?;
        drop(progress);
        self.tell(&folder, &made, begun)?;
        if self.watch {
            say(format_args!("following changes until Ctrl-C"));
            self.follow(&folder, &eyes)?;
        }
        Ok(if made.photos == 0 { Outcome::Short } else { Outcome::Fine })
    }

    /// Tells every change until Ctrl-C.
    fn follow(&self, folder: &Path, eyes: &[Eye<'_>]) -> anyhow::Result<()> {
        let mut told = Ok(());
        let ended = watch(folder, eyes, &Talk::new(), &mut |update| {
            told = self.tell(folder, update, Instant::now());
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        told?;
        match ended {
            // Ctrl-C is how it ends.
            Ok(()) | Err(Error::Interrupted) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The models asked for, and those that the index has already.
    fn models(&self, folder: &Path) -> anyhow::Result<Vec<model::Opened>> {
        let mut models = Vec::new();
        for name in &self.model {
            models.push(model::open(name)?);
        }
        let known: Vec<ModelRecord> = match Opened::open(folder) {
            Ok(index) => index.models(),
            // Whatever is wrong, writing to it will say.
            Err(_) => Vec::new(),
        };
        for record in &known {
            if models.iter().any(|model: &model::Opened| model.name == record.name) {
                continue;
            }
            match model::open_recorded(record) {
                Ok(model) => models.push(model),
                Err(error) => say(format_args!(
                    "note: the index goes on without its model {}: {error:#}",
                    record.name
                )),
            }
        }
        if models.is_empty() && known.is_empty() {
            models.push(model::open(built_in::NAME)?);
        }
        Ok(models)
    }

    fn tell(&self, folder: &Path, update: &Update, begun: Instant) -> anyhow::Result<()> {
        if self.json {
            let mut whole = json!({ "index": folder.display().to_string() });
            if let (Some(whole), Ok(serde_json::Value::Object(update))) =
                (whole.as_object_mut(), serde_json::to_value(update))
            {
                whole.extend(update);
            }
            answer(format_args!("{whole:#}"))?;
        } else {
            answer(describe(update).trim_end())?;
        }
        for root in &update.away {
            say(format_args!("note: {} is away; its photos stay in the index", root.display()));
        }
        if update.photos == 0 {
            say(format_args!("no photos were found; the index in {} is empty", folder.display()));
            return Ok(());
        }
        say(format_args!(
            "looked at {} in {:.1} s; the index has {} and lies in {}",
            counted(update.new + update.changed + update.encoded, "photo"),
            begun.elapsed().as_secs_f64(),
            counted(update.photos, "photo"),
            folder.display()
        ));
        Ok(())
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| "a number from 0 to 3600 is needed".into())
}

fn describe(update: &Update) -> String {
    let mut text = String::new();
    for (name, count) in [
        ("new", update.new),
        ("changed", update.changed),
        ("moved", update.moved),
        ("described anew", update.described),
        ("deleted", update.deleted),
        ("unchanged", update.unchanged),
        ("encoded later", update.encoded),
        ("not decodable yet", update.not_yet),
        ("failed", update.failed.len() as u64),
    ] {
        // These three are always told; of the others, what there is.
        if count > 0 || matches!(name, "new" | "unchanged" | "failed") {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name:<20}{count}");
        }
    }
    for failure in update.failed.iter().take(SHOWN) {
        let _ = writeln!(text, "  {}: {}", failure.path.display(), failure.reason);
    }
    if update.failed.len() > SHOWN {
        let _ = writeln!(text, "  and {} more; --json shows them", update.failed.len() - SHOWN);
    }
    text
}
