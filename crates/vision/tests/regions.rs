//! Regions and blobs from pictures of every kind, and from folders that are not what they should be.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod pictures;

use std::fs;
use std::sync::{Arc, OnceLock};

use image::{ImageFormat, Rgb};
use pictures::encoded;
use rebus_collection::{ImageSource, Item, Matrix, Silent, synth};
use rebus_vision::regions::{
    Blobs, MOST, Method, Params, RegionVectors, SMALLEST, Segmentation, vectors_of,
};
use rebus_vision::{Cache, Extractor, Picture, decode, features, find_extractor};

fn items() -> &'static [Item] {
    static ITEMS: OnceLock<Vec<Item>> = OnceLock::new();
    ITEMS.get_or_init(|| {
        let item = |at: usize| {
            let bytes = encoded(synth::specimen(7, at as u64).picture, ImageFormat::Png);
            Item { image: ImageSource::Bytes(Arc::from(bytes)), ..Item::new(format!("{at}")) }
        };
        (0..12).map(item).collect()
    })
}

fn params() -> Params {
    Params { k: 8, rounds: 20, ..Params::default() }
}

/// Blobs made once for all tests.
fn blobs() -> &'static Blobs {
    static BLOBS: OnceLock<Blobs> = OnceLock::new();
    BLOBS.get_or_init(|| made(Method::GraphBased, &params()))
}

fn made(method: Method, params: &Params) -> Blobs {
    let items: Vec<&Item> = items().iter().collect();
    Blobs::fit(&items, RegionVectors::low_level(method), params, None, &Silent).unwrap()
}

/// Every pixel in one region, regions that hang together, few of them, counted as they begin.
fn check(name: &str, found: &Segmentation) {
    let (width, height) = found.dimensions();
    let (labels, areas) = (found.labels(), found.areas());
    assert_eq!(labels.len(), width * height, "{name}");
    assert!((1..=MOST).contains(&areas.len()), "{name}: {} regions", areas.len());
    let mut begun = 0;
    let mut seen = vec![false; labels.len()];
    for first in 0..labels.len() {
        if seen[first] {
            continue;
        }
        // Whatever has not been reached begins a region that had not begun.
        assert_eq!(usize::from(labels[first]), begun, "{name}: a region is in two pieces");
        begun += 1;
        let (mut open, mut area) = (vec![first], 0);
        seen[first] = true;
        while let Some(at) = open.pop() {
            area += 1;
            let (x, y) = (at % width, at / width);
            let around = [
                (x > 0, at.wrapping_sub(1)),
                (x + 1 < width, at + 1),
                (y > 0, at.wrapping_sub(width)),
                (y + 1 < height, at + width),
            ];
            for (inside, next) in around {
                if inside && !seen[next] && labels[next] == labels[at] {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        assert_eq!(area, areas[begun - 1], "{name}");
    }
    assert_eq!(begun, areas.len(), "{name}");
}

/// Noise of three colours, by a small generator of its own.
fn noise(width: u32, height: u32) -> Picture {
    let mut state = 1u32;
    Picture::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Rgb([(state >> 8) as u8, (state >> 16) as u8, (state >> 24) as u8])
    })
}

#[test]
fn regions_cover_pictures_of_every_kind_and_hang_together() {
    for method in Method::ALL {
        for (name, bytes) in pictures::of_every_kind() {
            check(name, &Segmentation::new(&decode(&bytes, name).unwrap(), method).unwrap());
        }
        for at in 0..6 {
            let picture = synth::specimen(11, at).picture;
            check("drawn", &Segmentation::new(&picture, method).unwrap());
        }
        check("noise", &Segmentation::new(&noise(190, 130), method).unwrap());
        let ramp = Picture::from_fn(192, 128, |x, y| Rgb([x as u8, y as u8 * 2, 128]));
        check("ramp", &Segmentation::new(&ramp, method).unwrap());
    }
}

#[test]
fn the_same_regions_on_any_number_of_threads() {
    let items: Vec<&Item> = items().iter().collect();
    for method in Method::ALL {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let look = || features(&items, &RegionVectors::low_level(method), None, &Silent);
            pool.install(look).unwrap().matrix
        };
        assert_eq!(on(1), on(3), "{method}");
    }
    let on = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let params = Params { seed, ..params() };
        pool.install(|| made(Method::GraphBased, &params)).name().to_owned()
    };
    assert_eq!(on(1, 4), on(3, 4));
    assert_ne!(on(2, 4), on(2, 5));
}

#[test]
fn a_huge_picture_has_the_regions_of_its_small_copy() {
    let halves = |width: u32, height: u32| {
        Picture::from_fn(width, height, |x, _| {
            Rgb(if x < width / 3 { [240, 200, 30] } else { [20, 80, 60] })
        })
    };
    for method in Method::ALL {
        let found = Segmentation::new(&halves(4800, 3200), method).unwrap();
        assert_eq!(found, Segmentation::new(&halves(192, 128), method).unwrap(), "{method}");
        assert_eq!(found.areas(), [64 * 128, 128 * 128]);
    }
}

#[test]
fn rows_hold_the_vectors_of_the_regions() {
    let vectors = RegionVectors::low_level(Method::NormalisedCuts);
    assert!(vectors.width() >= 33);
    let picture = synth::specimen(5, 3).picture;
    let seen = vectors.look(&picture).unwrap();
    let mut row = vec![f32::NAN; vectors.dimensions()];
    vectors.extract(&picture, &mut row).unwrap();
    assert!(row.iter().all(|value| value.is_finite()));
    assert_eq!((row[0] as usize, row.len()), (seen.kept.len(), 1 + MOST * vectors.width()));
    let in_row: Vec<&[f32]> = vectors_of(&row).collect();
    assert_eq!(in_row, seen.vectors.iter().map(Vec::as_slice).collect::<Vec<_>>());
    assert!(!in_row.is_empty());
}

#[test]
fn a_picture_with_no_region_left() {
    // Five by five pixels are fewer than a region must have.
    const { assert!(SMALLEST > 25) };
    let tiny = Picture::from_pixel(5, 5, Rgb([200, 10, 10]));
    for method in Method::ALL {
        let vectors = RegionVectors::low_level(method);
        let seen = vectors.look(&tiny).unwrap();
        assert_eq!((seen.segmentation.areas(), seen.kept.len()), (&[25][..], 0));
        let mut row = vec![f32::NAN; vectors.dimensions()];
        vectors.extract(&tiny, &mut row).unwrap();
        assert!(row.iter().all(|&value| value == 0.0));
        assert_eq!(vectors_of(&row).count(), 0);
    }
    let mut counts = vec![f32::NAN; blobs().dimensions()];
    blobs().extract(&tiny, &mut counts).unwrap();
    assert_eq!(counts, [0.0; 8]);
    assert!(blobs().look(&tiny).unwrap().1.is_empty());
}

#[test]
fn counts_are_of_regions() {
    let picture = synth::specimen(7, 2).picture;
    let (seen, found) = blobs().look(&picture).unwrap();
    assert_eq!(seen.kept.len(), found.len());
    let mut counts = vec![f32::NAN; blobs().dimensions()];
    blobs().extract(&picture, &mut counts).unwrap();
    assert_eq!(counts.iter().sum::<f32>() as usize, found.len());
    let vectors = blobs().vectors();
    let mut row = Matrix::zeros(1, vectors.dimensions());
    vectors.extract(&picture, row.row_mut(0)).unwrap();
    assert_eq!(blobs().count(&row).unwrap().values(), counts);
    assert!(blobs().count(&Matrix::zeros(1, 3)).is_err());
}

#[test]
fn a_folder_gives_the_same_blobs_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    blobs().save(at).unwrap();
    let back = Blobs::load(at).unwrap();
    assert_eq!(back.name(), blobs().name());
    assert_eq!(find_extractor(at.to_str().unwrap()).unwrap().name(), blobs().name());
    let picture = synth::specimen(9, 1).picture;
    assert_eq!(back.look(&picture).unwrap().1, blobs().look(&picture).unwrap().1);
    // A cache knows counts by the name of the blobs.
    let items: Vec<&Item> = items().iter().collect();
    let mut cache = Cache::open(at, &back).unwrap();
    let first = features(&items, &back, Some(&mut cache), &Silent).unwrap().matrix;
    assert_eq!(cache.len(), items.len());
    assert_eq!(features(&items, blobs(), Some(&mut cache), &Silent).unwrap().matrix, first);
}

#[test]
fn folders_that_do_not_fit_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        blobs().save(at).unwrap();
        let path = at.join("model.json");
        let mut manifest: serde_json::Value =
            serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut manifest);
        fs::write(&path, manifest.to_string()).unwrap();
        Blobs::load(at).unwrap_err().to_string()
    };
    let error = refused(&|json| json["training"]["params"]["k"] = 9.into());
    assert!(error.contains("tensor `blobs`: has shape [8, "), "{error}");
    let error = refused(&|json| json["training"]["params"]["k"] = u64::MAX.into());
    assert!(error.contains("absurd"), "{error}");
    let error = refused(&|json| json["training"]["method"] = "normalised-cuts".into());
    assert!(error.contains("graph-regions/1, and those at hand are regions/1"), "{error}");
    let error = refused(&|json| json["training"]["network"] = "no-such-network".into());
    assert!(error.contains("no-such-network"), "{error}");
    let error = refused(&|json| json["kind"] = "visual-words".into());
    assert!(error.contains("kind is `visual-words`, not `blobs`"), "{error}");
    let error = refused(&|json| json["version"] = 99.into());
    assert!(error.contains("version 99"), "{error}");
    blobs().save(at).unwrap();
    fs::write(at.join("model.safetensors"), b"other").unwrap();
    assert!(Blobs::load(at).unwrap_err().to_string().contains("is not the file"));
    fs::write(at.join("model.json"), b"{").unwrap();
    let error = find_extractor(at.to_str().unwrap()).err().unwrap().to_string();
    assert!(error.contains("model.json"), "{error}");
}

#[test]
fn settings_and_pictures_that_will_not_do_are_named() {
    let items: Vec<&Item> = items().iter().collect();
    let error = |items: &[&Item], params: Params| {
        let vectors = RegionVectors::low_level(Method::GraphBased);
        Blobs::fit(items, vectors, &params, None, &Silent).unwrap_err().to_string()
    };
    assert!(error(&items, Params { k: 0, ..params() }).contains("k is 0"));
    assert!(error(&items, Params { rounds: 0, ..params() }).contains("rounds is 0"));
    assert!(error(&items, Params { pictures: 0, ..params() }).contains("pictures is 0"));
    let few = error(&items[..1], Params { k: 100, ..params() });
    assert!(few.contains("regions are too few for 100 blobs"), "{few}");
    assert!(error(&[], params()).contains("0 regions"));
    assert!(find_extractor("regions").is_ok() && find_extractor("graph-regions").is_ok());
    assert!(find_extractor("regions:no-such-network").is_err());
}
