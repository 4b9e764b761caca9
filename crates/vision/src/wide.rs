//! The one place with `unsafe`: work done with the vector instructions that the processor has.
//!
//! Binaries are built for any processor of the kind, which alone would halve the speed of the
//! inner loops. Only the width of the instructions changes, never the order of sums, and products
//! are not fused into them, so results are the same on every machine.

/// Does `work`, compiled for AVX2 where the processor has it. To gain from it, `work` and all it calls
/// must be `#[inline(always)]`: a closure without that is compiled apart, for any processor.
#[inline(always)]
pub(crate) fn wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was just asked whether it has AVX2.
        return unsafe { with_avx2(work) };
    }
    work()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<T>(work: impl FnOnce() -> T) -> T {
    work()
}
