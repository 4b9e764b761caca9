//! Visual words from pictures of every kind, and from folders that are not what they should be.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pictures;

use std::fs;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use image::{ImageFormat, Rgb, RgbImage};
use pictures::encoded;
use rebus_collection::{ImageSource, Item, Silent, synth};
use rebus_vision::visual_words::{BINS, CELLS, Params, WORDS};
use rebus_vision::{
    Extractor, GridColourEdge, Picture, VisualWords, decode, features, find_extractor,
};
use safetensors::tensor::{Dtype, TensorView};

fn params() -> Params {
    Params { pictures: 4, points: 400, rounds: 5, seed: 1 }
}

/// Words made once for all tests.
fn words() -> &'static VisualWords {
    static WORDS: OnceLock<VisualWords> = OnceLock::new();
    WORDS.get_or_init(|| {
        let pictures: Vec<Picture> = (0..4).map(|at| synth::specimen(3, at).picture).collect();
        VisualWords::fit_pictures(&pictures, &params(), &Silent).unwrap()
    })
}

fn row(picture: &Picture) -> Vec<f32> {
    let mut row = vec![f32::NAN; words().dimensions()];
    words().extract(picture, &mut row).unwrap();
    row
}

/// Each kind's shares add up to 1 at every level.
fn check(name: &str, row: &[f32]) {
    assert_eq!(row.len(), BINS * CELLS);
    for (level, cells) in [0..1, 1..5, 5..21].into_iter().enumerate() {
        let mut first = 0;
        for count in WORDS {
            let share = |cell: usize| row[cell * BINS + first..][..count].iter().sum::<f32>();
            let sum: f32 = cells.clone().map(share).sum();
            assert!((sum - 1.0).abs() < 1e-4, "{name}, level {level}: {sum}");
            first += count;
        }
    }
}

fn item(name: &str, bytes: Vec<u8>) -> Item {
    Item { image: ImageSource::Bytes(Arc::from(bytes)), ..Item::new(name) }
}

#[test]
fn pictures_of_every_kind() {
    for (name, bytes) in pictures::of_every_kind() {
        check(name, &row(&decode(&bytes, name).unwrap()));
    }
}

#[test]
fn a_picture_and_its_mirror_image_are_one() {
    let picture = synth::specimen(3, 9).picture;
    let mirrored = image::imageops::flip_horizontal(&picture);
    assert_ne!(picture, mirrored);
    assert_eq!(row(&picture), row(&mirrored));
}

#[test]
fn a_rotated_picture_is_seen_upright() {
    // Red on the left and blue on the right as stored; turned right, red is above.
    let rotated = decode(include_bytes!("pictures/rotated.jpg"), "rotated.jpg").unwrap();
    assert_eq!(rotated.dimensions(), (8, 16));
    let upright =
        RgbImage::from_fn(8, 16, |_, y| Rgb(if y < 8 { [220, 30, 30] } else { [30, 30, 220] }));
    let (stored, drawn) = (row(&rotated), row(&upright));
    let colours = |row: &[f32], cell: usize| row[cell * BINS..][..WORDS[0]].to_vec();
    let alike = |a: Vec<f32>, b: Vec<f32>| a.iter().zip(&b).map(|(a, b)| a.min(*b)).sum::<f32>();
    // Cell 1 is the upper left quarter and cell 3 the lower left, with a quarter of the points.
    for cell in [1, 3] {
        let like = alike(colours(&stored, cell), colours(&drawn, cell));
        assert!(like > 0.2, "cell {cell}: {like}");
    }
}

#[test]
fn a_torn_picture_is_told_and_the_rest_goes_on() {
    let whole = encoded(synth::specimen(3, 9).picture, ImageFormat::Jpeg);
    let items = [
        item("whole", whole.clone()),
        item("torn", whole[..whole.len() / 3].to_vec()),
        item("header", whole[..20].to_vec()),
        item("empty", Vec::new()),
        item("again", whole),
    ];
    let items: Vec<&Item> = items.iter().collect();
    let looked = features(&items, words(), None, &Silent).unwrap();
    assert_eq!(looked.items.len() + looked.failed.len(), 5);
    assert!(looked.failed.iter().any(|(_, error)| error.to_string().starts_with("empty: ")));
    assert!(looked.failed.iter().any(|(_, error)| error.to_string().starts_with("header: ")));
    let last = looked.matrix.rows() - 1;
    assert_eq!(looked.matrix.row(0), looked.matrix.row(last));
    // Words can be made from what can be read.
    assert!(VisualWords::fit(&items, &params(), &Silent).is_ok());
    let error = VisualWords::fit(&items[2..4], &params(), &Silent).unwrap_err().to_string();
    assert!(error.contains("no picture"), "{error}");
}

#[test]
fn the_same_words_by_seed_on_any_number_of_threads() {
    let pictures: Vec<Picture> = (0..3).map(|at| synth::specimen(5, at).picture).collect();
    let params = Params { pictures: 3, points: 300, rounds: 3, seed: 4 };
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let params = Params { seed, ..params.clone() };
        let made = pool.install(|| VisualWords::fit_pictures(&pictures, &params, &Silent));
        made.unwrap().name().to_owned()
    };
    assert_eq!(on(1, 4), on(3, 4));
    assert_ne!(on(2, 4), on(2, 5));
}

#[test]
fn a_folder_gives_the_same_words_back() {
    let folder = tempfile::tempdir().unwrap();
    words().save(folder.path()).unwrap();
    let back = VisualWords::load(folder.path()).unwrap();
    assert_eq!(back.name(), words().name());
    let found = find_extractor(folder.path().to_str().unwrap()).unwrap();
    assert_eq!(found.name(), words().name());
    assert_eq!(
        find_extractor("grid-colour-edge").unwrap().dimensions(),
        GridColourEdge.dimensions()
    );
    assert!(find_extractor("no-such-thing").is_err());
    let picture = synth::specimen(3, 7).picture;
    let mut again = vec![0.0; back.dimensions()];
    back.extract(&picture, &mut again).unwrap();
    assert_eq!(again, row(&picture));
    check("specimen", &again);
}

/// A folder whose tensors were replaced, with a manifest that knows the new file.
fn tampered(folder: &Path, sift: [usize; 2], dtype: Dtype, value: f32, names: [&str; 3]) -> String {
    words().save(folder).unwrap();
    let shapes = [[WORDS[0], 3], [WORDS[1], 39], sift];
    let data = shapes.map(|[rows, columns]| {
        std::iter::repeat_n(value.to_le_bytes(), rows * columns).flatten().collect::<Vec<u8>>()
    });
    let views = names.iter().zip(shapes).zip(&data).map(|((name, shape), data)| {
        let shape = if dtype == Dtype::F32 { shape.to_vec() } else { vec![shape[0], shape[1] * 2] };
        (*name, TensorView::new(dtype, shape, data).unwrap())
    });
    let bytes = safetensors::serialize(views, None).unwrap();
    replace_tensors(folder, &bytes);
    VisualWords::load(folder).unwrap_err().to_string()
}

fn replace_tensors(folder: &Path, bytes: &[u8]) {
    fs::write(folder.join("model.safetensors"), bytes).unwrap();
    let path = folder.join("model.json");
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    let hash = rebus_collection::ContentHash::of(bytes).to_string();
    manifest["files"]["model.safetensors"] = hash.into();
    fs::write(&path, manifest.to_string()).unwrap();
}

#[test]
fn folders_that_do_not_fit_are_refused_with_the_tensor() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let names = ["colour", "texture", "sift"];
    let sift = [WORDS[2], 128];
    let error = tampered(at, [WORDS[2], 64], Dtype::F32, 0.5, names);
    assert!(error.contains("tensor `sift`: has shape [256, 64], not [256, 128]"), "{error}");
    let error = tampered(at, sift, Dtype::F32, f32::NAN, names);
    assert!(error.contains("tensor `colour`: value 0 is not finite"), "{error}");
    let error = tampered(at, sift, Dtype::F16, 0.5, names);
    assert!(error.contains("tensor `colour`: is F16, not F32"), "{error}");
    let error = tampered(at, sift, Dtype::F32, 0.5, ["colour", "texture", "shape"]);
    assert!(error.contains("tensor `sift`: is missing"), "{error}");

    // Cut off at any length, or with a header that claims the world.
    words().save(at).unwrap();
    let whole = fs::read(at.join("model.safetensors")).unwrap();
    for end in [0, 7, 8, 100, whole.len() / 2, whole.len() - 1] {
        replace_tensors(at, &whole[..end]);
        let error = VisualWords::load(at).unwrap_err().to_string();
        assert!(error.contains("model.safetensors: tensor `colour`"), "{end}: {error}");
    }
    let mut absurd = whole.clone();
    absurd[..8].copy_from_slice(&u64::MAX.to_le_bytes());
    replace_tensors(at, &absurd);
    assert!(VisualWords::load(at).is_err());
    // Another file than the manifest's.
    words().save(at).unwrap();
    fs::write(at.join("model.safetensors"), b"other").unwrap();
    let error = VisualWords::load(at).unwrap_err().to_string();
    assert!(error.contains("is not the file that model.json names"), "{error}");
    // No manifest, or one of another kind.
    fs::write(at.join("model.json"), r#"{"kind": "cca"}"#).unwrap();
    assert!(VisualWords::load(at).unwrap_err().to_string().contains("model.json"));
    fs::remove_file(at.join("model.json")).unwrap();
    assert!(VisualWords::load(at).unwrap_err().to_string().contains("model.json"));
}

#[test]
fn settings_are_checked_by_name() {
    for (params, name) in [
        (Params { pictures: 0, ..params() }, "pictures"),
        (Params { points: 0, ..params() }, "points"),
        (Params { rounds: 0, ..params() }, "rounds"),
    ] {
        let error = VisualWords::fit_pictures(&[], &params, &Silent).unwrap_err().to_string();
        assert!(error.contains(&format!("{name} is 0")), "{error}");
    }
}
