//! Going through all photos that are asked for, on all cores.

use rayon::prelude::*;

use crate::selection::bits;
use crate::{PhotoId, Selection};

/// Photos of one word of a [`Selection`].
pub(super) const WORD: usize = 64;
/// Words that one task looks at: 16,384 photos, some milliseconds.
const TASK: usize = 256;
/// If fewer photos of a word are asked for, they are looked at one by one.
const FEW: u32 = 24;

/// Shows every photo asked for, of the first `rows`, to a keeper of each task, and merges what they
/// kept. `score` gives the scores of the rows from a number on, at most [`WORD`] of them.
pub(super) fn scan<K: Send>(
    rows: usize,
    among: Option<&Selection>,
    score: impl Fn(usize, &mut [f32]) + Sync + Send,
    keeper: impl Fn() -> K + Sync + Send,
    show: impl Fn(&mut K, PhotoId, f32) + Sync + Send,
    merge: impl Fn(K, K) -> K + Sync + Send,
) -> K {
    let words = rows.div_ceil(WORD);
    let look = |task: usize| {
        let mut kept = keeper();
        let mut scores = [0.0; WORD];
        for word in task * TASK..((task + 1) * TASK).min(words) {
            let from = word * WORD;
            let count = WORD.min(rows - from);
            let asked = among.map_or(u64::MAX, |among| among.word(word));
            if asked == 0 {
                continue;
            }
            if asked.count_ones() < FEW {
                for id in bits(word, asked).take_while(|id| (id.0 as usize) < rows) {
                    score(id.0 as usize, &mut scores[..1]);
                    show(&mut kept, id, scores[0]);
                }
                continue;
            }
            score(from, &mut scores[..count]);
            for (at, &score) in scores[..count].iter().enumerate() {
                if asked & (1 << at) != 0 {
                    show(&mut kept, PhotoId((from + at) as u32), score);
                }
            }
        }
        kept
    };
    let is_asked = |task: &usize| {
        let mut words = task * TASK..((task + 1) * TASK).min(words);
        among.is_none_or(|among| words.any(|word| among.word(word) != 0))
    };
    let tasks: Vec<usize> = (0..words.div_ceil(TASK)).filter(is_asked).collect();
    match tasks.as_slice() {
        [] => keeper(),
        // Waking others takes longer than one task.
        [only] => look(*only),
        tasks => tasks.par_iter().map(|&task| look(task)).reduce(&keeper, merge),
    }
}
