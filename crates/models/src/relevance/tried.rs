//! Settings that are chosen: what is tried, and which is best.

/// What is tried for a setting: the value that is given, or a list.
pub(super) struct Tried<T> {
    first: T,
    others: Vec<T>,
}

impl<T: Copy> Tried<T> {
    /// The given value alone, or else a list, which must not be empty.
    pub(super) fn new<const N: usize>(given: Option<T>, list: &[T; N]) -> Self {
        const { assert!(N > 0) };
        match given {
            Some(value) => Self { first: value, others: Vec::new() },
            None => Self { first: list[0], others: list[1..].to_vec() },
        }
    }

    /// What is taken where all are alike.
    pub(super) fn first(&self) -> T {
        self.first
    }

    pub(super) fn len(&self) -> usize {
        1 + self.others.len()
    }

    /// All of them, the first one first.
    pub(super) fn iter(&self) -> impl Iterator<Item = T> {
        std::iter::once(self.first).chain(self.others.iter().copied())
    }
}

/// The best of what was tried so far.
pub(super) struct Best<T> {
    /// What it reached.
    pub(super) value: f64,
    /// What it is.
    pub(super) of: T,
}

impl<T> Best<T> {
    /// Before anything was tried.
    pub(super) fn new(first: T) -> Self {
        Self { value: f64::NEG_INFINITY, of: first }
    }

    /// Takes it if it is better. What differs by rounding only does not differ: the earlier stays.
    pub(super) fn offer(&mut self, value: f64, of: T) {
        if value > self.value + 1e-9 {
            *self = Self { value, of };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_all_that_is_tried() {
        let tried = |given| Tried::new(given, &[3, 1, 2]).iter().collect::<Vec<i32>>();
        assert_eq!(tried(None), [3, 1, 2]);
        assert_eq!(tried(Some(7)), [7]);
        assert_eq!(Tried::new(None, &[3, 1, 2]).len(), 3);
    }

    #[test]
    fn of_equals_the_first() {
        let mut best = Best::new("none");
        for (value, of) in [(0.3, "a"), (0.3 + 1e-12, "b"), (0.4, "c"), (0.2, "d")] {
            best.offer(value, of);
        }
        assert_eq!((best.value, best.of), (0.4, "c"));
    }
}
