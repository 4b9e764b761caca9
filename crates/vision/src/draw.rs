//! Drawing some of many.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Draws `some` of `count` without putting back (all, if there are fewer), in random order.
pub(crate) fn draw(count: usize, some: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut all: Vec<usize> = (0..count).collect();
    let some = some.min(count);
    for at in 0..some {
        let other = random.random_range(at..count);
        all.swap(at, other);
    }
    all.truncate(some);
    all
}
