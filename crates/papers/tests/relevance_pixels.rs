//! The relevance models from pixels, on a small collection in the form of Corel5k.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;

use rebus_collection::{Silent, synth};
use rebus_papers::{Request, part};
use rebus_vision::regions::{Method, RegionVectors};
use rebus_vision::small_copy;

/// 45 drawn photos with keywords, and blobs that tell nothing.
fn world(folder: &Path) {
    let photos = folder.join("photos");
    fs::create_dir_all(&photos).unwrap();
    let [mut keywords, mut train] = [const { String::new() }; 2];
    let mut blobs = String::from("id\tsplit\tn_blobs\tn_distinct\texact\ttokens\n");
    for at in 0..45u64 {
        let id = 1000 + at;
        let specimen = synth::specimen(3, at);
        let corner = specimen.picture.get_pixel(4, 4).0;
        let words = if corner[2] > corner[0] { "sky,water" } else { "sand,sun" };
        keywords += &format!("{id}\t{words}\n");
        blobs += &format!("{id}\ttrain\t1\t1\t1\t1\n");
        train += &format!("{id}\n");
        let jpeg = small_copy(&specimen.picture, 128, "specimen").unwrap();
        fs::write(photos.join(format!("{id}.jpeg")), jpeg).unwrap();
    }
    fs::write(folder.join("keywords.tsv"), keywords).unwrap();
    fs::write(folder.join("words.txt"), "sand\nsky\nsun\nwater\n").unwrap();
    fs::write(folder.join("blobs.tsv"), blobs).unwrap();
    fs::write(folder.join("train.txt"), train).unwrap();
}

#[test]
fn models_over_regions_are_measured_on_photos_that_are_held_out() {
    let folder = tempfile::tempdir().unwrap();
    world(folder.path());
    let pixels = part("relevance-models", "pixels").unwrap();
    let regions = RegionVectors::low_level(Method::GraphBased);
    let request = Request {
        systems: vec!["crm".to_owned()],
        cache: Some(folder.path().join("cache")),
        extractor: Some(&regions),
        ..Request::default()
    };
    let report = pixels.run(folder.path(), &request, &Silent).unwrap();
    let crm = report.systems.iter().find(|system| system.name == "crm").unwrap();
    let figures = &crm.ours[0].figures;
    assert!(figures.iter().any(|figure| figure.value.is_some_and(|value| value > 0.0)));
    let nobody = Request { systems: vec!["nobody".into()], ..request };
    let error = pixels.run(folder.path(), &nobody, &Silent).err().map(|e| e.to_string());
    assert!(error.is_some_and(|error| error.contains("nobody")));
    let blind = Request::default();
    assert!(pixels.run(folder.path(), &blind, &Silent).is_err());
}
