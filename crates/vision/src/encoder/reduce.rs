//! Networks that take less room: weights in 16 or 8 bits, which become floats again on loading.
//!
//! The result is still an ONNX file that other tools open: a large weight is kept in fewer bits,
//! and an operator (`Cast`, `DequantizeLinear`) makes the float of it.

use std::collections::HashMap;

use super::onnx::{Data, FLOAT, FLOAT16, INT8, Node, OnnxFile, Tensor};
use super::protobuf::Message;

/// In how many bits weights are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// IEEE half floats.
    Half,
    /// Bytes, with a scale for each channel.
    Byte,
}

/// Weights with fewer numbers stay as they are.
const SMALLEST: u64 = 1024;

/// The bytes of an ONNX file with its large weights in fewer bits.
///
/// # Errors
/// If the file is damaged, with the tensor's name.
pub fn reduce(bytes: &[u8], precision: Precision) -> Result<Vec<u8>, String> {
    let file = OnnxFile::read(bytes)?;
    let worth = |tensor: &Tensor| tensor.kind == FLOAT && tensor.values() >= SMALLEST;
    let mut more = Message::default();
    for tensor in file.tensors.iter().filter(|tensor| worth(tensor)) {
        let node = match precision {
            Precision::Half => node("Cast", &[&half_name(tensor.name)], tensor.name, &[("to", 1)]),
            Precision::Byte => {
                let (axis, _) = channels(tensor);
                let inputs = [byte_name(tensor.name), scale_name(tensor.name)];
                let inputs = [inputs[0].as_str(), inputs[1].as_str()];
                node("DequantizeLinear", &inputs, tensor.name, &[("axis", axis as u64)])
            }
        };
        more.bytes(1, &node);
    }
    Ok(file.write(&more, |tensor, graph| {
        if !worth(tensor) {
            return tensor.copy(graph);
        }
        match (precision, tensor.floats()) {
            (_, None) => tensor.copy(graph),
            (Precision::Half, Some(values)) => {
                let bytes: Vec<u8> = values
                    .iter()
                    .flat_map(|&value| half::f16::from_f32(value).to_le_bytes())
                    .collect();
                write(graph, &half_name(tensor.name), FLOAT16, &tensor.shape, &bytes);
            }
            (Precision::Byte, Some(values)) => {
                let (axis, scales) = channels(tensor);
                let channel = channel_of(&tensor.shape, axis);
                let bytes: Vec<u8> = values
                    .iter()
                    .enumerate()
                    .map(|(at, value)| quantised(*value, scales[channel(at)]).cast_unsigned())
                    .collect();
                write(graph, &byte_name(tensor.name), INT8, &tensor.shape, &bytes);
                let bytes: Vec<u8> = scales.iter().flat_map(|scale| scale.to_le_bytes()).collect();
                let shape = [scales.len() as u64];
                write(graph, &scale_name(tensor.name), FLOAT, &shape, &bytes);
            }
        }
    }))
}

/// The bytes of an ONNX file in which all weights are floats again.
pub(super) fn expand(file: &mut OnnxFile) -> Result<Vec<u8>, String> {
    let by_name: HashMap<&str, Tensor> =
        file.tensors.iter().map(|tensor| (tensor.name, tensor.clone())).collect();
    let mut floats: Vec<(&str, Vec<u64>, Vec<f32>)> = Vec::new();
    let mut used = Vec::new();
    let mut nodes = Vec::with_capacity(file.nodes.len());
    for node in &file.nodes {
        let inputs: Option<Vec<&Tensor>> =
            node.inputs.iter().map(|name| by_name.get(name)).collect();
        let made = match (node.operator, inputs.as_deref(), node.outputs.as_slice()) {
            ("Cast", Some(&[half]), &[name]) if half.kind == FLOAT16 => {
                half.floats().map(|values| (name, half.shape.clone(), values))
            }
            ("DequantizeLinear", Some(&[bytes, scales]), &[name]) if bytes.kind == INT8 => {
                let values = dequantised(bytes, scales, axis(node)?)
                    .ok_or_else(|| format!("tensor '{}': its scales do not fit", bytes.name))?;
                Some((name, bytes.shape.clone(), values))
            }
            _ => None,
        };
        match made {
            Some(made) => {
                used.extend(node.inputs.iter().copied());
                floats.push(made);
            }
            None => nodes.push(node.clone()),
        }
    }
    file.nodes = nodes;
    // A reduced weight that something else reads as well stays.
    used.retain(|name| !file.nodes.iter().any(|node| node.inputs.contains(name)));
    file.tensors.retain(|tensor| !used.contains(&tensor.name));
    let mut tensors = Message::default();
    for (name, shape, values) in floats {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        write(&mut tensors, name, FLOAT, &shape, &bytes);
    }
    Ok(file.write(&tensors, Tensor::copy))
}

fn dequantised(bytes: &Tensor, scales: &Tensor, axis: usize) -> Option<Vec<f32>> {
    let Data::Raw(raw) = bytes.data else { return None };
    let scales = scales.floats()?;
    let side = usize::try_from(*bytes.shape.get(axis)?).ok()?;
    if scales.len() != side {
        return None;
    }
    let channel = channel_of(&bytes.shape, axis);
    let value = |(at, &byte): (usize, &u8)| f32::from(byte.cast_signed()) * scales[channel(at)];
    Some(raw.iter().enumerate().map(value).collect())
}

/// The axis of a `DequantizeLinear`; 1 where none is told.
fn axis(node: &Node) -> Result<usize, String> {
    match node.integers("axis").as_deref() {
        None => Ok(1),
        Some(&[axis]) => usize::try_from(axis).map_err(|_| "axis: out of range".into()),
        Some(_) => Err("axis: it is one number".into()),
    }
}

/// The axis whose channels lose least, and the scale of each channel.
fn channels(tensor: &Tensor) -> (usize, Vec<f32>) {
    let values = tensor.floats().unwrap_or_default();
    let axes = 0..tensor.shape.len().clamp(1, 2);
    let tried = axes.map(|axis| {
        let channel = channel_of(&tensor.shape, axis);
        let many = tensor.shape.get(axis).map_or(1, |&side| side as usize);
        let mut scales = vec![0.0f32; many];
        for (at, value) in values.iter().enumerate() {
            let scale = &mut scales[channel(at)];
            *scale = scale.max(value.abs() / 127.0);
        }
        // A channel of zeros needs some scale.
        scales.iter_mut().for_each(|scale| *scale = scale.max(f32::MIN_POSITIVE));
        let lost: f64 = values
            .iter()
            .enumerate()
            .map(|(at, &value)| {
                let scale = scales[channel(at)];
                f64::from(f32::from(quantised(value, scale)) * scale - value).powi(2)
            })
            .sum();
        (axis, scales, lost)
    });
    let best = tried.min_by(|a, b| a.2.total_cmp(&b.2));
    best.map_or((0, vec![1.0]), |(axis, scales, _)| (axis, scales))
}

fn quantised(value: f32, scale: f32) -> i8 {
    (value / scale).round_ties_even().clamp(-127.0, 127.0) as i8
}

/// Which channel along `axis` the number at a place belongs to.
fn channel_of(shape: &[u64], axis: usize) -> impl Fn(usize) -> usize + use<> {
    let after = shape.get(axis + 1..).unwrap_or_default();
    let inner = after.iter().product::<u64>().max(1) as usize;
    let side = shape.get(axis).map_or(1, |&side| side.max(1) as usize);
    move |at| at / inner % side
}

fn half_name(name: &str) -> String {
    format!("{name} (half)")
}

fn byte_name(name: &str) -> String {
    format!("{name} (byte)")
}

fn scale_name(name: &str) -> String {
    format!("{name} (scale)")
}

fn node(operator: &str, inputs: &[&str], output: &str, attributes: &[(&str, u64)]) -> Vec<u8> {
    let mut node = Message::default();
    for input in inputs {
        node.bytes(1, input.as_bytes());
    }
    node.bytes(2, output.as_bytes()).bytes(4, operator.as_bytes());
    for (name, value) in attributes {
        let mut attribute = Message::default();
        attribute.bytes(1, name.as_bytes()).integer(3, *value).integer(20, 2);
        node.bytes(5, &attribute.0);
    }
    node.0
}

/// Writes a tensor of a graph.
pub(super) fn write(graph: &mut Message, name: &str, kind: u64, shape: &[u64], bytes: &[u8]) {
    let mut tensor = Message::default();
    for &side in shape {
        tensor.integer(1, side);
    }
    tensor.integer(2, kind).bytes(8, name.as_bytes()).bytes(9, bytes);
    graph.bytes(5, &tensor.0);
}
