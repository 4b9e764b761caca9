//! The urns of the training pictures: equations 3 to 5 and 8 of the relevance-models paper.
//!
//! Every training picture J is an urn of tokens, words or blobs. P(t|J) mixes the share of the
//! token in the picture with its share in all pictures (equations 4 and 5). What a drawn sample says
//! about another kind of token is an expectation over the urns (equations 3 and 8), which are one
//! and the same with words and blobs exchanged: first how likely each urn is given the sample, then
//! the mean of the urns' other tokens.
//!
//! In the logarithm the background's part of P(t|J) is the same for every urn and drops out: what is
//! left, ln(P(t|J) / (smoothing P(t))), is 0 for an urn without the token. So the product of a
//! matrix of samples with the matrix of all log-probabilities is sparse, and a sample only touches
//! urns with which it shares a token; all others have one common weight.

use super::counts::{Counts, Entry};

/// What |J| of equations 4 and 5 counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Size {
    /// Tokens of one kind, so that the words of an urn sum to 1, and its blobs too.
    #[default]
    OneKind,
    /// Words and blobs together, as the paper's sentence about |J| says.
    BothKinds,
}

/// One kind of token in every urn.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Urns {
    counts: Counts,
    smoothing: f64,
    /// By urn: 1 / |J|.
    scale: Vec<f64>,
    /// By token: #(t, T) / |T|.
    background: Vec<f64>,
    /// By token: the sum of #(t, J) / |J| over all urns.
    sums: Vec<f64>,
    /// By token: the urns that have it, with what it adds to the logarithm of their weight.
    postings: Vec<Vec<(u32, f64)>>,
}

/// How likely each urn is to be the one that a sample was drawn from.
#[derive(Debug, Clone, Default)]
pub(super) struct Posterior {
    /// Urns that share a token with the sample, with their weight.
    touched: Vec<(u32, f64)>,
    /// The weight of every other urn.
    rest: f64,
}

impl Posterior {
    /// From the logarithm of every urn's weight, up to a constant.
    pub(super) fn of_logs(logs: &[f64]) -> Self {
        let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = logs.iter().map(|log| (log - highest).exp()).collect();
        let total: f64 = weights.iter().sum();
        // What is far below the rounding of a sum is left out.
        let urns = (0u32..).zip(&weights).filter(|(_, weight)| **weight > 1e-12 * total);
        Self { touched: urns.map(|(urn, weight)| (urn, weight / total)).collect(), rest: 0.0 }
    }
}

/// Room to add up weights in, kept from one sample to the next.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    logs: Vec<f64>,
}

impl Urns {
    /// Urns of `counts`; `other` are the same pictures' tokens of the other kind.
    pub(super) fn new(counts: Counts, other: &Counts, size: Size, smoothing: f64) -> Self {
        let of = |row: usize| match size {
            Size::OneKind => counts.size(row),
            Size::BothKinds => counts.size(row) + other.size(row),
        };
        let sizes: Vec<f64> = (0..counts.rows()).map(of).collect();
        Self::of_sizes(counts, &sizes, smoothing)
    }

    /// Urns of which each has a size of its own.
    pub(super) fn of_sizes(counts: Counts, sizes: &[f64], smoothing: f64) -> Self {
        let total: f64 = sizes.iter().sum();
        let scale: Vec<f64> = sizes.iter().map(|size| 1.0 / size).collect();
        let background = counts.totals().iter().map(|count| count / total).collect();
        let mut sums = vec![0.0; counts.columns()];
        for (row, scale) in scale.iter().enumerate() {
            for &(token, count) in counts.row(row) {
                sums[token as usize] += count * scale;
            }
        }
        let mut urns = Self { counts, smoothing, scale, background, sums, postings: Vec::new() };
        urns.post();
        urns
    }

    /// The same urns with another smoothing.
    pub(super) fn smoothed(mut self, smoothing: f64) -> Self {
        self.smoothing = smoothing;
        self.post();
        self
    }

    fn post(&mut self) {
        self.postings = vec![Vec::new(); self.counts.columns()];
        for (row, scale) in self.scale.iter().enumerate() {
            for &(token, count) in self.counts.row(row) {
                let token = token as usize;
                let common = self.smoothing * self.background[token];
                let own = (1.0 - self.smoothing) * count * scale;
                self.postings[token].push((row as u32, (own / common).ln_1p()));
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.scale.len()
    }

    pub(super) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// P(t) over all training pictures: 0 for a token that none of them has.
    pub(super) fn background(&self) -> &[f64] {
        &self.background
    }

    /// The weights of the urns given a sample. Tokens that no urn has say nothing about them; with no
    /// other token every urn is as likely as any.
    pub(super) fn posterior(&self, sample: &[Entry], scratch: &mut Scratch) -> Posterior {
        let Scratch { logs } = scratch;
        logs.resize(self.len(), 0.0);
        let mut touched: Vec<u32> = Vec::new();
        for &(token, count) in sample {
            for &(urn, log) in self.postings.get(token as usize).map_or(&[][..], Vec::as_slice) {
                let sum = &mut logs[urn as usize];
                if *sum == 0.0 {
                    touched.push(urn);
                }
                *sum += count * log;
            }
        }
        let highest = touched.iter().map(|&urn| logs[urn as usize]).fold(0.0, f64::max);
        let mut posterior = Posterior { touched: Vec::with_capacity(touched.len()), rest: 0.0 };
        let mut total = (self.len() - touched.len()) as f64 * (-highest).exp();
        for urn in touched {
            let weight = (std::mem::take(&mut logs[urn as usize]) - highest).exp();
            total += weight;
            posterior.touched.push((urn, weight));
        }
        posterior.touched.iter_mut().for_each(|(_, weight)| *weight /= total);
        posterior.rest = (-highest).exp() / total;
        posterior
    }

    /// The mean of the urns' shares of each token, not smoothed.
    pub(super) fn shares(&self, posterior: &Posterior) -> Vec<f64> {
        let Posterior { touched, rest } = posterior;
        let mut shares: Vec<f64> = self.sums.iter().map(|sum| rest * sum).collect();
        for &(urn, weight) in touched {
            // A touched urn is never less likely than an untouched one.
            let more = (weight - rest) * self.scale[urn as usize];
            for &(token, count) in self.counts.row(urn as usize) {
                shares[token as usize] += more * count;
            }
        }
        shares
    }

    /// Equations 4 and 5 behind the mean: smooths shares and makes them sum to 1, for what was drawn
    /// is known to be of this kind.
    pub(super) fn smooth(&self, shares: &mut [f64], smoothing: f64) {
        let mut total = 0.0;
        for (share, background) in shares.iter_mut().zip(&self.background) {
            *share = (1.0 - smoothing) * *share + smoothing * background;
            total += *share;
        }
        shares.iter_mut().for_each(|share| *share /= total);
    }

    /// The probability of each token after a sample of the other kind.
    pub(super) fn expectation(&self, posterior: &Posterior) -> Vec<f64> {
        let mut shares = self.shares(posterior);
        self.smooth(&mut shares, self.smoothing);
        shares
    }

    /// What is expected before anything was drawn.
    pub(super) fn prior(&self) -> Vec<f64> {
        let rest = 1.0 / self.len() as f64;
        self.expectation(&Posterior { touched: Vec::new(), rest })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Equation 3 word for word: no logarithms, nothing sparse.
    fn plain(
        words: &Counts,
        blobs: &Counts,
        (alpha, beta): (f64, f64),
        image: &[Entry],
    ) -> Vec<f64> {
        let share = |counts: &Counts, row: usize, token: u32| {
            let found = counts.row(row).iter().find(|entry| entry.0 == token);
            found.map_or(0.0, |entry| entry.1) / counts.size(row)
        };
        let common = |counts: &Counts, token: u32| {
            let totals = counts.totals();
            totals[token as usize] / totals.iter().sum::<f64>()
        };
        let mut joint = vec![0.0; words.columns()];
        for row in 0..words.rows() {
            let drawn: f64 = image
                .iter()
                .map(|&(blob, count)| {
                    let p = (1.0 - beta) * share(blobs, row, blob) + beta * common(blobs, blob);
                    p.powf(count)
                })
                .product();
            for (word, joint) in joint.iter_mut().enumerate() {
                let word = word as u32;
                let p = (1.0 - alpha) * share(words, row, word) + alpha * common(words, word);
                *joint += drawn * p / words.rows() as f64;
            }
        }
        let total: f64 = joint.iter().sum();
        joint.iter().map(|p| p / total).collect()
    }

    fn sparse(
        words: &Counts,
        blobs: &Counts,
        (alpha, beta): (f64, f64),
        image: &[Entry],
    ) -> Vec<f64> {
        let words_urns = Urns::new(words.clone(), blobs, Size::OneKind, alpha);
        let blobs_urns = Urns::new(blobs.clone(), words, Size::OneKind, beta);
        words_urns.expectation(&blobs_urns.posterior(image, &mut Scratch::default()))
    }

    /// Two pictures: {tiger, grass; b0 b1} and {sky; b1 b1}; alpha = beta = 1/2, an image of b0.
    /// P(b0|J1) = 1/2 * 1/2 + 1/2 * 1/4 = 3/8, P(b0|J2) = 0 + 1/8: weights 3/4 and 1/4.
    /// P(tiger|J1) = 1/2 * 1/2 + 1/2 * 1/3 = 5/12, P(tiger|J2) = 1/6, so P(tiger|I) =
    /// 3/4 * 5/12 + 1/4 * 1/6 = 17/48; sky: 3/4 * 1/6 + 1/4 * (1/2 + 1/6) = 14/48.
    #[test]
    fn equation_3_by_hand() {
        let words = Counts::new(3, [vec![(0, 1.0), (1, 1.0)], vec![(2, 1.0)]]);
        let blobs = Counts::new(2, [vec![(0, 1.0), (1, 1.0)], vec![(1, 2.0)]]);
        let found = sparse(&words, &blobs, (0.5, 0.5), &[(0, 1.0)]);
        for (found, expected) in found.iter().zip([17.0 / 48.0, 17.0 / 48.0, 14.0 / 48.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    /// The same with |J| counting both kinds: 4 and 3 of 7 tokens. P(b0|J1) = 1/8 + 1/14 = 11/56,
    /// P(b0|J2) = 1/14 = 4/56: weights 11/15 and 4/15. P(tiger|J1) = 1/8 + 1/14 = 11/56, J2: 4/56;
    /// sky: 4/56 and 1/6 + 1/14 = 40/168. tiger: (11 * 11 + 4 * 4) / (15 * 56) = 137/840; sky:
    /// (44/56 + 160/168) / 15 = (132 + 160) / 2520 = 292/2520. Of their sum, 137/840 * 2 + 292/2520.
    #[test]
    fn both_kinds_in_one_urn_by_hand() {
        let words = Counts::new(3, [vec![(0, 1.0), (1, 1.0)], vec![(2, 1.0)]]);
        let blobs = Counts::new(2, [vec![(0, 1.0), (1, 1.0)], vec![(1, 2.0)]]);
        let urns = Urns::new(words.clone(), &blobs, Size::BothKinds, 0.5);
        let given = Urns::new(blobs, &words, Size::BothKinds, 0.5);
        let found = urns.expectation(&given.posterior(&[(0, 1.0)], &mut Scratch::default()));
        let (tiger, sky) = (137.0 / 840.0, 292.0 / 2520.0);
        let total = 2.0 * tiger + sky;
        for (found, expected) in found.iter().zip([tiger / total, tiger / total, sky / total]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }

    #[test]
    fn a_token_of_no_urn_and_no_token_say_nothing() {
        let words = Counts::new(2, [vec![(0, 1.0)], vec![(1, 1.0)]]);
        let blobs = Counts::new(3, [vec![(0, 1.0)], vec![(1, 1.0)]]);
        let urns = Urns::new(words.clone(), &blobs, Size::OneKind, 0.1);
        let given = Urns::new(blobs, &words, Size::OneKind, 0.9);
        let mut scratch = Scratch::default();
        for sample in [&[][..], &[(2, 4.0)], &[(77, 1.0)]] {
            assert_eq!(urns.expectation(&given.posterior(sample, &mut scratch)), urns.prior());
        }
        let known = urns.expectation(&given.posterior(&[(0, 1.0)], &mut scratch));
        assert_eq!(urns.expectation(&given.posterior(&[(0, 1.0), (2, 4.0)], &mut scratch)), known);
    }

    #[test]
    fn thousands_of_regions_do_not_underflow() {
        let words = Counts::new(2, [vec![(0, 1.0)], vec![(1, 1.0)]]);
        let blobs = Counts::new(2, [vec![(0, 1.0)], vec![(1, 1.0)]]);
        let found = sparse(&words, &blobs, (0.1, 0.5), &[(0, 5000.0)]);
        assert!((found[0] - 0.95).abs() < 1e-9 && (found[1] - 0.05).abs() < 1e-9, "{found:?}");
    }

    fn picture(tokens: u32) -> impl Strategy<Value = Vec<Entry>> {
        prop::collection::btree_map(0..tokens, 1u8..4, 1..4)
            .prop_map(|row| row.into_iter().map(|(t, n)| (t, f64::from(n))).collect())
    }

    proptest! {
        #[test]
        fn logarithms_and_sparseness_change_nothing(
            pictures in prop::collection::vec((picture(5), picture(6)), 1..8),
            image in picture(6),
            alpha in 0.01f64..0.99,
            beta in 0.01f64..0.99,
        ) {
            let words = Counts::new(5, pictures.iter().map(|(words, _)| words.clone()));
            let blobs = Counts::new(6, pictures.iter().map(|(_, blobs)| blobs.clone()));
            // The plain product has nothing to say about blobs that no picture has.
            let totals = blobs.totals();
            let image: Vec<Entry> =
                image.into_iter().filter(|&(blob, _)| totals[blob as usize] > 0.0).collect();
            let found = sparse(&words, &blobs, (alpha, beta), &image);
            prop_assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (found, expected) in found.iter().zip(plain(&words, &blobs, (alpha, beta), &image)) {
                prop_assert!((found - expected).abs() < 1e-9, "{found} {expected}");
            }
        }
    }
}
