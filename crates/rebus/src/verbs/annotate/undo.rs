//! `rebus annotate --undo`: takes back what was written into sidecars.

use rebus_collection::sidecar::{How, Journal, Undone, Which};
use serde_json::json;

use super::Annotate;
use crate::home;
use crate::output::{Outcome, answer, counted, say};
use crate::progress::Talk;

impl Annotate {
    pub(super) fn take_back(&self) -> anyhow::Result<Outcome> {
        let which =
            if self.photos.is_empty() { Which::LastRun } else { Which::Beside(&self.photos) };
        let undone = Journal::open(&home::journal())?.undo(which, &Talk::new())?;
        let (done, failed): (Vec<&Undone>, Vec<&Undone>) =
            undone.iter().partition(|undone| undone.how.is_ok());
        if self.json {
            let line = |undone: &&Undone| {
                let sidecar = undone.sidecar.to_string_lossy();
                match &undone.how {
                    Ok(how) => json!({ "sidecar": sidecar, "how": how }),
                    Err(error) => json!({ "sidecar": sidecar, "why": error.to_string() }),
                }
            };
            let undone = json!({
                "undone": done.iter().map(line).collect::<Vec<_>>(),
                "failed": failed.iter().map(line).collect::<Vec<_>>(),
            });
            answer(format_args!("{undone:#}"))?;
        } else {
            for Undone { sidecar, how } in &done {
                let how = match how {
                    Ok(How::Restored) => "restored",
                    Ok(How::Removed) => "removed",
                    Ok(How::TakenOut) => "taken out of",
                    Ok(How::Nothing) | Err(_) => "nothing to do in",
                };
                answer(format_args!("{how} {}", sidecar.display()))?;
            }
        }
        for Undone { how, .. } in &failed {
            if let Err(error) = how {
                say(format_args!("note: left alone: {error}"));
            }
        }
        let writes = counted(done.len() as u64, "write");
        say(match failed.len() {
            0 => format!("took back {writes}"),
            left => format!("took back {writes}; {left} could not be"),
        });
        let nothing = done.is_empty() && failed.is_empty();
        Ok(if nothing || !failed.is_empty() { Outcome::Short } else { Outcome::Fine })
    }
}
