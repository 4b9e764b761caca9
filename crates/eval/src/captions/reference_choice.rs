//! Which of an image's captions serve as references.
//!
//! Hodosh, Young and Hockenmaier (2013), section 4.2.2 and Tables 8 and 9: one caption of each
//! image lies in the pool of candidates; the references are all five, that one only, the four
//! others, or one of the four others.

/// A set of references, relative to the caption of the image that lies in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReferenceChoice {
    /// All captions of the image (the paper's `R_5`).
    All,
    /// The caption in the pool only (`R_1(gold)`).
    Gold,
    /// All but the caption in the pool (`R_4`).
    Others,
    /// One of the others (`R_1(other)`): the one that many places after the pool's, around the
    /// end. The paper does not say which one it took.
    Other {
        /// 1 for the next caption, 2 for the one after it, and so on.
        after: usize,
    },
}

impl ReferenceChoice {
    /// The chosen captions of an image whose caption number `pool` lies in the pool.
    ///
    /// Empty if the image has no such caption.
    pub fn of<T>(self, captions: &[T], pool: usize) -> Vec<&T> {
        match self {
            Self::All => captions.iter().collect(),
            Self::Gold => captions.get(pool).into_iter().collect(),
            Self::Others => {
                captions.iter().enumerate().filter(|(at, _)| *at != pool).map(|(_, c)| c).collect()
            }
            Self::Other { after } => {
                let n = captions.len();
                if n < 2 || pool >= n {
                    return Vec::new();
                }
                // Over the n - 1 others, so that no step comes back to the pool's caption.
                let step = 1 + after.saturating_sub(1) % (n - 1);
                vec![&captions[(pool + step) % n]]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_choices_of_the_paper() {
        let captions = [0, 1, 2, 3, 4];
        assert_eq!(ReferenceChoice::All.of(&captions, 2), [&0, &1, &2, &3, &4]);
        assert_eq!(ReferenceChoice::Gold.of(&captions, 2), [&2]);
        assert_eq!(ReferenceChoice::Others.of(&captions, 2), [&0, &1, &3, &4]);
        let others: Vec<_> =
            (1..=4).map(|after| *ReferenceChoice::Other { after }.of(&captions, 2)[0]).collect();
        assert_eq!(others, [3, 4, 0, 1]);
    }

    #[test]
    fn nothing_to_choose_from() {
        assert!(ReferenceChoice::Other { after: 1 }.of(&[7], 0).is_empty());
        assert!(ReferenceChoice::Gold.of(&[7], 3).is_empty());
        assert!(ReferenceChoice::All.of::<u8>(&[], 0).is_empty());
    }
}
