//! The experts among themselves: section 4.2.1.

use rebus_eval::agreement::{Metric, krippendorff_alpha};
use rebus_eval::report::{Plot, System};

use super::super::published;
use super::data::Data;
use super::undefined;
use crate::Result;

const TASK: &str = "experts";
/// The task, and what it is headed with.
pub(super) const HEADING: (&str, &str) = (TASK, "Section 4.2.1: the experts' agreement");

/// Krippendorff's alpha. The paper does not say for which scale; grades from 1 to 4 whose mean is
/// taken are an interval scale, and that alpha comes closest to the paper's. The others stand
/// beside it.
pub(super) fn agreement(data: &Data) -> Result<System> {
    let units: Vec<Vec<f64>> = data.experts.iter().map(|(_, grades)| grades.clone()).collect();
    let alpha = |metric: Metric| {
        let what = format!("alpha of the experts, {} scale", metric.name());
        krippendorff_alpha(&units, metric).map(|alpha| alpha.alpha).map_err(undefined(what))
    };
    Ok(System::new("experts")
        .figure(TASK, "alpha", alpha(Metric::Interval)?)
        .published(TASK, "alpha", published::ALPHA)
        .figure(TASK, "alpha, ordinal", alpha(Metric::Ordinal)?)
        .figure(TASK, "alpha, nominal", alpha(Metric::Nominal)?)
        .figure(TASK, "pairs", units.len() as f64)
        .figure(TASK, "own captions", own(data) as f64))
}

fn own(data: &Data) -> usize {
    data.experts.iter().filter(|(pair, _)| pair.is_own()).count()
}

/// How often each mean grade was given.
pub(super) fn distribution(data: &Data) -> Plot {
    let (_, scores) = data.expert_scores();
    let thirds: Vec<i64> = scores.iter().map(|score| (score * 3.0).round() as i64).collect();
    (3..=12).fold(Plot::bars("The experts' scores", "mean of three grades", "pairs"), |plot, at| {
        let count = thirds.iter().filter(|&&third| third == at).count();
        plot.bar(&format!("{:.2}", at as f64 / 3.0), count as f64)
    })
}
