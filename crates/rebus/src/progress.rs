//! Progress on stderr: a bar where it is a terminal, a line every ten seconds elsewhere; and
//! Ctrl-C, which asks the work to end cleanly.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rebus_collection::Progress;

use crate::output::say;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Between two lines where stderr is no terminal.
const PAUSE: Duration = Duration::from_secs(10);

/// Shows progress to the person who waits.
pub(crate) struct Talk {
    stage: Mutex<Option<Stage>>,
}

struct Stage {
    what: String,
    bar: ProgressBar,
    begun: Instant,
    said: Instant,
}

impl Talk {
    /// Starts to listen for Ctrl-C. A second Ctrl-C ends the process at once.
    pub(crate) fn new() -> Self {
        let handler = || {
            if INTERRUPTED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
            say("stopping after the piece at hand; press Ctrl-C again to stop at once");
        };
        // Fails only when a handler is there already, which then does the same.
        let _ = ctrlc::set_handler(handler);
        Self { stage: Mutex::new(None) }
    }
}

impl Drop for Talk {
    fn drop(&mut self) {
        if let Ok(Some(stage)) = self.stage.get_mut().map(Option::take) {
            stage.bar.finish_and_clear();
        }
    }
}

impl Progress for Talk {
    fn begin(&self, what: &str, total: Option<u64>) {
        let bar = match (std::io::stderr().is_terminal(), total) {
            (false, _) => ProgressBar::hidden(),
            (true, Some(total)) => ProgressBar::new(total).with_style(bar_style()),
            (true, None) => ProgressBar::new_spinner(),
        };
        bar.set_length(total.unwrap_or(0));
        bar.set_message(what.to_owned());
        let now = Instant::now();
        if let Ok(mut stage) = self.stage.lock() {
            if let Some(last) = stage.take() {
                last.bar.finish_and_clear();
            }
            *stage = Some(Stage { what: what.to_owned(), bar, begun: now, said: now });
        }
    }

    fn advance(&self, by: u64) {
        let Ok(mut stage) = self.stage.lock() else { return };
        let Some(stage) = stage.as_mut() else { return };
        stage.bar.inc(by);
        if stage.bar.is_hidden() && stage.said.elapsed() >= PAUSE {
            stage.said = Instant::now();
            let done = stage.bar.position();
            let rate = done as f64 / stage.begun.elapsed().as_secs_f64();
            match stage.bar.length().filter(|&total| total > 0) {
                Some(total) => {
                    let left = total.saturating_sub(done) as f64 / rate;
                    say(format_args!(
                        "{}: {done} of {total}, {rate:.0}/s, {left:.0} s left",
                        stage.what
                    ));
                }
                None => say(format_args!("{}: {done}, {rate:.0}/s", stage.what)),
            }
        }
    }

    fn interrupted(&self) -> bool {
        INTERRUPTED.load(Ordering::SeqCst)
    }
}

fn bar_style() -> ProgressStyle {
    ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {per_sec} {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar())
}
