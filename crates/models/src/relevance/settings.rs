//! Checks that the settings of several models share.

use crate::{Error, Result};

fn bad<T>(field: &'static str, what: String) -> Result<T> {
    Err(Error::Setting { field, what })
}

/// Each number, where one is given, must have at least this size: name, value, least.
pub(super) fn at_least(settings: &[(&'static str, Option<u64>, u64)]) -> Result<()> {
    match settings.iter().find(|(_, value, least)| value.is_some_and(|value| value < *least)) {
        Some((field, _, least)) => bad(field, format!("must be at least {least}")),
        None => Ok(()),
    }
}

/// Each share, where one is given, must lie between 0 and 1.
pub(super) fn shares(settings: &[(&'static str, Option<f64>)]) -> Result<()> {
    let outside = |value: f64| !(value > 0.0 && value < 1.0);
    match settings.iter().find(|(_, value)| value.is_some_and(outside)) {
        Some((field, _)) => bad(field, "must lie between 0 and 1".into()),
        None => Ok(()),
    }
}

/// Each number, where one is given, must be above 0.
pub(super) fn above_zero(settings: &[(&'static str, Option<f64>)]) -> Result<()> {
    let wrong = |value: f64| !(value.is_finite() && value > 0.0);
    match settings.iter().find(|(_, value)| value.is_some_and(wrong)) {
        Some((field, _)) => bad(field, "must be above 0".into()),
        None => Ok(()),
    }
}
