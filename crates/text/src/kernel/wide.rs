//! Several numbers at once. The one place with `unsafe`: running a loop with instructions that not
//! every processor has.

use std::ops::{Add, AddAssign, Mul, Sub};

/// How many numbers are done at once.
pub(super) const LANES: usize = 8;

/// One number a lane.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [f32; LANES]);

/// Zero in every lane.
pub(super) const ZERO: Lanes = Lanes([0.0; LANES]);

macro_rules! lane_by_lane {
    ($trait:ident, $method:ident, $sign:tt) => {
        impl $trait for Lanes {
            type Output = Self;

            #[inline(always)]
            fn $method(mut self, other: Self) -> Self {
                for (one, other) in self.0.iter_mut().zip(other.0) {
                    *one $sign other;
                }
                self
            }
        }
    };
}

lane_by_lane!(Add, add, +=);
lane_by_lane!(Sub, sub, -=);
lane_by_lane!(Mul, mul, *=);

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Does `work` with the widest instructions there are. Every lane is computed in the same order
/// with or without them, so the results are the same. `work` must be inlined.
#[inline(always)]
pub(super) fn with_wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as was just asked.
        return unsafe { with_avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lane_by_lane_with_and_without_wide_instructions() {
        let one = Lanes(std::array::from_fn(|k| k as f32 + 0.1));
        let other = Lanes(std::array::from_fn(|k| 3.0 - k as f32));
        let work = || (one * other + one) - other;
        assert_eq!(with_wide(work), work());
        assert_eq!(work().0[2], (2.1 * 1.0 + 2.1) - 1.0);
    }
}
