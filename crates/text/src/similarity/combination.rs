//! Several similarities as one (equations 26 and 27 of the ranking-task paper).
//!
//! Word by word: the mean, or the greater. A pair that one table does not have counts as 0 there,
//! and words outside a table are like themselves only. The greater of two kernels need not be a
//! kernel itself; the paper's footnote 4 says what that means.

use super::WordSimilarity;

impl WordSimilarity {
    /// The mean of two similarities (equation 26).
    #[must_use]
    pub fn mean(&self, other: &Self) -> Self {
        self.combined(other, |one, two| (one + two) / 2.0)
    }

    /// The greater of two similarities (equation 27).
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        self.combined(other, f32::max)
    }

    fn combined(&self, other: &Self, both: impl Fn(f32, f32) -> f32) -> Self {
        let mut words: Vec<String> = self.words().iter().chain(other.words()).cloned().collect();
        words.sort_unstable();
        words.dedup();
        let place = |word: &str| {
            words.binary_search_by(|known| known.as_str().cmp(word)).unwrap_or(0) as u32
        };
        let places =
            |table: &Self| -> Vec<u32> { table.words().iter().map(|word| place(word)).collect() };
        let (mine, theirs) = (places(self), places(other));
        let upper = (0..).zip(&words).map(|(at, word): (u32, _)| {
            // Both tables are in the order of the alphabet, so rows stay in order.
            let row = |table: &Self, places: &[u32]| -> Vec<(u32, f32)> {
                let row = table.similar(word).iter();
                row.map(|&(id, how)| (places[id.0 as usize], how))
                    .filter(|&(o, _)| o > at)
                    .collect()
            };
            merged(&row(self, &mine), &row(other, &theirs), &both)
        });
        let upper = upper.collect();
        Self::from_upper(words, upper)
    }
}

/// Two rows in order, as one.
fn merged(
    one: &[(u32, f32)],
    two: &[(u32, f32)],
    both: &impl Fn(f32, f32) -> f32,
) -> Vec<(u32, f32)> {
    let (mut a, mut b) = (one.iter().peekable(), two.iter().peekable());
    let mut row = Vec::with_capacity(one.len() + two.len());
    loop {
        let word = match (a.peek(), b.peek()) {
            (Some(&&(x, _)), Some(&&(y, _))) => x.min(y),
            (Some(&&(x, _)), None) | (None, Some(&&(x, _))) => x,
            (None, None) => return row,
        };
        let how = |next: Option<&(u32, f32)>| next.map_or(0.0, |&(_, how)| how);
        let x = how(a.next_if(|next| next.0 == word));
        let y = how(b.next_if(|next| next.0 == word));
        row.push((word, both(x, y)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        let one = WordSimilarity::builder().pair("swim", "pool", 0.5).pair("swim", "dive", 0.25);
        let one = one.build();
        let two = WordSimilarity::builder().pair("swim", "pool", 0.25).pair("a", "swim", 1.0);
        let two = two.build();
        let mean = one.mean(&two);
        assert_eq!(mean.words(), ["a", "dive", "pool", "swim"]);
        assert_eq!(mean.most_similar("swim", 9), [("a", 0.5), ("pool", 0.375), ("dive", 0.125)]);
        let max = one.max(&two);
        assert_eq!(max.most_similar("swim", 9), [("a", 1.0), ("pool", 0.5), ("dive", 0.25)]);
        assert_eq!(max, two.max(&one));
        assert_eq!(one.max(&WordSimilarity::default()), one);
    }
}
