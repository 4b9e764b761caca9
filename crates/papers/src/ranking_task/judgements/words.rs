//! The captions' words, as section 4.2.2 prepares them, each word a number.

use std::collections::HashMap;

use rebus_text::Analysis;

/// Words as numbers: comparing them is comparing numbers.
pub(in crate::ranking_task) type Words = Vec<u32>;

/// All captions of all test images: `texts[image][number]`.
pub(in crate::ranking_task) struct Texts(pub(in crate::ranking_task) Vec<Vec<Words>>);

impl Texts {
    /// Cuts captions into words.
    pub(in crate::ranking_task) fn new(captions: &[Vec<String>], analysis: &Analysis) -> Self {
        let mut numbers: HashMap<String, u32> = HashMap::new();
        let mut number = |word: String| {
            let next = numbers.len() as u32;
            *numbers.entry(word).or_insert(next)
        };
        let mut words =
            |text: &String| analysis.tokens(text).into_iter().map(&mut number).collect();
        Self(captions.iter().map(|texts| texts.iter().map(&mut words).collect()).collect())
    }
}
