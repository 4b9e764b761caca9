//! `rebus annotate --refit`: a new model from what was accepted, rejected and corrected.

use anyhow::Context;
use rebus_collection::Matrix;
use rebus_index::annotate::{Reviews, refit};
use rebus_models::Model;
use serde_json::json;

use super::Annotate;
use crate::output::{Outcome, Usage, answer, counted, say};
use crate::{home, indexed_model};

impl Annotate {
    pub(super) fn learn(&self) -> anyhow::Result<Outcome> {
        let index = self.reviewed()?;
        let models = index.models();
        let record = match &self.models[..] {
            [] => models.first(),
            [one] => models.iter().find(|model| model.name == *one),
            _ => return Err(Usage("--refit takes one model".into()).into()),
        };
        let record = record.with_context(|| {
            let known: Vec<&str> = models.iter().map(|model| model.name.as_str()).collect();
            format!("{} has only {}", index.folder().display(), known.join(", "))
        })?;
        let name = record.name.as_str();
        // Only lexicons give keywords that can be learnt.
        let old = indexed_model::lexicon(record)?;
        let vectors = index.vectors(name)?;
        let seen = index.seen_by(name)?;
        let (mut photos, mut rows) = (Vec::new(), Vec::new());
        for photo in index.photos() {
            let photo = photo?;
            if let Some(row) = vectors.row(photo.id)?.filter(|_| seen.contains(photo.id)) {
                photos.push(photo.hash);
                rows.extend(row);
            }
        }
        let images = Matrix::new(photos.len(), vectors.dimensions(), rows)?;
        let learnt = refit(&old, &photos, &images, &Reviews::of_index(index.folder()))?;
        if learnt.verdicts == 0 {
            say("nothing was accepted, rejected or corrected yet: nothing to learn from");
            return Ok(Outcome::Short);
        }
        let out = match &self.out {
            Some(out) => out.clone(),
            None => home::models().join(format!("{}-refit", index.name())),
        };
        learnt.model.save(&out)?;
        if self.json {
            let made = json!({
                "model": out, "from": name, "photos": learnt.photos,
                "verdicts": learnt.verdicts, "changes": learnt.changes,
            });
            answer(format_args!("{made:#}"))?;
        } else {
            answer(out.display())?;
        }
        say(format_args!(
            "learnt from {} on {}: {} adjusted, {} new; use it with --model {}",
            counted(learnt.verdicts as u64, "verdict"),
            counted(learnt.photos as u64, "photo"),
            counted(learnt.changes.adjusted.len() as u64, "keyword"),
            learnt.changes.new.len(),
            out.display()
        ));
        Ok(Outcome::Fine)
    }
}
