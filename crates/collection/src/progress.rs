//! How long work tells what it has done, and learns that it shall stop.

/// Told by libraries, shown by the command; libraries know no terminal.
pub trait Progress: Sync {
    /// A stage of work begins: what is counted, and how many there will be, if known.
    fn begin(&self, what: &str, total: Option<u64>);
    /// So many more are done.
    fn advance(&self, by: u64);
    /// Whether the caller wants the work to end: finish the piece at hand, keep what is done,
    /// and return [`Error::Interrupted`](crate::Error::Interrupted).
    fn interrupted(&self) -> bool;
}

/// Says nothing and never interrupts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _what: &str, _total: Option<u64>) {}

    fn advance(&self, _by: u64) {}

    fn interrupted(&self) -> bool {
        false
    }
}
