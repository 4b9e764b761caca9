//! Several fits at once that count as one each.

use rebus_collection::Progress;

/// Passes on an interruption, and nothing else.
pub(super) struct Quiet<'a>(pub(super) &'a dyn Progress);

impl Progress for Quiet<'_> {
    fn begin(&self, _what: &str, _total: Option<u64>) {}

    fn advance(&self, _by: u64) {}

    fn interrupted(&self) -> bool {
        self.0.interrupted()
    }
}
