//! Long work looks up now and then whether the caller asked to stop.

use rebus_collection::Progress;

use crate::{Error, Result};

/// Goes on unless the caller asked to stop.
///
/// # Errors
/// [`Error::Interrupted`] if so.
pub(crate) fn unless_interrupted(progress: &dyn Progress) -> Result<()> {
    if progress.interrupted() { Err(Error::Interrupted) } else { Ok(()) }
}

/// One step is done; goes on unless the caller asked to stop.
///
/// # Errors
/// [`Error::Interrupted`] if so.
pub(crate) fn step(progress: &dyn Progress) -> Result<()> {
    progress.advance(1);
    unless_interrupted(progress)
}
