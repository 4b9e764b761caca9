//! Several runs of one system, which differ by their seed only: mean and deviation.

use crate::Undefined;
use crate::undefined::check_values;

/// Mean and sample deviation of a figure over several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeats {
    /// How many runs.
    pub runs: usize,
    /// The mean.
    pub mean: f64,
    /// The sample deviation (divided by runs - 1); `None` for a single run.
    pub deviation: Option<f64>,
}

impl Repeats {
    /// Mean and deviation of one figure a run.
    ///
    /// # Errors
    /// Without runs, or with a figure that is no number.
    pub fn of(figures: &[f64]) -> Result<Self, Undefined> {
        check_values(figures, 1)?;
        let runs = figures.len();
        let mean = figures.iter().sum::<f64>() / runs as f64;
        let squares: f64 = figures.iter().map(|figure| (figure - mean).powi(2)).sum();
        let deviation = (runs > 1).then(|| (squares / (runs - 1) as f64).sqrt());
        Ok(Self { runs, mean, deviation })
    }
}

#[cfg(test)]
mod tests {
    use super::Repeats;

    #[test]
    fn three_seeds() {
        let repeats = Repeats::of(&[10.0, 12.0, 14.0]).unwrap();
        assert_eq!((repeats.runs, repeats.mean, repeats.deviation), (3, 12.0, Some(2.0)));
        assert_eq!(Repeats::of(&[10.0]).unwrap().deviation, None);
        assert!(Repeats::of(&[]).is_err());
    }
}
