//! What `rebus annotate` found, printed.

use std::path::Path;

use rebus_collection::sidecar::Written;
use rebus_index::annotate::{Annotated, Annotation, PassedOver, Suggestion};
use serde_json::{Value, json};

use super::Annotate;
use crate::output::{answer, counted, say};

/// All that was found, in the order of the photos.
pub(super) struct Found<'a> {
    models: Vec<&'a str>,
    captions: Option<&'a Path>,
    photos: Vec<Annotated>,
    passed_over: Vec<PassedOver>,
}

impl<'a> Found<'a> {
    pub(super) fn new(models: &[&'a str], captions: Option<&'a Path>) -> Self {
        Self { models: models.to_vec(), captions, photos: Vec::new(), passed_over: Vec::new() }
    }

    pub(super) fn take(&mut self, annotation: Annotation) {
        match annotation {
            Ok(annotated) => self.photos.push(annotated),
            Err(passed_over) => self.passed_over.push(passed_over),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.photos.is_empty()
    }

    pub(super) fn print(&self, args: &Annotate) -> anyhow::Result<()> {
        if args.json {
            answer(format_args!("{:#}", self.to_json(args)))?;
        } else if args.csv {
            answer(self.to_csv().trim_end())?;
        } else {
            for photo in &self.photos {
                answer(text(photo, args))?;
            }
        }
        for PassedOver { path, why } in &self.passed_over {
            // Most reasons begin with the path.
            let path = path.display().to_string();
            if why.starts_with(&path) {
                say(format_args!("note: passed over: {why}"));
            } else {
                say(format_args!("note: passed over: {path}: {why}"));
            }
        }
        say(self.summary(args));
        Ok(())
    }

    fn written(&self) -> impl Iterator<Item = &Written> {
        self.photos.iter().filter_map(|photo| photo.written.as_ref())
    }

    fn summary(&self, args: &Annotate) -> String {
        let mut said = format!(
            "annotated {} by {}",
            counted(self.photos.len() as u64, "photo"),
            self.models.join(", ")
        );
        if !self.passed_over.is_empty() {
            said += &format!(", passed over {}", self.passed_over.len());
        }
        let (sidecars, new) =
            (self.written().count(), self.written().filter(|w| w.created).count());
        let sidecars = counted(sidecars as u64, "sidecar");
        match (args.write, args.dry_run) {
            (None, _) => said + "; nothing was written (--write xmp does)",
            (Some(_), true) => said + &format!("; would write {sidecars}, {new} of them new"),
            (Some(_), false) if self.written().next().is_none() => said + "; wrote nothing new",
            (Some(_), false) => {
                said + &format!("; wrote {sidecars}, {new} of them new (--undo takes it back)")
            }
        }
    }

    fn to_json(&self, args: &Annotate) -> Value {
        let photo = |photo: &Annotated| {
            let mut json = json!({
                "path": photo.path.to_string_lossy(),
                "known": photo.known,
                "keywords": photo.suggestions.keywords,
                "sentences": photo.suggestions.sentences,
            });
            if args.write.is_some() {
                json["sidecar"] = photo.written.as_ref().map_or(Value::Null, |written| {
                    json!({
                        "path": written.sidecar.to_string_lossy(),
                        "created": written.created,
                        "added": added(written),
                    })
                });
            }
            json
        };
        let passed_over = |PassedOver { path, why }: &PassedOver| json!({ "path": path.to_string_lossy(), "why": why });
        json!({
            "models": self.models,
            "captions": self.captions.map_or("built-in".into(), |path| path.to_string_lossy()),
            "photos": self.photos.iter().map(photo).collect::<Vec<_>>(),
            "passed_over": self.passed_over.iter().map(passed_over).collect::<Vec<_>>(),
            "written": if args.dry_run { 0 } else { self.written().count() },
        })
    }

    fn to_csv(&self) -> String {
        let mut csv = String::from("path,kind,text,probability,score\n");
        for photo in &self.photos {
            let path = quoted(&photo.path.to_string_lossy());
            let kinds = [
                ("keyword", &photo.suggestions.keywords),
                ("sentence", &photo.suggestions.sentences),
            ];
            for (kind, suggestions) in kinds {
                for Suggestion { text, probability, score } in suggestions {
                    let probability = probability.map_or(String::new(), |p| format!("{p:.4}"));
                    csv += &format!("{path},{kind},{},{probability},{score:.4}\n", quoted(text));
                }
            }
        }
        csv
    }
}

/// What was added, by property.
fn added(written: &Written) -> Value {
    let properties =
        written.added.iter().map(|added| (added.property.clone(), json!(added.values)));
    Value::Object(properties.collect())
}

/// A field of a table of comma-separated values.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn text(photo: &Annotated, args: &Annotate) -> String {
    let mut lines = vec![photo.path.display().to_string()];
    if !photo.known.is_empty() {
        lines.push(format!("  has       {}", photo.known.join(", ")));
    }
    let percent = |suggestion: &Suggestion| match suggestion.probability {
        Some(probability) => format!("{} {:.0}%", suggestion.text, 100.0 * probability),
        None => suggestion.text.clone(),
    };
    let keywords: Vec<String> = photo.suggestions.keywords.iter().map(percent).collect();
    let keywords = if keywords.is_empty() { "none".to_owned() } else { keywords.join(", ") };
    lines.push(format!("  keywords  {keywords}"));
    for sentence in &photo.suggestions.sentences {
        lines.push(format!("  sentence  {}", percent(sentence)));
    }
    if let Some(written) = &photo.written {
        let verb = if args.dry_run { "would write" } else { "wrote" };
        let name = written.sidecar.file_name().unwrap_or_default().to_string_lossy();
        for added in &written.added {
            let values = added.values.join(", ");
            lines.push(format!("  {verb} {name}: {} {values}", added.property));
        }
    }
    lines.join("\n")
}
