//! What every dual encoder must do, driven by the table of systems.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking, and says when it skips"
)]

use std::fs;
use std::path::Path;

use rebus_collection::{ContentHash, Matrix, Silent, synth};
use rebus_models::{
    Affinity, Error, Model, SYSTEMS, System, Takes, Training, TrainingSource, dot_products, load,
    manifest, record_training,
};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde_json::json;

const EXTRACTOR: &str = "suite/1";

/// Pictures of the synthetic world as a few mean colours, with their captions.
struct World {
    features: Matrix,
    captions: Vec<Vec<String>>,
}

impl World {
    fn new() -> Self {
        let specimens: Vec<_> = (0..120).map(|k| synth::specimen(3, k)).collect();
        let mut features = Matrix::zeros(specimens.len(), 27);
        for (row, specimen) in specimens.iter().enumerate() {
            let (width, height) = specimen.picture.dimensions();
            for (x, y, pixel) in specimen.picture.enumerate_pixels() {
                let cell = (y * 3 / height * 3 + x * 3 / width) as usize;
                for channel in 0..3 {
                    let value = f32::from(pixel.0[channel]) / (width * height) as f32 / 28.0;
                    features.row_mut(row)[cell * 3 + channel] += value;
                }
            }
        }
        Self { features, captions: specimens.into_iter().map(|it| it.captions).collect() }
    }

    /// The world as a system takes it: as it is, or with the mean colour of each part of a picture
    /// as one of 27 colours there.
    fn of(system: &System) -> Self {
        let mut world = Self::new();
        if system.takes == Takes::Counts {
            let means = std::mem::replace(&mut world.features, Matrix::zeros(120, 9 * 27));
            for row in 0..means.rows() {
                for (cell, colour) in means.row(row).chunks_exact(3).enumerate() {
                    // A part of full brightness has 255 / 28 / 9 in every channel.
                    let level = |value: f32| ((value / (255.0 / 28.0 / 9.0) * 3.0) as usize).min(2);
                    let token = colour.iter().fold(0, |token, &value| token * 3 + level(value));
                    world.features.row_mut(row)[cell * 27 + token] = 1.0;
                }
            }
        }
        world
    }

    fn texts(&self) -> Vec<Vec<&str>> {
        self.captions.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect()
    }

    fn fit(&self, system: &System) -> Box<dyn Model> {
        let texts = self.texts();
        let data = Training { extractor: EXTRACTOR, features: &self.features, texts: &texts };
        system.fit(&data, &json!({}), &Silent).unwrap()
    }
}

fn scores(model: &dyn Model, world: &World) -> Matrix {
    let texts: Vec<&str> = world.captions.iter().map(|texts| texts[0].as_str()).collect();
    let images = model.encode_images(&world.features).unwrap();
    dot_products(&images, &model.encode_texts(&texts).unwrap()).unwrap()
}

fn assert_near(a: &Matrix, b: &Matrix, far: f32) {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    for (a, b) in a.values().iter().zip(b.values()) {
        assert!((a - b).abs() <= far, "{a} {b}");
    }
}

fn rows(matrix: &Matrix, order: &[usize]) -> Matrix {
    let mut to = Matrix::zeros(order.len(), matrix.columns());
    for (row, &from) in order.iter().enumerate() {
        to.row_mut(row).copy_from_slice(matrix.row(from));
    }
    to
}

#[test]
fn fitting_twice_gives_the_same_model_on_any_number_of_threads() {
    for system in SYSTEMS {
        let world = World::of(system);
        let once = scores(&*world.fit(system), &world);
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let again = pool.install(|| scores(&*world.fit(system), &world));
            assert_eq!(once, again, "{} on {threads} threads", system.name);
        }
    }
}

#[test]
fn saved_and_loaded_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for system in SYSTEMS {
        let world = World::of(system);
        let model = world.fit(system);
        let path = folder.path().join(system.name);
        model.save(&path).unwrap();
        let loaded = load(&path).unwrap();
        assert_eq!(loaded.extractor(), EXTRACTOR);
        assert_eq!(loaded.dimensions(), model.dimensions());
        assert_eq!(scores(&*model, &world), scores(&*loaded, &world), "{}", system.name);
        // Saved again over itself it is the same folder.
        let before = fs::read(path.join("model.json")).unwrap();
        loaded.save(&path).unwrap();
        assert_eq!(before, fs::read(path.join("model.json")).unwrap());
    }
}

#[test]
fn a_saved_model_says_where_its_data_came_from() {
    let world = World::new();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    let source = TrainingSource {
        collection: "synthetic".into(),
        hash: rebus_collection::Collection::new().hash(),
        protocol: json!({ "split": "train" }).as_object().cloned().unwrap(),
    };
    assert!(record_training(&path, &source).is_err());
    world.fit(&SYSTEMS[0]).save(&path).unwrap();
    record_training(&path, &source).unwrap();
    let training = manifest(&path).unwrap().training;
    assert_eq!(training["collection"], "synthetic");
    assert_eq!(training["protocol"]["split"], "train");
    assert_eq!(training["pictures"], 120);
    assert!(load(&path).is_ok());
}

#[test]
fn a_batch_is_its_single_rows() {
    for system in SYSTEMS {
        let world = World::of(system);
        let model = world.fit(system);
        let images = model.encode_images(&world.features).unwrap();
        let texts: Vec<&str> = world.captions.iter().map(|texts| texts[1].as_str()).collect();
        let all = model.encode_texts(&texts).unwrap();
        for row in [0, 7, 119] {
            let one = model.encode_images(&rows(&world.features, &[row])).unwrap();
            assert_near(&one, &rows(&images, &[row]), 1e-5);
            let one = model.encode_texts(&texts[row..=row]).unwrap();
            assert_near(&one, &rows(&all, &[row]), 1e-5);
        }
    }
}

#[test]
fn the_order_of_the_training_pictures_does_not_matter() {
    let order: Vec<usize> = (0..120).map(|k| (k * 77 + 13) % 120).collect();
    for system in SYSTEMS {
        let world = World::of(system);
        let shuffled = World {
            features: rows(&world.features, &order),
            captions: order.iter().map(|&k| world.captions[k].clone()).collect(),
        };
        let (a, b) = (world.fit(system), shuffled.fit(system));
        assert_near(&scores(&*a, &world), &scores(&*b, &world), 1e-4);
    }
}

#[test]
fn its_own_pictures_are_nearer_than_others() {
    for system in SYSTEMS {
        let world = World::of(system);
        let scores = scores(&*world.fit(system), &world);
        let better = (0..120)
            .filter(|&k| {
                scores.row(k).iter().filter(|&&other| other > scores.row(k)[k]).count() < 30
            })
            .count();
        assert!(better > 90, "{}: {better} of 120 in the first quarter", system.name);
    }
}

#[test]
fn nothing_in_nothing_out() {
    for system in SYSTEMS {
        let world = World::of(system);
        let model = world.fit(system);
        let none = Matrix::zeros(0, world.features.columns());
        assert_eq!(model.encode_images(&none).unwrap().rows(), 0);
        assert_eq!(model.encode_texts(&[]).unwrap().rows(), 0);
        let matrix = Affinity::Dual(&*model).matrix(&world.features, &["", "qwxyz", "\0\u{feff}"]);
        assert!(matrix.unwrap().values().iter().all(|score| score.is_finite()));
    }
}

#[test]
fn a_text_without_a_known_word_is_no_text() {
    for system in SYSTEMS {
        let world = World::of(system);
        let model = world.fit(system);
        let vectors =
            model.encode_texts(&["", "the of and a", "qwxyz", world.captions[0][0].as_str()]);
        let vectors = vectors.unwrap();
        let zero = |row: usize| vectors.row(row).iter().all(|&value| value == 0.0);
        assert!((0..3).all(zero), "{}", system.name);
        assert!(!zero(3), "{}", system.name);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    for system in SYSTEMS {
        let world = World::of(system);
        let texts = world.texts();
        let model = world.fit(system);
        let wrong = model.encode_images(&Matrix::zeros(2, world.features.columns() + 1));
        assert!(matches!(wrong, Err(Error::Shape { .. })), "{}", system.name);

        let fit = |features: &Matrix, texts: &[Vec<&str>], settings| {
            let data = Training { extractor: EXTRACTOR, features, texts };
            system.fit(&data, &settings, &Silent).err().unwrap().to_string()
        };
        let mut broken = world.features.clone();
        broken.row_mut(5)[3] = f32::NAN;
        assert!(fit(&broken, &texts, json!({})).contains("feature 3 of picture 5"));
        assert!(fit(&world.features, &texts[1..], json!({})).contains("119"));
        assert!(fit(&Matrix::zeros(0, 3), &[], json!({})).contains("0 pictures"));
        let silent = vec![vec![""]; 120];
        assert!(fit(&world.features, &silent, json!({})).contains("no word"));
        assert!(fit(&world.features, &texts, json!({ "wheels": 4 })).contains("wheels"));
    }
}

#[test]
fn a_damaged_folder_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    for system in SYSTEMS {
        let world = World::of(system);
        let path = folder.path().join(system.name);
        world.fit(system).save(&path).unwrap();
        let files = ["model.json", "model.safetensors", "vocabulary.txt"];
        for file in files.iter().map(|name| path.join(name)).filter(|file| file.exists()) {
            let whole = fs::read(&file).unwrap();
            let name = file.file_name().unwrap().to_str().unwrap();
            for end in (0..whole.len()).step_by(whole.len() / 9 + 1) {
                fs::write(&file, &whole[..end]).unwrap();
                let error = load(&path).err().unwrap().to_string();
                assert!(error.contains(name), "{name} cut at {end}: {error}");
            }
            fs::remove_file(&file).unwrap();
            assert!(load(&path).is_err());
            fs::write(&file, &whole).unwrap();
        }
        assert!(load(&path).is_ok());
        assert!(load(Path::new("no/such/model")).is_err());
    }
}

/// Puts other tensors into a model's folder, with a manifest that knows them.
fn replace_tensors(folder: &Path, bytes: &[u8]) {
    fs::write(folder.join("model.safetensors"), bytes).unwrap();
    let path = folder.join("model.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    manifest["files"]["model.safetensors"] = ContentHash::of(bytes).to_string().into();
    fs::write(&path, manifest.to_string()).unwrap();
}

/// A tensor of a file: its type, shape and bytes.
type Tensor = (Dtype, Vec<usize>, Vec<u8>);

/// The file with one tensor changed, or left out.
fn changed(
    file: &SafeTensors<'_>,
    name: &str,
    change: &dyn Fn(Tensor) -> Option<Tensor>,
) -> Vec<u8> {
    let tensors: Vec<(String, Tensor)> = file
        .tensors()
        .into_iter()
        .filter_map(|(own, view)| {
            let tensor = (view.dtype(), view.shape().to_vec(), view.data().to_vec());
            let tensor = if own == name { change(tensor)? } else { tensor };
            Some((own, tensor))
        })
        .collect();
    let views = tensors.iter().map(|(name, (dtype, shape, data))| {
        (name.as_str(), TensorView::new(*dtype, shape.clone(), data).unwrap())
    });
    safetensors::serialize(views, None).unwrap()
}

#[test]
fn a_tensor_that_does_not_fit_is_refused_and_named() {
    let folder = tempfile::tempdir().unwrap();
    for system in SYSTEMS {
        let world = World::of(system);
        let path = folder.path().join(system.name);
        world.fit(system).save(&path).unwrap();
        let whole = fs::read(path.join("model.safetensors")).unwrap();
        let file = SafeTensors::deserialize(&whole).unwrap();
        let refused = |what: &str, bytes: &[u8]| {
            replace_tensors(&path, bytes);
            load(&path).err().unwrap_or_else(|| panic!("{}: {what}", system.name)).to_string()
        };
        for name in file.names() {
            let named = format!("model.safetensors: tensor `{name}`");
            let not_a_number = |(dtype, shape, mut data): Tensor| {
                let last = data.len() - dtype.bitsize() / 8;
                // All ones is no number in any float.
                data[last..].fill(0xff);
                Some((dtype, shape, data))
            };
            let error = refused(name, &changed(&file, name, &not_a_number));
            assert!(error.contains(&named) && error.contains("not finite"), "{error}");
            let whole_numbers = |(dtype, shape, data): Tensor| {
                let dtype = if dtype == Dtype::F32 { Dtype::I32 } else { Dtype::I16 };
                Some((dtype, shape, data))
            };
            let error = refused(name, &changed(&file, name, &whole_numbers));
            assert!(error.contains(&named) && error.contains("not F32 or F16"), "{error}");
            let error = refused(name, &changed(&file, name, &|_| None));
            assert!(error.contains(&named) && error.contains("missing"), "{error}");
            let flat =
                |(dtype, shape, data): Tensor| Some((dtype, vec![shape.iter().product()], data));
            let error = refused(name, &changed(&file, name, &flat));
            assert!(error.contains(&named) && error.contains("1 sides, not 2"), "{error}");
            // One row more than there should be: it may be another tensor that no longer fits it.
            let longer = |(dtype, mut shape, mut data): Tensor| {
                let row = data.len() / shape[0];
                data.extend_from_within(..row);
                shape[0] += 1;
                Some((dtype, shape, data))
            };
            let error = refused(name, &changed(&file, name, &longer));
            assert!(error.contains("model.safetensors: tensor `"), "{name}: {error}");
        }
        // Headers that claim the world.
        for length in [u64::MAX, 1 << 40, whole.len() as u64] {
            let mut absurd = whole.clone();
            absurd[..8].copy_from_slice(&length.to_le_bytes());
            let error = refused("a long header", &absurd);
            assert!(error.contains("model.safetensors"), "{error}");
        }
        let header =
            br#"{"huge":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#;
        let absurd = [&(header.len() as u64).to_le_bytes()[..], header].concat();
        let error = refused("a huge tensor", &absurd);
        assert!(error.contains("model.safetensors"), "{error}");
        replace_tensors(&path, &whole);
        assert!(load(&path).is_ok());
    }
}
