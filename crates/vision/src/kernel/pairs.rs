//! Sums over pairs of values, for all pairs of rows: the loop under the histogram kernels.
//!
//! The matrix is cut into tiles of rows and stretches of columns that stay in the near cache, and
//! within a tile four rows meet two, so that every value read is used more than once. Each pair's sum
//! is grouped alike wherever it falls, so neither threads nor tiles change a result.

use rayon::prelude::*;
use rebus_collection::Matrix;

use super::same;
use crate::wide::wide;

/// Rows of either side in a tile.
const TILE: usize = 32;
/// Values of a row looked at together.
const STRETCH: usize = 512;
/// Values added side by side.
const LANES: usize = 8;
/// Rows of one side, and of the other, that meet at once: as many sums as there are registers for.
const ROWS: usize = 4;
const COLUMNS: usize = 2;

/// All intersections.
pub(super) fn intersection(rows: &Matrix, columns: &Matrix) -> Matrix {
    gram::<Minimum>(rows, columns)
}

/// All sums of (a - b)^2 / (a + b).
pub(super) fn chi_square(rows: &Matrix, columns: &Matrix) -> Matrix {
    gram::<ChiSquare>(rows, columns)
}

/// What two values add to the sum.
trait Term {
    fn of(a: f32, b: f32) -> f32;
}

struct Minimum;

impl Term for Minimum {
    // Not `f32::min`, whose rule for NaN costs an instruction more; there are none here.
    #[inline(always)]
    fn of(a: f32, b: f32) -> f32 {
        if a < b { a } else { b }
    }
}

struct ChiSquare;

impl Term for ChiSquare {
    // Where both are 0 the difference is 0 too, whatever it is divided by.
    #[inline(always)]
    fn of(a: f32, b: f32) -> f32 {
        let sum = a + b;
        let difference = a - b;
        difference * difference / if sum > 0.0 { sum } else { 1.0 }
    }
}

/// A tile of the result and the rows it is about.
struct Tile {
    row: usize,
    column: usize,
    sums: Vec<f32>,
}

fn gram<T: Term>(rows: &Matrix, columns: &Matrix) -> Matrix {
    let mut gram = Matrix::zeros(rows.rows(), columns.rows());
    let symmetric = same(rows, columns);
    for row in (0..rows.rows()).step_by(TILE * 8) {
        let stripes = (row..rows.rows().min(row + TILE * 8)).step_by(TILE);
        let places: Vec<(usize, usize)> = stripes
            .flat_map(|row| (0..columns.rows()).step_by(TILE).map(move |column| (row, column)))
            .filter(|&(row, column)| !symmetric || column >= row)
            .collect();
        let tiles: Vec<Tile> = places
            .into_par_iter()
            .map(|(row, column)| {
                let height = TILE.min(rows.rows() - row);
                let width = TILE.min(columns.rows() - column);
                let mut sums = vec![0.0; TILE * TILE];
                let depth = rows.columns();
                let rows = &rows.values()[row * depth..(row + height) * depth];
                let columns = &columns.values()[column * depth..(column + width) * depth];
                wide(
                    #[inline(always)]
                    || tile::<T>(rows, columns, depth, &mut sums),
                );
                Tile { row, column, sums }
            })
            .collect();
        for Tile { row, column, sums } in tiles {
            let width = TILE.min(columns.rows() - column);
            for (at, sums) in sums.chunks(TILE).take(rows.rows() - row).enumerate() {
                gram.row_mut(row + at)[column..column + width].copy_from_slice(&sums[..width]);
            }
        }
    }
    if symmetric {
        mirror(&mut gram);
    }
    gram
}

/// Copies what lies above the diagonal below it.
fn mirror(gram: &mut Matrix) {
    let size = gram.rows();
    let values = gram.values_mut();
    for block in (0..size).step_by(64) {
        for row in 0..size {
            for column in block..(block + 64).min(row) {
                values[row * size + column] = values[column * size + row];
            }
        }
    }
}

/// Adds to the sums of a tile. Inlined with all it calls, so that it is compiled for the caller's
/// instructions.
#[inline(always)]
fn tile<T: Term>(rows: &[f32], columns: &[f32], depth: usize, sums: &mut [f32]) {
    if depth == 0 {
        return;
    }
    let (height, width) = (rows.len() / depth, columns.len() / depth);
    for begin in (0..depth).step_by(STRETCH) {
        let end = depth.min(begin + STRETCH);
        for i in (0..height).step_by(ROWS) {
            // Past the last row the last one is taken again; its sums are not looked at.
            let mut a: [&[f32]; ROWS] = [&[]; ROWS];
            for (at, a) in a.iter_mut().enumerate() {
                let row = (i + at).min(height - 1) * depth;
                *a = &rows[row + begin..row + end];
            }
            for j in (0..width).step_by(COLUMNS) {
                let mut b: [&[f32]; COLUMNS] = [&[]; COLUMNS];
                for (at, b) in b.iter_mut().enumerate() {
                    let row = (j + at).min(width - 1) * depth;
                    *b = &columns[row + begin..row + end];
                }
                let met = meet::<T>(a, b);
                for (at, met) in met.iter().enumerate() {
                    let to = &mut sums[(i + at) * TILE + j..][..COLUMNS];
                    to.iter_mut().zip(met).for_each(|(to, met)| *to += met);
                }
            }
        }
    }
}

/// The sums of four rows with two. Loops are over plain indices, so that the compiler unrolls them
/// and keeps the sums in registers.
#[inline(always)]
fn meet<T: Term>(a: [&[f32]; ROWS], b: [&[f32]; COLUMNS]) -> [[f32; COLUMNS]; ROWS] {
    let mut lanes = [[[0.0f32; LANES]; COLUMNS]; ROWS];
    let whole = a[0].len() / LANES;
    let mut wide_a: [&[[f32; LANES]]; ROWS] = [&[]; ROWS];
    let mut wide_b: [&[[f32; LANES]]; COLUMNS] = [&[]; COLUMNS];
    for i in 0..ROWS {
        wide_a[i] = &a[i].as_chunks().0[..whole];
    }
    for j in 0..COLUMNS {
        wide_b[j] = &b[j].as_chunks().0[..whole];
    }
    for at in 0..whole {
        for i in 0..ROWS {
            let a = wide_a[i][at];
            for j in 0..COLUMNS {
                let b = wide_b[j][at];
                for lane in 0..LANES {
                    lanes[i][j][lane] += T::of(a[lane], b[lane]);
                }
            }
        }
    }
    let mut met = [[0.0; COLUMNS]; ROWS];
    for i in 0..ROWS {
        for j in 0..COLUMNS {
            let rest = a[i][whole * LANES..].iter().zip(&b[j][whole * LANES..]);
            let rest: f32 = rest.map(|(&a, &b)| T::of(a, b)).sum();
            met[i][j] = lanes[i][j].iter().sum::<f32>() + rest;
        }
    }
    met
}
