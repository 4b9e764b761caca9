//! Depthwise convolutions: every channel of a picture with a small kernel of its own.
//!
//! The engine that runs networks computes them number by number, which takes it a fifth of the
//! time of a network like TinyViT. Here sixteen columns are computed together.

use std::collections::HashMap;

use super::onnx::{Node, Tensor};
use crate::wide::wide;

/// Columns computed together.
const LANES: usize = 16;

/// The kernels of a depthwise convolution.
#[derive(Debug)]
pub(super) struct Depthwise {
    /// One kernel a channel, row by row.
    kernels: Vec<f32>,
    /// One number a channel.
    bias: Vec<f32>,
    /// The height and the width of a kernel.
    size: [usize; 2],
    strides: [usize; 2],
    /// Zeros around the picture: above, left, below, right.
    pads: [usize; 4],
}

impl Depthwise {
    /// Reads one from an operator of a network, if it is one, and its kernels are constant.
    pub fn read(node: &Node, tensors: &HashMap<&str, &Tensor>) -> Option<Self> {
        if node.operator != "Conv" || node.text("auto_pad").is_some_and(|pad| pad != "NOTSET") {
            return None;
        }
        let kernels = tensors.get(node.inputs.get(1)?)?;
        let &[channels, 1, height, width] = kernels.shape.as_slice() else { return None };
        let count = |number: u64| usize::try_from(number).ok();
        let numbers = |name: &str, usual: i64, many: usize| -> Option<Vec<usize>> {
            let given = node.integers(name).unwrap_or_else(|| vec![usual; many]);
            let given: Option<Vec<usize>> =
                given.iter().map(|&n| usize::try_from(n).ok()).collect();
            given.filter(|given| given.len() == many)
        };
        let group = numbers("group", 1, 1)?;
        if group != [count(channels)?] || numbers("dilations", 1, 2)? != [1, 1] {
            return None;
        }
        let bias = match node.inputs.get(2) {
            Some(name) => tensors.get(name)?.floats()?,
            None => vec![0.0; count(channels)?],
        };
        let read = Self {
            kernels: kernels.floats()?,
            bias,
            size: [count(height)?, count(width)?],
            strides: numbers("strides", 1, 2)?.try_into().ok()?,
            pads: numbers("pads", 0, 4)?.try_into().ok()?,
        };
        let whole = read.bias.len() == count(channels)?
            && read.size.iter().chain(&read.strides).all(|&length| length > 0);
        whole.then_some(read)
    }

    /// Height and width of what comes out for a picture of this height and width, if anything.
    fn sides(&self, sides: [usize; 2]) -> Option<[usize; 2]> {
        let side = |at: usize| {
            let padded = sides[at] + self.pads[at] + self.pads[at + 2];
            Some(padded.checked_sub(self.size[at])? / self.strides[at] + 1)
        };
        Some([side(0)?, side(1)?])
    }

    /// Multiplications for a picture of this shape (pictures, channels, height, width), if it is
    /// one that the kernels fit.
    pub fn work(&self, shape: &[usize]) -> Option<usize> {
        let &[1, channels, height, width] = shape else { return None };
        let [down, across] = self.sides([height, width])?;
        let work = channels * down * across * self.size[0] * self.size[1];
        (channels == self.bias.len() && height * width * work > 0).then_some(work)
    }

    /// The shape and the numbers of what comes out, if the kernels fit the shape.
    pub fn apply(&self, shape: &[usize], values: &[f32]) -> Option<(Vec<usize>, Vec<f32>)> {
        self.work(shape)?;
        let &[_, channels, height, width] = shape else { return None };
        let [down, across] = self.sides([height, width])?;
        let mut results = vec![0.0; channels * down * across];
        let padded = Padded::new(self, [height, width], across);
        wide(
            #[inline(always)]
            || self.planes(padded, values, down * across, &mut results),
        );
        Some((vec![1, channels, down, across], results))
    }

    /// Channel by channel; a plane is what comes out for one.
    #[inline(always)]
    fn planes(&self, mut padded: Padded, values: &[f32], plane: usize, results: &mut [f32]) {
        let channels = self.bias.len();
        let pictures = values.chunks_exact(values.len() / channels);
        let kernels = self.kernels.chunks_exact(self.size[0] * self.size[1]);
        let planes = results.chunks_exact_mut(plane);
        for (((picture, plane), kernel), &bias) in pictures.zip(planes).zip(kernels).zip(&self.bias)
        {
            padded.fill(picture);
            for (y, row) in plane.chunks_exact_mut(padded.across).enumerate() {
                padded.row(y * self.strides[0], kernel, bias, row);
            }
        }
    }
}

/// A channel with zeros around it, its columns sorted by their place within a stride, so that what
/// a column of a kernel meets lies side by side.
struct Padded {
    values: Vec<f32>,
    /// Columns of one place within a stride, with room for whole lanes.
    columns: usize,
    stride: usize,
    kernel: usize,
    above: usize,
    left: usize,
    width: usize,
    /// Columns of what comes out.
    across: usize,
}

impl Padded {
    fn new(of: &Depthwise, [height, width]: [usize; 2], across: usize) -> Self {
        let [above, left, below, right] = of.pads;
        let stride = of.strides[1];
        let reach = across.next_multiple_of(LANES) + of.size[1] / stride;
        let columns = reach.max((width + left + right).div_ceil(stride));
        let values = vec![0.0; (height + above + below) * columns * stride];
        Self { values, columns, stride, kernel: of.size[1], above, left, width, across }
    }

    /// Puts a channel in; the zeros around it stay.
    #[inline(always)]
    fn fill(&mut self, picture: &[f32]) {
        let Self { columns, stride, .. } = *self;
        let rows = self.values.chunks_exact_mut(columns * stride).skip(self.above);
        for (row, values) in rows.zip(picture.chunks_exact(self.width)) {
            if stride == 1 {
                row[self.left..][..values.len()].copy_from_slice(values);
                continue;
            }
            for (x, &value) in values.iter().enumerate() {
                let x = x + self.left;
                row[x % stride * columns + x / stride] = value;
            }
        }
    }

    /// One row of the result: the kernel along the rows from `top` on.
    #[inline(always)]
    fn row(&self, top: usize, kernel: &[f32], bias: f32, results: &mut [f32]) {
        let line = self.columns * self.stride;
        for (at, results) in results.chunks_mut(LANES).enumerate() {
            let mut sums = [bias; LANES];
            for (y, weights) in kernel.chunks_exact(self.kernel).enumerate() {
                let row = &self.values[(top + y) * line..][..line];
                for (x, weight) in weights.iter().enumerate() {
                    let from = x % self.stride * self.columns + x / self.stride + at * LANES;
                    for (sum, value) in sums.iter_mut().zip(&row[from..from + LANES]) {
                        *sum += weight * value;
                    }
                }
            }
            results.copy_from_slice(&sums[..results.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The definition, number by number.
    fn slowly(of: &Depthwise, [height, width]: [usize; 2], values: &[f32]) -> Vec<f32> {
        let [down, across] = of.sides([height, width]).unwrap();
        let mut results = Vec::new();
        for (channel, &bias) in of.bias.iter().enumerate() {
            for (y, x) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
                let mut sum = bias;
                for (ky, kx) in
                    (0..of.size[0]).flat_map(|ky| (0..of.size[1]).map(move |kx| (ky, kx)))
                {
                    let row = (y * of.strides[0] + ky).checked_sub(of.pads[0]);
                    let column = (x * of.strides[1] + kx).checked_sub(of.pads[1]);
                    let (Some(row), Some(column)) = (row, column) else { continue };
                    if row < height && column < width {
                        let weight = of.kernels[(channel * of.size[0] + ky) * of.size[1] + kx];
                        sum += weight * values[(channel * height + row) * width + column];
                    }
                }
                results.push(sum);
            }
        }
        results
    }

    proptest! {
        #[test]
        fn it_is_what_the_definition_says(
            channels in 1usize..4,
            sides in [1usize..20, 1usize..20],
            size in [1usize..6, 1usize..6],
            strides in [1usize..4, 1usize..4],
            pads in [0usize..4, 0usize..4, 0usize..4, 0usize..4],
            seed in any::<u32>(),
        ) {
            let number = |at: usize| ((at as u32).wrapping_mul(2_654_435_761) ^ seed) % 19;
            let many = |count: usize, from: usize| -> Vec<f32> {
                (from..from + count).map(|at| number(at) as f32 - 9.0).collect()
            };
            let of = Depthwise {
                kernels: many(channels * size[0] * size[1], 0),
                bias: many(channels, 1000),
                size,
                strides,
                pads,
            };
            let values = many(channels * sides[0] * sides[1], 2000);
            let shape = [1, channels, sides[0], sides[1]];
            match of.apply(&shape, &values) {
                // Whole numbers, so that no rounding hides a difference.
                Some((shape, results)) => {
                    prop_assert_eq!(shape.iter().product::<usize>(), results.len());
                    prop_assert_eq!(results, slowly(&of, sides, &values));
                }
                None => prop_assert!(of.sides(sides).is_none()),
            }
        }
    }

    #[test]
    fn other_shapes_are_left_alone() {
        let of = Depthwise {
            kernels: vec![1.0; 18],
            bias: vec![0.0; 2],
            size: [3, 3],
            strides: [1, 1],
            pads: [1; 4],
        };
        assert!(of.work(&[1, 2, 4, 4]).is_some());
        assert!(of.work(&[2, 2, 4, 4]).is_none());
        assert!(of.work(&[1, 3, 4, 4]).is_none());
        assert!(of.work(&[1, 2, 4]).is_none());
    }
}
