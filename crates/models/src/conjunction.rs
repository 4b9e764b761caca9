//! Probabilities put together.
//!
//! A text's vector is a sum, so that a photo may be near it for one of the words alone: many children,
//! no water. That it shows all of them is at most as probable as that it shows the least probable one.
//! [`conjunction`] takes both into account. `cargo run --release -p rebus-models --example cut_off --
//! FLICKR8K NETWORK CACHE` compares the shares that either may have, on photos of Flickr8k's training
//! part that a model was not fitted on: queries of two to four words with at least twelve right photos
//! of 1,000, right ones among the first ten.

/// The share of the least probable word in a conjunction: that with the most right photos, above.
const OF_THE_LEAST: f64 = 0.5;
/// Probabilities are kept off 0 and 1, where odds are infinite.
const EDGE: f64 = 1e-9;

/// The weighted mean of probabilities in log odds (a logarithmic opinion pool): several opinions about
/// one thing, or parts that are all wanted.
pub fn pooled(parts: impl IntoIterator<Item = (f64, f64)>) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (weight, probability) in parts {
        let p = probability.clamp(EDGE, 1.0 - EDGE);
        sum += weight * (p / (1.0 - p)).ln();
        weights += weight;
    }
    if weights == 0.0 { 0.0 } else { 1.0 / (1.0 + (-sum / weights).exp()) }
}

/// How probable it is that a photo shows all of a text: by the text as a whole, and by its least
/// probable word. A text of a single word, or of none that is known, is the whole.
pub fn conjunction(whole: f64, words: &[f64]) -> f64 {
    match words {
        [] | [_] => whole,
        words => {
            let least = words.iter().copied().fold(f64::INFINITY, f64::min);
            pooled([(1.0 - OF_THE_LEAST, whole), (OF_THE_LEAST, least)])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pools_by_hand() {
        assert!((pooled([(1.0, 0.8)]) - 0.8).abs() < 1e-12);
        assert!((pooled([(1.0, 0.8), (1.0, 0.2)]) - 0.5).abs() < 1e-12);
        // Twice the weight counts as twice the part.
        let twice = pooled([(1.0, 0.9), (1.0, 0.9), (1.0, 0.1)]);
        assert!((pooled([(2.0, 0.9), (1.0, 0.1)]) - twice).abs() < 1e-12);
        assert!(pooled([(1.0, 1.0), (1.0, 0.0)]).is_finite());
        assert_eq!(pooled([]), 0.0);
    }

    #[test]
    fn the_least_probable_word_counts_as_much_as_the_whole() {
        assert_eq!(conjunction(0.7, &[]), 0.7);
        assert_eq!(conjunction(0.7, &[0.1]), 0.7);
        assert!((conjunction(0.8, &[0.9, 0.2]) - 0.5).abs() < 1e-12);
        assert!(conjunction(0.8, &[0.9, 0.3]) > conjunction(0.8, &[0.9, 0.2]));
        assert_eq!(conjunction(0.8, &[0.9, 0.3]), conjunction(0.8, &[0.5, 0.3]));
    }
}
