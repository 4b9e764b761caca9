//! The one place with `unsafe`: dot products with rows of 16-bit numbers or 8-bit codes, by the
//! vector instructions that the processor has.
//!
//! Sums are taken in 32 lanes, without fused products, and folded in one order, so that a score is
//! the same to the last bit on every machine.

use half::f16;

/// Numbers that are widened at once.
const EIGHT: usize = 8;
/// Sums that run side by side, so that one need not wait for another.
const SIDE_BY_SIDE: usize = 4;

type Lanes = [f32; EIGHT];

/// The dot product of `query` with each row of `rows` (little-endian 16-bit floats, one row after the
/// other, each as long as the query), into `scores`.
pub(super) fn dot_products(rows: &[u8], query: &[f32], scores: &mut [f32]) {
    debug_assert_eq!(rows.len(), scores.len() * query.len() * 2);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c") {
        // SAFETY: the processor was just asked whether it has both.
        return unsafe { with_f16c(rows, query, scores) };
    }
    each_row(rows, query, scores, plain);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
fn with_f16c(rows: &[u8], query: &[f32], scores: &mut [f32]) {
    each_row(rows, query, scores, |bytes| eight(bytes));
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "f16c")]
fn eight(bytes: &[u8; 2 * EIGHT]) -> Lanes {
    use std::arch::x86_64::{__m128i, __m256, _mm256_cvtph_ps};

    // SAFETY: both sides are 16 bytes, and any bytes are a vector of integers.
    let halves = unsafe { std::mem::transmute::<[u8; 2 * EIGHT], __m128i>(*bytes) };
    let floats: __m256 = _mm256_cvtph_ps(halves);
    // SAFETY: both sides are eight floats.
    unsafe { std::mem::transmute::<__m256, Lanes>(floats) }
}

/// The numbers of a row, into `numbers`, which is as long.
pub(super) fn widen(row: &[u8], numbers: &mut [f32]) {
    debug_assert_eq!(row.len(), numbers.len() * 2);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("f16c") {
        // SAFETY: the processor was just asked whether it has it.
        return unsafe { widen_with_f16c(row, numbers) };
    }
    each_eight(row, numbers, plain);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "f16c")]
fn widen_with_f16c(row: &[u8], numbers: &mut [f32]) {
    each_eight(row, numbers, |bytes| eight(bytes));
}

#[inline(always)]
fn each_eight(row: &[u8], numbers: &mut [f32], widen: impl Fn(&[u8; 2 * EIGHT]) -> Lanes) {
    let (wide, tail) = row.as_chunks::<{ 2 * EIGHT }>();
    let (eights, rest) = numbers.as_chunks_mut::<EIGHT>();
    eights.iter_mut().zip(wide).for_each(|(to, halves)| *to = widen(halves));
    for (to, &two) in rest.iter_mut().zip(tail.as_chunks::<2>().0) {
        *to = f16::from_le_bytes(two).to_f32();
    }
}

/// Says that bytes will be read soon.
pub(super) fn announce(bytes: &[u8]) {
    #[cfg(target_arch = "x86_64")]
    for line in bytes.chunks(64) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a byte we may read, and fetching changes nothing that a
        // program can see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = bytes;
}

fn plain(bytes: &[u8; 2 * EIGHT]) -> Lanes {
    let mut floats = [0.0; EIGHT];
    for (float, &two) in floats.iter_mut().zip(bytes.as_chunks::<2>().0) {
        *float = f16::from_le_bytes(two).to_f32();
    }
    floats
}

#[inline(always)]
fn each_row(
    rows: &[u8],
    query: &[f32],
    scores: &mut [f32],
    widen: impl Fn(&[u8; 2 * EIGHT]) -> Lanes + Copy,
) {
    let (eights, rest) = query.as_chunks::<EIGHT>();
    for (row, score) in rows.chunks_exact((2 * query.len()).max(1)).zip(scores) {
        let (wide, tail) = row.as_chunks::<{ 2 * EIGHT }>();
        let mut sums = [[0.0; EIGHT]; SIDE_BY_SIDE];
        let (blocks, left) = wide.as_chunks::<SIDE_BY_SIDE>();
        let (query_blocks, query_left) = eights.as_chunks::<SIDE_BY_SIDE>();
        for (block, query) in blocks.iter().zip(query_blocks) {
            for ((sums, halves), query) in sums.iter_mut().zip(block).zip(query) {
                add_products(sums, &widen(halves), query);
            }
        }
        for ((sums, halves), query) in sums.iter_mut().zip(left).zip(query_left) {
            add_products(sums, &widen(halves), query);
        }
        for ((sum, &two), query) in sums[0].iter_mut().zip(tail.as_chunks::<2>().0).zip(rest) {
            *sum += f16::from_le_bytes(two).to_f32() * query;
        }
        let mut folded = [0.0; EIGHT];
        for (lane, folded) in folded.iter_mut().enumerate() {
            *folded = (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane]);
        }
        *score = folded.iter().sum();
    }
}

#[inline(always)]
fn add_products(sums: &mut Lanes, row: &Lanes, query: &Lanes) {
    for ((sum, row), query) in sums.iter_mut().zip(row).zip(query) {
        *sum += row * query;
    }
}

/// The products of a query's codes with each row of codes, into `products`. Codes are at most 127 from
/// 0, so that a row of any sensible length fits.
pub(super) fn code_products(rows: &[i8], query: &[i16], products: &mut [i32]) {
    debug_assert_eq!(rows.len(), products.len() * query.len());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor was just asked whether it has it.
        return unsafe { code_products_avx2(rows, query, products) };
    }
    each_code_row(rows, query, products);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn code_products_avx2(rows: &[i8], query: &[i16], products: &mut [i32]) {
    each_code_row(rows, query, products);
}

#[inline(always)]
fn each_code_row(rows: &[i8], query: &[i16], products: &mut [i32]) {
    for (row, product) in rows.chunks_exact(query.len().max(1)).zip(products) {
        let pairs = row.iter().zip(query);
        *product = pairs.map(|(&code, &query)| i32::from(code) * i32::from(query)).sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_width_gives_the_sum_and_the_same_bits() {
        for width in (0..70).chain([256, 300]) {
            let query: Vec<f32> =
                (0..width).map(|k| ((k * 37 % 101) as f32 - 50.0) / 77.0).collect();
            let halves: Vec<f16> = (0..3 * width)
                .map(|k| f16::from_f32(((k * 53 % 89) as f32 - 44.0) / 91.0))
                .collect();
            let rows: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
            let (mut fast, mut slow) = ([0.0; 3], [0.0; 3]);
            dot_products(&rows, &query, &mut fast);
            each_row(&rows, &query, &mut slow, plain);
            assert_eq!(fast.map(f32::to_bits), slow.map(f32::to_bits), "{width}");
            let (mut wide, mut one_by_one) = (vec![0.0; width], vec![0.0; width]);
            widen(&rows[..2 * width], &mut wide);
            each_eight(&rows[..2 * width], &mut one_by_one, plain);
            assert_eq!(wide, one_by_one, "{width}");
            assert!(wide.iter().zip(&halves).all(|(wide, half)| *wide == half.to_f32()));
            for (row, score) in halves.chunks(width.max(1)).zip(fast) {
                let want: f64 =
                    row.iter().zip(&query).map(|(a, &b)| a.to_f64() * f64::from(b)).sum();
                assert!((want - f64::from(score)).abs() < 1e-4, "{width}: {want} {score}");
            }
        }
    }
}
