//! Running an ONNX network, and making sense of what comes out.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use rebus_collection::Matrix;
use rten::{Dimension, Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::prelude::*;

use super::onnx::{self, FLOAT, OnnxFile};
use super::parts::Parts;
use super::recipe::Outputs;
use super::reduce::expand;
use super::{Look, Patches, Preprocessing};

thread_local! {
    /// One thread a caller: pictures are spread over the cores, not parts of one picture.
    static ONE: Arc<ThreadPool> = Arc::new(ThreadPool::with_num_threads(1));
}

/// The most numbers a network may say about one picture.
const MOST_VALUES: usize = 1 << 24;

/// The most tokens before those of the grid: a class token and registers.
const MOST_LEADING: usize = 8;

/// A network with one picture going in.
#[derive(Debug)]
pub(super) struct Network {
    model: Model,
    parts: Parts,
    input: NodeId,
    outputs: Vec<Output>,
    shape: [usize; 4],
    specimen: Look,
}

/// What an output means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Found by its shape.
    Any,
    Vector,
    Patches,
    Classes,
}

#[derive(Debug)]
struct Output {
    role: Role,
    name: String,
    id: NodeId,
}

impl Network {
    /// Checks the file and builds the network; a size that the file fixes replaces that of
    /// `preprocessing`.
    pub fn load(
        bytes: &[u8],
        preprocessing: &mut Preprocessing,
        outputs: &Outputs,
    ) -> Result<Self, String> {
        let mut file = OnnxFile::read(bytes)?;
        let input = picture_input(&file)?;
        let (name, sides) = (input.0, input.1);
        for (side, fixed) in
            [(&mut preprocessing.height, sides[0]), (&mut preprocessing.width, sides[1])]
        {
            if let Some(fixed) = fixed {
                *side = u32::try_from(fixed).unwrap_or(u32::MAX);
            }
        }
        preprocessing.check()?;
        let roles = roles(&file, outputs)?;
        let wanted: Vec<&str> = roles.iter().map(|role| role.1).collect();
        file.set_outputs(&wanted)?;
        let expanded = expand(&mut file)?;
        let build = || {
            let mut options = ModelOptions::with_all_ops();
            options.prepack_weights(true);
            options.load(expanded.clone()).map_err(|error| error.to_string())
        };
        let model = guarded(build)?;
        let find = |name: &str| {
            model.find_node(name).ok_or_else(|| format!("tensor '{name}': it was lost"))
        };
        check_shapes(&file, &model)?;
        let input = find(name)?;
        let outputs = roles
            .iter()
            .map(|&(role, name)| Ok(Output { role, name: name.into(), id: find(name)? }))
            .collect::<Result<Vec<_>, String>>()?;
        let shape = [1, 3, preprocessing.height as usize, preprocessing.width as usize];
        let black = || vec![0.0; shape.iter().product()];
        let parts = guarded(|| {
            let picture = Value::from_shape(&shape[..], black()).map_err(|e| e.to_string())?;
            let file = OnnxFile::read(&expanded)?;
            Ok(Parts::find(&file, &model, &wanted, (input, picture), &options()))
        });
        let parts = parts.unwrap_or_default();
        let specimen = Look::default();
        let mut network = Self { model, parts, input, outputs, shape, specimen };
        // A black picture shows what comes out, and whether the network runs at all.
        network.specimen = network.run(black())?;
        Ok(network)
    }

    pub fn specimen(&self) -> &Look {
        &self.specimen
    }

    /// At how many convolutions the engine stops.
    #[cfg(test)]
    pub fn stops(&self) -> usize {
        self.parts.0.len()
    }

    /// Looks at one preprocessed picture.
    pub fn run(&self, values: Vec<f32>) -> Result<Look, String> {
        let input = Value::from_shape(&self.shape[..], values).map_err(|e| e.to_string())?;
        let ids: Vec<NodeId> = self.outputs.iter().map(|output| output.id).collect();
        let options = options();
        let run = || guarded(|| self.parts.run(&self.model, (self.input, input), &ids, &options));
        // A thread of rayon that waits for another pool takes up other work meanwhile: the next
        // picture, within this one, and so on. A thread of its own waits in peace.
        let results = if rayon::current_thread_index().is_some() {
            thread::scope(|scope| scope.spawn(run).join())
                .unwrap_or_else(|_| Err("the network's thread failed".into()))?
        } else {
            run()?
        };
        let mut look = Look::default();
        let mut whole = None;
        for (output, result) in self.outputs.iter().zip(results) {
            let wrong = |what: String| format!("tensor '{}': {what}", output.name);
            let (shape, values) = numbers(result).map_err(wrong)?;
            let read = read(&shape, values)
                .ok_or_else(|| wrong(format!("no vector can be read from the shape {shape:?}")))?;
            match (output.role, read) {
                (Role::Classes, (vector, None)) => look.classes = Some(vector),
                (Role::Vector, (vector, None)) => look.vector = vector,
                (Role::Any | Role::Patches, (mean, patches)) => {
                    whole = Some(mean);
                    look.patches = patches;
                }
                _ => return Err(wrong(format!("{shape:?} is no vector"))),
            }
        }
        if look.vector.is_empty() {
            look.vector = whole.ok_or("no vector comes out")?;
        }
        let (got, want) = (look.vector.len(), self.specimen.vector.len());
        if want != 0 && got != want {
            return Err(format!("{got} numbers came out, not {want}"));
        }
        Ok(look)
    }
}

/// How the engine is run.
fn options() -> RunOptions {
    RunOptions::default().with_thread_pool(Some(ONE.with(Arc::clone)))
}

/// The shape and the numbers of what came out.
fn numbers(result: Value) -> Result<(Vec<usize>, Vec<f32>), String> {
    let Some(tensor) = result.into_tensor::<f32>() else {
        return Err("what comes out are not 32-bit floats".into());
    };
    let shape = tensor.shape().to_vec();
    if tensor.len() > MOST_VALUES || tensor.is_empty() {
        return Err(format!("what comes out has the shape {shape:?}"));
    }
    let values = tensor.to_vec();
    if values.iter().all(|value| value.is_finite()) {
        Ok((shape, values))
    } else {
        Err("values that are not numbers come out".into())
    }
}

/// Runs foreign code: a panic in it becomes an error.
fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run))
        .unwrap_or_else(|_| Err("the network's operators do not fit together".into()))
}

/// Refuses a network in which something huge would come up on the way.
fn check_shapes(file: &OnnxFile, model: &Model) -> Result<(), String> {
    for name in file.nodes.iter().flat_map(|node| &node.outputs) {
        let shape = model.find_node(name).and_then(|id| model.node_info(id)?.shape());
        let sides = shape.iter().flatten().map(|side| match side {
            Dimension::Fixed(side) => *side as u64,
            Dimension::Symbolic(_) => 1,
        });
        let values = sides.fold(1u64, u64::saturating_mul);
        if values > onnx::MOST_VALUES {
            return Err(format!("tensor '{name}': it would have {values} numbers"));
        }
    }
    Ok(())
}

/// The input that takes a picture, and its height and width where fixed.
fn picture_input<'a>(file: &OnnxFile<'a>) -> Result<(&'a str, [Option<u64>; 2]), String> {
    let mut told = Vec::new();
    for input in &file.inputs {
        if file.tensors.iter().any(|tensor| tensor.name == input.name) {
            continue;
        }
        let shape = input.shape.as_deref();
        if let (Some(FLOAT), Some(&[batch, Some(3), height, width])) = (input.kind, shape) {
            if batch.is_some_and(|batch| batch != 1) {
                return Err(format!(
                    "tensor '{}': it takes {} pictures at a time; export the network for any number",
                    input.name,
                    batch.unwrap_or(0)
                ));
            }
            return Ok((input.name, [height, width]));
        }
        told.push(format!("'{}' {shape:?}", input.name));
    }
    Err(format!(
        "no input takes a picture as floats of shape [1, 3, height, width]; there is: {}",
        if told.is_empty() { "none".into() } else { told.join(", ") }
    ))
}

/// The outputs to read, and what each means; where nobody names them, one of a known name before
/// others.
fn roles<'a>(file: &OnnxFile<'a>, outputs: &Outputs) -> Result<Vec<(Role, &'a str)>, String> {
    const KNOWN: [&str; 4] = ["image_embeds", "embedding", "pooler_output", "last_hidden_state"];
    let named = [
        (Role::Vector, &outputs.vector),
        (Role::Patches, &outputs.patches),
        (Role::Classes, &outputs.classes),
    ];
    let mut roles = Vec::new();
    for (role, name) in named {
        let Some(name) = name else { continue };
        let made = file.nodes.iter().flat_map(|node| &node.outputs).find(|made| *made == name);
        let made =
            made.ok_or_else(|| format!("tensor '{name}': it is wanted, but nothing makes it"))?;
        if roles.iter().any(|(_, other)| other == made) {
            return Err(format!("tensor '{name}': it can mean one thing only"));
        }
        roles.push((role, *made));
    }
    if roles.iter().any(|role| role.0 != Role::Classes) {
        return Ok(roles);
    }
    let names: Vec<&str> = file.outputs.iter().map(|output| output.name).collect();
    let known = KNOWN.iter().find_map(|known| names.iter().find(|name| name == &known));
    let taken = |name: &&&str| roles.iter().all(|role| role.1 != **name);
    let first = names.iter().find(taken);
    let chosen = known.filter(taken).or(first).ok_or("nothing comes out of the network")?;
    roles.push((Role::Any, chosen));
    Ok(roles)
}

/// The vector of the whole, and the patches where there are any.
fn read(shape: &[usize], values: Vec<f32>) -> Option<(Vec<f32>, Option<Patches>)> {
    match *shape {
        [1, _] | [1, _, 1, 1] => Some((values, None)),
        [1, tokens, width] => tokens_of(tokens, width, &values),
        // Channels first, as networks of convolutions give.
        [1, width, down, across] if channels_first(width, down, across) => {
            let cells = down * across;
            let mut vectors = Matrix::zeros(cells, width);
            for (at, value) in vectors.values_mut().iter_mut().enumerate() {
                *value = values[at % width * cells + at / width];
            }
            Some((mean(vectors.values(), width), Some(Patches { across, down, vectors })))
        }
        [1, down, across, width] => {
            let mut vectors = Matrix::zeros(down * across, width);
            vectors.values_mut().copy_from_slice(&values);
            Some((mean(&values, width), Some(Patches { across, down, vectors })))
        }
        _ => None,
    }
}

/// Grids are square more often than not; where that does not help, channels are many.
fn channels_first(one: usize, two: usize, three: usize) -> bool {
    if (one == two) == (two == three) { one >= three } else { two == three }
}

/// Tokens of a square grid, with or without a class token (and registers) before them.
fn tokens_of(tokens: usize, width: usize, values: &[f32]) -> Option<(Vec<f32>, Option<Patches>)> {
    let side = tokens.isqrt();
    let leading = tokens - side * side;
    if leading > MOST_LEADING {
        return Some((mean(values, width), None));
    }
    let (first, rest) = values.split_at(leading * width);
    let mut vectors = Matrix::zeros(side * side, width);
    vectors.values_mut().copy_from_slice(rest);
    let mut vector = first.get(..width).map_or_else(Vec::new, <[f32]>::to_vec);
    vector.extend(mean(rest, width));
    Some((vector, Some(Patches { across: side, down: side, vectors })))
}

fn mean(values: &[f32], width: usize) -> Vec<f32> {
    let mut sums = vec![0.0f64; width];
    for row in values.chunks_exact(width.max(1)) {
        for (sum, &value) in sums.iter_mut().zip(row) {
            *sum += f64::from(value);
        }
    }
    let rows = (values.len() / width.max(1)).max(1) as f64;
    sums.iter().map(|sum| (sum / rows) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_read_as_what_they_are() {
        // A class token and a grid of two by two.
        let tokens: Vec<f32> = (0..10).map(|k| k as f32).collect();
        let (vector, patches) = read(&[1, 5, 2], tokens.clone()).unwrap();
        assert_eq!(vector, [0.0, 1.0, 5.0, 6.0]);
        let patches = patches.unwrap();
        assert_eq!((patches.across, patches.down), (2, 2));
        assert_eq!(patches.vectors.row(0), [2.0, 3.0]);
        // Channels first and channels last say the same.
        let first = vec![0.0, 1.0, 2.0, 3.0, 10.0, 11.0, 12.0, 13.0];
        let (mean, patches) = read(&[1, 2, 2, 2], first).unwrap();
        assert_eq!((mean, patches.unwrap().vectors.row(1)), (vec![1.5, 11.5], &[1.0, 11.0][..]));
        let last = vec![0.0, 5.0, 9.0, 1.0, 6.0, 10.0];
        let (mean, patches) = read(&[1, 1, 2, 3], last).unwrap();
        assert_eq!((mean, patches.unwrap().across), (vec![0.5, 5.5, 9.5], 2));
        // Tokens that make no square have no grid.
        let (mean, patches) = read(&[1, 35, 1], vec![2.0; 35]).unwrap();
        assert_eq!((mean, patches.is_none()), (vec![2.0], true));
        assert!(read(&[2, 3], vec![0.0; 6]).is_none());
        assert!(read(&[6], vec![0.0; 6]).is_none());
    }
}
