//! The scalable-explicit paper's table on a small drawn world.

// The lints spare test functions, but not those that they call.
#![allow(clippy::expect_used, clippy::unwrap_used)]

use std::fmt::Write;
use std::path::Path;

use rebus_collection::{Silent, Split, synth};
use rebus_papers::Request;
use rebus_vision::GridColourEdge;

const TRAIN: usize = 180;
const DEV: usize = 40;

/// A folder laid out as Flickr8k is.
fn world(folder: &Path) {
    let (mut captions, mut train, mut dev) = (String::new(), String::new(), String::new());
    std::fs::create_dir_all(folder.join("photos")).unwrap();
    for at in 0..TRAIN + DEV {
        let specimen = synth::specimen(11, at as u64);
        let name = format!("{at:04}.jpg");
        for k in 0..5 {
            let caption = &specimen.captions[k % specimen.captions.len()];
            writeln!(captions, "{name}#{k}\t{caption}").unwrap();
        }
        writeln!(if at < TRAIN { &mut train } else { &mut dev }, "{name}").unwrap();
        specimen.picture.save(folder.join("photos").join(&name)).unwrap();
    }
    std::fs::write(folder.join("Flickr8k.token.txt"), captions).unwrap();
    std::fs::write(folder.join("Flickr_8k.trainImages.txt"), train).unwrap();
    std::fs::write(folder.join("Flickr_8k.devImages.txt"), dev).unwrap();
}

#[test]
fn a_small_world_from_captions_to_the_page() {
    let folder = tempfile::tempdir().unwrap();
    world(folder.path());
    let part = rebus_papers::part("scalable-explicit", "systems").unwrap();
    let mut request = Request { updates: Some(30_000), ..Request::default() };
    let error = part.run(folder.path(), &request, &Silent).unwrap_err().to_string();
    assert!(error.contains("--features"), "{error}");

    request.extractor = Some(&GridColourEdge);
    let report = part.run(folder.path(), &request, &Silent).unwrap();
    let names: Vec<&str> = report.systems.iter().map(|system| system.name.as_str()).collect();
    assert_eq!(&names[..3], ["Independent Baseline", "Joint", "Joint IDF"]);
    assert!(names.contains(&"Joint L2 IDF w/ Extra Training"));
    assert_eq!(report.compared(), 12);
    let figure = |system: usize, task: usize, at: usize| {
        report.systems[system].ours[task].figures[at].value.unwrap()
    };
    for (system, name) in names.iter().enumerate().take(6) {
        for task in 0..2 {
            // By chance, R@10 is 25 % and the median rank 20.5.
            assert!(figure(system, task, 2) > 30.0, "{name}");
            assert!(figure(system, task, 3) < 20.0, "{name}");
        }
    }
    assert!(report.systems[1].ours[0].figures[0].evidence.deviation.is_some());
    let page = report.to_html();
    for what in ["Figure 2", "Figure 3", "Figure 4", "data:image/jpeg;base64,", "overall"] {
        assert!(page.contains(what), "{what}");
    }
    assert!(report.notes.iter().any(|note| note.contains("not at hand")));

    // The same again is the same.
    assert_eq!(part.run(folder.path(), &request, &Silent).unwrap(), report);
    request.split = Some(Split::Test);
    let error = part.run(folder.path(), &request, &Silent).unwrap_err().to_string();
    assert!(error.contains("test split is empty"), "{error}");
}
