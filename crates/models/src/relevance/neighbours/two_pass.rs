//! Two passes of nearest neighbours (2PKNN: Verma and Jawahar 2012).
//!
//! First, for every word, the few training pictures nearest to the picture among those that have the
//! word: so every word, however rare, is among the neighbours. Second, the words of all these,
//! weighted by exp(-distance).

use super::super::counts::Counts;

/// How the second pass weighs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passes {
    /// How many pictures of each word are neighbours.
    pub(super) of_each_word: usize,
    /// How fast weights fall with the distance.
    pub(super) fall: f64,
}

/// p(w|I) for every word; `distances` are those of all training pictures.
pub(super) fn probabilities(distances: &[f64], words: &Counts, passes: Passes) -> Vec<f64> {
    let mut order: Vec<u32> = (0..distances.len() as u32).collect();
    order.sort_unstable_by(|&a, &b| {
        distances[a as usize].total_cmp(&distances[b as usize]).then(a.cmp(&b))
    });
    let nearest = order.first().map_or(0.0, |&first| distances[first as usize]);
    let mut taken = vec![0usize; words.columns()];
    let mut p = vec![0.0; words.columns()];
    let mut total = 0.0;
    for picture in order {
        let row = words.row(picture as usize);
        let wanted = row.iter().any(|&(word, _)| taken[word as usize] < passes.of_each_word);
        if !wanted {
            continue;
        }
        let weight = (-passes.fall * (distances[picture as usize] - nearest)).exp();
        total += weight;
        for &(word, _) in row {
            taken[word as usize] += 1;
            p[word as usize] += weight;
        }
    }
    p.iter_mut().for_each(|p| *p /= total);
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_word_is_heard() {
        // Many near pictures of word 0, one of word 1 somewhat farther.
        let words = Counts::new(2, (0..9).map(|row| vec![(u32::from(row == 8), 1.0)]));
        let distances = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.2];
        let passes = Passes { of_each_word: 1, fall: 1.0 };
        let p = probabilities(&distances, &words, passes);
        // One picture each: 1 to exp(-0.1).
        assert!((p[1] / p[0] - (-0.1f64).exp()).abs() < 1e-12);
        assert!((p[0] + p[1] - 1.0).abs() < 1e-12);
    }
}
