//! What the settings of every system can do, and what they are checked for, one after the other; the
//! first that is wrong is named.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Result};

/// The settings of a system, its `Params`: objects in JSON, of which any field may be left out.
pub trait Settings: Default + Serialize + DeserializeOwned {
    /// Checks every setting.
    ///
    /// # Errors
    /// Naming the first setting that makes no sense.
    fn check(&self) -> Result<()>;
}

fn bad<T>(field: &'static str, what: impl Into<String>) -> Result<T> {
    Err(Error::Setting { field, what: what.into() })
}

/// The first number, where one is given, that is not as it must be.
fn each<T: Copy>(
    settings: &[(&'static str, Option<T>)],
    right: impl Fn(T) -> bool,
    must: &str,
) -> Result<()> {
    match settings.iter().find(|(_, value)| value.is_some_and(|value| !right(value))) {
        Some((field, _)) => bad(field, must),
        None => Ok(()),
    }
}

/// Each number, where one is given, must have at least this size: name, value, least.
pub(crate) fn at_least(settings: &[(&'static str, Option<u64>, u64)]) -> Result<()> {
    match settings.iter().find(|(_, value, least)| value.is_some_and(|value| value < *least)) {
        Some((field, _, least)) => bad(field, format!("must be at least {least}")),
        None => Ok(()),
    }
}

/// Each share, where one is given, must lie between 0 and 1.
pub(crate) fn shares(settings: &[(&'static str, Option<f64>)]) -> Result<()> {
    each(settings, |value| value > 0.0 && value < 1.0, "must lie between 0 and 1")
}

/// Each share must be at least 0 and below 1.
pub(crate) fn shares_or_none(settings: &[(&'static str, f64)]) -> Result<()> {
    let settings: Vec<_> = settings.iter().map(|&(field, value)| (field, Some(value))).collect();
    each(&settings, |value| (0.0..1.0).contains(&value), "must be at least 0 and below 1")
}

/// Each number, where one is given, must be above 0.
pub(crate) fn above_zero(settings: &[(&'static str, Option<f64>)]) -> Result<()> {
    each(settings, |value| value.is_finite() && value > 0.0, "must be above 0")
}

/// Each number must be 0 or more.
pub(crate) fn zero_or_more(settings: &[(&'static str, f64)]) -> Result<()> {
    let settings: Vec<_> = settings.iter().map(|&(field, value)| (field, Some(value))).collect();
    each(&settings, |value| value.is_finite() && value >= 0.0, "must be 0 or more")
}

/// What every system's test of its `check` does: good settings pass, and of each wrong ones the field
/// is named.
#[cfg(test)]
pub(crate) fn names_what_is_wrong<P: Settings, const N: usize>(wrong: [(P, &str); N]) {
    P::default().check().unwrap();
    for (params, field) in wrong {
        let error = params.check().unwrap_err().to_string();
        assert!(error.contains(&format!("`{field}`")), "{error}");
    }
}
