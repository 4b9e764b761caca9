//! A network that is run in parts: the engine as far as a depthwise convolution, the convolution
//! here ([`Depthwise`]), and the engine again from what came out of it.
//!
//! What a later part needs of an earlier one is handed on. The picture is handed on as well, so
//! that the engine can make anew whatever was not: a part may cost more for that, but says the same.

use std::collections::{HashMap, HashSet};

use rten::{DataType, Model, NodeId, RunOptions, Value, ValueOrView, ValueType};
use rten_tensor::prelude::*;

use super::depthwise::Depthwise;
use super::onnx::{OnnxFile, Tensor};

/// Convolutions with fewer multiplications are left to the engine: a part has its price. The networks of
/// the tests are small.
const WORTH: usize = if cfg!(test) { 1 } else { 1 << 18 };

/// Where the engine stops.
#[derive(Debug)]
pub(super) struct Stop {
    /// What goes into the convolution, and what comes out of it.
    from: NodeId,
    to: NodeId,
    convolution: Depthwise,
    /// What was made before and is needed after.
    handed_on: Vec<NodeId>,
}

/// The stops of a network, in order.
#[derive(Debug, Default)]
pub(super) struct Parts(pub(super) Vec<Stop>);

impl Parts {
    /// Finds where `model`, made from `file`, is worth stopping on the way to `outputs`; `picture`
    /// is a specimen of what goes in.
    pub fn find(
        file: &OnnxFile,
        model: &Model,
        outputs: &[&str],
        (input, picture): (NodeId, Value),
        options: &RunOptions,
    ) -> Self {
        let tensors: HashMap<&str, &Tensor> =
            file.tensors.iter().map(|tensor| (tensor.name, tensor)).collect();
        // From the last operator to the first, with what is needed after it.
        let mut needed: HashSet<&str> = outputs.iter().copied().collect();
        let mut stops = Vec::new();
        for node in file.nodes.iter().rev() {
            for output in &node.outputs {
                needed.remove(output);
            }
            if let (Some(convolution), [to]) = (Depthwise::read(node, &tensors), &node.outputs[..])
                && let (Some(from), Some(to)) = (float(model, node.inputs[0]), float(model, to))
            {
                let handed_on = needed.iter().filter_map(|name| float(model, name));
                let mut handed_on: Vec<NodeId> =
                    handed_on.filter(|&id| id != input && id != to).collect();
                handed_on.sort_unstable();
                handed_on.dedup();
                stops.push(Stop { from, to, convolution, handed_on });
            }
            let made = |name: &&&str| !name.is_empty() && !tensors.contains_key(*name);
            needed.extend(node.inputs.iter().filter(made));
        }
        stops.reverse();
        let all = Self(stops);
        let mut work = Vec::new();
        let mut note = |stop: &Stop, shape: &[usize]| work.push(stop.convolution.work(shape));
        match all.walk(model, (input, picture), options, &mut note) {
            Ok(_) => {
                let worth = |work: Option<usize>| work.is_some_and(|work| work >= WORTH);
                let kept = all.0.into_iter().zip(work).filter(|(_, work)| worth(*work));
                Self(kept.map(|(stop, _)| stop).collect())
            }
            // The engine has put operators together, so that it cannot stop there.
            Err(_) => Self::default(),
        }
    }

    /// What the network makes of a picture.
    pub fn run(
        &self,
        model: &Model,
        picture: (NodeId, Value),
        outputs: &[NodeId],
        options: &RunOptions,
    ) -> Result<Vec<Value>, String> {
        let known = self.walk(model, picture, options, &mut |_, _| ())?;
        let known = known.into_iter().map(|(id, value)| (id, value.into())).collect();
        model.run(known, outputs, Some(options.clone())).map_err(|error| error.to_string())
    }

    /// Goes from stop to stop; gives what is known after the last.
    fn walk(
        &self,
        model: &Model,
        picture: (NodeId, Value),
        options: &RunOptions,
        note: &mut dyn FnMut(&Stop, &[usize]),
    ) -> Result<Vec<(NodeId, Value)>, String> {
        let input = picture.0;
        let mut known = vec![picture];
        for stop in &self.0 {
            let mut wanted = vec![stop.from];
            let new = |id: &&NodeId| **id != stop.from && known.iter().all(|(old, _)| old != *id);
            wanted.extend(stop.handed_on.iter().filter(new));
            let views: Vec<(NodeId, ValueOrView)> =
                known.iter().map(|(id, value)| (*id, value.into())).collect();
            let made = model
                .run(views, &wanted, Some(options.clone()))
                .map_err(|error| error.to_string())?;
            let mut made = wanted.into_iter().zip(made);
            let (_, before) = made.next().ok_or("nothing came out of a part")?;
            let Some(tensor) = before.as_tensor_view::<f32>() else {
                return Err("what goes into a convolution are not floats".into());
            };
            note(stop, tensor.shape());
            let (shape, values) = stop
                .convolution
                .apply(tensor.shape(), tensor.to_contiguous().data())
                .ok_or_else(|| format!("a convolution does not fit {:?}", tensor.shape()))?;
            let after = Value::from_shape(&shape[..], values).map_err(|error| error.to_string())?;
            known.retain(|(id, _)| *id == input || stop.handed_on.contains(id));
            known.extend(made);
            if stop.handed_on.contains(&stop.from) {
                known.push((stop.from, before));
            }
            known.push((stop.to, after));
        }
        Ok(known)
    }
}

/// The value of this name, if the model still has it and it is a tensor of floats with sides.
fn float(model: &Model, name: &str) -> Option<NodeId> {
    let id = model.find_node(name)?;
    let info = model.node_info(id)?;
    let floats = info.dtype().is_none_or(|kind| kind == ValueType::Tensor(DataType::Float));
    let sides = info.shape().is_none_or(|shape| shape.len() > 1);
    (floats && sides).then_some(id)
}
