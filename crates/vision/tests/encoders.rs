//! Encoders from small ONNX files written here: what comes out, and what is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pictures;

use std::fs;

use image::Rgb;
use rayon::prelude::*;
use rebus_vision::encoder::{Outputs, Precision, Recipe, reduce};
use rebus_vision::{Encoder, Extractor, Picture, decode};

/// Writes protocol buffers: a field a call.
#[derive(Clone, Default)]
struct Proto(Vec<u8>);

impl Proto {
    fn varint(mut self, mut value: u64) -> Self {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
        self
    }

    fn int(self, number: u64, value: i64) -> Self {
        self.varint(number << 3).varint(value as u64)
    }

    fn bytes(self, number: u64, bytes: impl AsRef<[u8]>) -> Self {
        let mut next = self.varint(number << 3 | 2).varint(bytes.as_ref().len() as u64);
        next.0.extend(bytes.as_ref());
        next
    }

    fn part(self, number: u64, part: Proto) -> Self {
        self.bytes(number, part.0)
    }
}

fn floats(name: &str, shape: &[i64], values: &[f32]) -> Proto {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    raw_tensor(name, shape, 1, &raw)
}

fn integers(name: &str, values: &[i64]) -> Proto {
    let raw: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    raw_tensor(name, &[values.len() as i64], 7, &raw)
}

fn raw_tensor(name: &str, shape: &[i64], kind: i64, raw: &[u8]) -> Proto {
    let sides = shape.iter().fold(Proto::default(), |proto, &side| proto.int(1, side));
    sides.int(2, kind).bytes(8, name).bytes(9, raw)
}

fn node(operator: &str, inputs: &[&str], output: &str) -> Proto {
    let inputs = inputs.iter().fold(Proto::default(), |proto, input| proto.bytes(1, input));
    inputs.bytes(2, output).bytes(4, operator)
}

fn numbers(name: &str, values: &[i64]) -> Proto {
    let name = Proto::default().bytes(1, name);
    values.iter().fold(name, |proto, &value| proto.int(8, value)).int(20, 7)
}

fn value(name: &str, kind: i64, shape: &[i64]) -> Proto {
    let sides = shape.iter().fold(Proto::default(), |proto, &side| {
        // A side of zero is left open.
        proto.part(
            1,
            if side == 0 { Proto::default().bytes(2, "n") } else { Proto::default().int(1, side) },
        )
    });
    let tensor = Proto::default().int(1, kind).part(2, sides);
    Proto::default().bytes(1, name).part(2, Proto::default().part(1, tensor))
}

struct Tiny {
    nodes: Vec<Proto>,
    tensors: Vec<Proto>,
    input: Proto,
    output: &'static str,
}

impl Tiny {
    fn bytes(&self) -> Vec<u8> {
        let mut graph = Proto::default();
        for node in &self.nodes {
            graph = graph.part(1, node.clone());
        }
        graph = graph.bytes(2, "tiny");
        for tensor in &self.tensors {
            graph = graph.part(5, tensor.clone());
        }
        graph = graph.part(11, self.input.clone()).part(12, value(self.output, 1, &[]));
        let version = Proto::default().int(2, 14);
        Proto::default().int(1, 7).part(7, graph).part(8, version).0
    }
}

/// Weights that give red, and green plus blue.
const WEIGHTS: [f32; 6] = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0];

/// A 1 x 1 convolution from three channels to two, then the mean over the picture.
fn tiny() -> Tiny {
    Tiny {
        nodes: vec![
            node("Conv", &["picture", "weight"], "grid")
                .part(5, numbers("strides", &[1, 1]))
                .part(5, numbers("dilations", &[1, 1]))
                .part(5, numbers("pads", &[0; 4])),
            node("GlobalAveragePool", &["grid"], "pooled"),
            node("Flatten", &["pooled"], "vector"),
        ],
        tensors: vec![floats("weight", &[2, 3, 1, 1], &WEIGHTS)],
        input: value("picture", 1, &[0, 3, 4, 4]),
        output: "vector",
    }
}

fn plain() -> Recipe {
    let mut recipe = Recipe { name: "tiny".into(), ..Recipe::default() };
    recipe.preprocessing.mean = [0.0; 3];
    recipe.preprocessing.deviation = [1.0; 3];
    recipe
}

fn refused(bytes: &[u8]) -> String {
    Encoder::from_bytes(bytes, &plain()).map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn a_vector_and_its_patches_come_out() {
    let mut recipe = plain();
    recipe.outputs = Outputs {
        vector: Some("vector".into()),
        patches: Some("grid".into()),
        classes: Some("pooled".into()),
    };
    let encoder = Encoder::from_bytes(&tiny().bytes(), &recipe).unwrap();
    assert_eq!(encoder.dimensions(), 2);
    let picture = Picture::from_fn(4, 4, |x, _| Rgb([if x < 2 { 255 } else { 0 }, 51, 51]));
    let look = encoder.look(&picture).unwrap();
    assert!((look.vector[0] - 0.5).abs() < 1e-6 && (look.vector[1] - 0.4).abs() < 1e-6);
    let patches = look.patches.unwrap();
    assert_eq!((patches.across, patches.down), (4, 4));
    assert_eq!(patches.vectors.row(1)[0], 1.0);
    assert_eq!(patches.vectors.row(2)[0], 0.0);
    assert_eq!(look.classes.unwrap(), look.vector);
    let mut row = [0.0; 2];
    encoder.extract(&picture, &mut row).unwrap();
    assert_eq!(row[..], look.vector[..]);
}

#[test]
fn pictures_of_every_kind_have_a_vector() {
    let encoder = Encoder::from_bytes(&tiny().bytes(), &plain()).unwrap();
    for (name, bytes) in pictures::of_every_kind() {
        let vector = encoder.look(&decode(&bytes, name).unwrap()).unwrap().vector;
        // Shares of red, and of green and blue together.
        assert!((0.0..=1.0).contains(&vector[0]), "{name}: {vector:?}");
        assert!((0.0..=2.0).contains(&vector[1]), "{name}: {vector:?}");
        if name.contains("grey") {
            assert!((vector[1] - 2.0 * vector[0]).abs() < 1e-5, "{name}: {vector:?}");
        }
    }
}

#[test]
fn many_threads_may_ask_at_once() {
    let encoder = Encoder::from_bytes(&tiny().bytes(), &plain()).unwrap();
    let reds: Vec<f32> = (0..2000u32)
        .into_par_iter()
        .map(|k| encoder.look(&Picture::from_pixel(4, 4, Rgb([k as u8, 0, 0]))).unwrap().vector[0])
        .collect();
    for (k, red) in reds.iter().enumerate() {
        assert!((red - f32::from(k as u8) / 255.0).abs() < 1e-6, "{k}");
    }
}

#[test]
fn the_name_changes_with_weights_and_recipe() {
    let name = |bytes: &[u8], recipe: &Recipe| {
        Encoder::from_bytes(bytes, recipe).unwrap().name().to_owned()
    };
    let first = name(&tiny().bytes(), &plain());
    assert!(first.starts_with("tiny/"), "{first}");
    assert_eq!(first, name(&tiny().bytes(), &plain()));
    let mut other = tiny();
    other.tensors[0] = floats("weight", &[2, 3, 1, 1], &[0.5; 6]);
    assert_ne!(first, name(&other.bytes(), &plain()));
    let mut recipe = plain();
    recipe.preprocessing.mean = [0.1; 3];
    assert_ne!(first, name(&tiny().bytes(), &recipe));
}

#[test]
fn layouts_that_people_have_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(Encoder::open(path).unwrap_err().to_string().contains("no .onnx"));
    assert!(Encoder::open(&path.join("no/such.onnx")).is_err());
    fs::write(path.join("own.onnx"), tiny().bytes()).unwrap();
    assert_eq!(Encoder::open(&path.join("own.onnx")).unwrap().recipe().name, "own");
    assert_eq!(Encoder::open(path).unwrap().dimensions(), 2);
    fs::write(path.join("second.onnx"), tiny().bytes()).unwrap();
    assert!(Encoder::open(path).unwrap_err().to_string().contains("several"));

    for (network, config, text) in [
        ("onnx/model.onnx", "preprocessor_config.json", r#"{"image_mean": [0.25, 0, 0]}"#),
        ("visual/model.onnx", "visual/preprocess_cfg.json", r#"{"mean": [0.25, 0, 0]}"#),
        (
            "model.onnx",
            "network.json",
            r#"{"name": "mine", "preprocessing":
            {"width": 4, "height": 4, "fit": {"crop": 4}, "filter": "bilinear",
             "mean": [0.25, 0, 0], "deviation": [1, 1, 1]}}"#,
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [(network, &tiny().bytes()[..]), (config, text.as_bytes())] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let encoder = Encoder::open(folder.path()).unwrap();
        assert_eq!(encoder.recipe().preprocessing.mean[0], 0.25, "{network}");
        fs::write(folder.path().join(config), "{").unwrap();
        let error = Encoder::open(folder.path()).unwrap_err().to_string();
        assert!(error.contains(config.rsplit('/').next().unwrap()), "{error}");
    }
}

#[test]
fn fewer_bits_give_nearly_the_same() {
    // Large enough to be worth reducing.
    let weights: Vec<f32> = (0..3 * 400).map(|k| ((k * 37 % 101) as f32 - 50.0) / 37.0).collect();
    let mut network = tiny();
    network.tensors[0] = floats("weight", &[400, 3, 1, 1], &weights);
    let bytes = network.bytes();
    let picture = Picture::from_fn(9, 5, |x, y| Rgb([x as u8 * 20, y as u8 * 50, 99]));
    let whole = Encoder::from_bytes(&bytes, &plain()).unwrap().look(&picture).unwrap().vector;
    for (precision, share, near) in [(Precision::Half, 2, 2e-3), (Precision::Byte, 3, 0.02)] {
        let reduced = reduce(&bytes, precision).unwrap();
        assert!(reduced.len() < bytes.len() * 2 / share, "{precision:?} {}", reduced.len());
        let look = Encoder::from_bytes(&reduced, &plain()).unwrap().look(&picture).unwrap();
        let apart = look.vector.iter().zip(&whole).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < near, "{precision:?} {apart}");
    }
}

#[test]
fn wrong_tensors_are_named() {
    let mut network = tiny();
    let mut with = |tensor: Proto| {
        network.tensors[0] = tensor;
        refused(&network.bytes())
    };
    let mut weights = WEIGHTS;
    weights[4] = f32::NAN;
    let absurd = [i64::MAX, i64::MAX, 1, 1];
    for (tensor, told) in [
        (floats("weight", &[2, 3, 1, 1], &weights), "not numbers"),
        (floats("weight", &[2, 3, 1, 2], &WEIGHTS), "24 bytes for a shape"),
        (floats("weight", &absurd, &WEIGHTS), "is more than"),
        (floats("weight", &[2, -3, 1, 1], &WEIGHTS), "negative"),
        (raw_tensor("weight", &[2, 3, 1, 1], 14, &[0; 48]), "type 14"),
        (raw_tensor("weight", &[2, 3, 1, 1], 1, &[]).int(14, 1), "another file"),
    ] {
        let error = with(tensor);
        assert!(error.contains("'weight'") && error.contains(told), "{told}: {error}");
    }
    // Whole in itself, but not what the convolution can use.
    for tensor in [
        floats("weight", &[2, 2, 1, 1], &WEIGHTS[..4]),
        integers("weight", &[1, 2]),
        floats("other", &[2, 3, 1, 1], &WEIGHTS),
    ] {
        assert!(with(tensor).starts_with("tiny: "));
    }
}

#[test]
fn networks_that_take_no_picture_are_refused() {
    let mut network = tiny();
    for (input, told) in [
        (value("tokens", 7, &[0, 77]), "'tokens'"),
        (value("picture", 1, &[0, 4, 4, 3]), "[1, 3, height, width]"),
        (value("picture", 1, &[8, 3, 4, 4]), "8 pictures at a time"),
        (value("picture", 1, &[1, 3, 1 << 40, 4]), "height"),
    ] {
        network.input = input;
        let error = refused(&network.bytes());
        assert!(error.contains(told), "{told}: {error}");
    }
    let mut network = tiny();
    network.output = "nothing";
    assert!(refused(&network.bytes()).contains("'nothing'"));
    let mut recipe = plain();
    recipe.outputs.patches = Some("missing".into());
    let error = Encoder::from_bytes(&tiny().bytes(), &recipe).unwrap_err().to_string();
    assert!(error.contains("'missing'"), "{error}");
    for bytes in [&b""[..], b"not a network at all", &[0xff; 100], b"\x3a\x00"] {
        assert!(refused(bytes).starts_with("tiny: "));
    }
}

#[test]
fn what_would_fill_the_memory_is_refused() {
    let mut network = tiny();
    network.nodes.push(node("ConstantOfShape", &["huge"], "filled"));
    network.tensors.push(integers("huge", &[1 << 20, 1 << 20]));
    assert!(refused(&network.bytes()).contains("'huge'"));
    let mut network = tiny();
    network.nodes[0] = network.nodes[0].clone().part(5, numbers("pads", &[1 << 40; 4]));
    assert!(refused(&network.bytes()).contains("pads"));
}

#[test]
fn numbers_that_overflow_on_the_way_are_told() {
    let mut network = tiny();
    network.tensors[0] = floats("weight", &[2, 3, 1, 1], &[f32::MAX; 6]);
    let mut recipe = plain();
    // A black picture passes; a white one does not.
    recipe.preprocessing.deviation = [1e-3; 3];
    let encoder = Encoder::from_bytes(&network.bytes(), &recipe).unwrap();
    let error = encoder.look(&Picture::from_pixel(4, 4, Rgb([255; 3]))).unwrap_err().to_string();
    assert!(error.contains("not numbers"), "{error}");
}

#[test]
fn a_damaged_file_never_panics() {
    let whole = tiny().bytes();
    for end in 0..whole.len() {
        assert!(Encoder::from_bytes(&whole[..end], &plain()).is_err(), "{end}");
    }
    for at in 0..whole.len() {
        for bit in [1, 0x10, 0x80] {
            let mut damaged = whole.clone();
            damaged[at] ^= bit;
            // It may still be a network; it must not be more than an error.
            let _ = Encoder::from_bytes(&damaged, &plain());
        }
    }
}
