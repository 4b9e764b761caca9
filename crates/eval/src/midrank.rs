//! Ranks from 1 on, where equal values share the mean of the places they take.

/// Ranks of values and the sizes of their ties.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Midranks {
    /// The rank of each value, in the order given; the smallest value has the lowest rank.
    pub ranks: Vec<f64>,
    /// How many values share each place, 1 where a value stands alone.
    pub ties: Vec<usize>,
}

impl Midranks {
    /// Ranks of finite `values`.
    pub fn of(values: &[f64]) -> Self {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
        let mut ranks = vec![0.0; values.len()];
        let mut ties = Vec::new();
        let mut before = 0;
        // `==` rather than total order: 0 and -0 are one value.
        for equal in order.chunk_by(|&a, &b| values[a] == values[b]) {
            let rank = before as f64 + (equal.len() as f64 + 1.0) / 2.0;
            equal.iter().for_each(|&at| ranks[at] = rank);
            ties.push(equal.len());
            before += equal.len();
        }
        Self { ranks, ties }
    }

    /// Sum of t^3 - t over the ties.
    pub fn tie_term(&self) -> f64 {
        self.ties.iter().map(|&size| (size as f64).powi(3) - size as f64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Midranks;

    #[test]
    fn equal_values_share_their_places() {
        let ranked = Midranks::of(&[2.0, -0.0, 2.0, 0.0, 5.0, 2.0]);
        assert_eq!(ranked.ranks, [4.0, 1.5, 4.0, 1.5, 6.0, 4.0]);
        assert_eq!(ranked.ties, [2, 3, 1]);
        assert_eq!(ranked.tie_term(), 6.0 + 24.0);
    }
}
