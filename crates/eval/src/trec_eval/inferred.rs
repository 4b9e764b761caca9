//! Inferred average precision: for judgements of a sample of the pool.
//!
//! Yilmaz and Aslam (2006). The precision at a relevant document of rank k is inferred as
//! 1/k + (k-1)/k · (pooled above)/(k-1) · (relevant above)/(judged above), smoothed a little,
//! where "pooled" are documents that were judged or marked by a negative grade. Undefined, and 0
//! here, where nothing is relevant.

use super::topic::{Place, Topic};

const EPSILON: f64 = 0.00001;

pub(super) fn average_precision(topic: &Topic) -> f64 {
    let (mut relevant, mut nonrelevant, mut pooled) = (0.0, 0.0, 0.0);
    let mut sum = 0.0;
    for (above, &place) in topic.ranked.iter().enumerate() {
        match place {
            Place::Unknown => {}
            Place::Pooled => pooled += 1.0,
            _ if !topic.is_relevant(place) => nonrelevant += 1.0,
            _ => {
                sum += if above == 0 {
                    1.0
                } else {
                    let above = above as f64;
                    let share = (relevant + EPSILON) / (relevant + nonrelevant + 2.0 * EPSILON);
                    let looked_at = (relevant + nonrelevant + pooled) / above;
                    1.0 / (above + 1.0) + above / (above + 1.0) * looked_at * share
                };
                relevant += 1.0;
            }
        }
    }
    if topic.relevant == 0 { 0.0 } else { sum / topic.relevant as f64 }
}
