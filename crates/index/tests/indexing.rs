//! An index follows its photos: new, changed, moved, deleted, away.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use std::path::Path;

use rebus_collection::{ContentHash, Progress, Silent};
use rebus_index::{Error, Eye, Index, Options, Refreshed, Update, update};
use world::{World, eye, other};

/// Counts alone.
fn counts(update: &Update) -> [u64; 6] {
    [update.new, update.changed, update.moved, update.described, update.deleted, update.unchanged]
}

#[test]
fn photos_come_change_move_and_go() {
    let world = World::with(12);
    assert_eq!(counts(&world.update()), [12, 0, 0, 0, 0, 0]);
    assert_eq!(counts(&world.update()), [0, 0, 0, 0, 0, 12]);
    let index = world.index();
    assert_eq!(index.len(), 12);
    let first = index.photo_at(&world.path("000.jpg")).unwrap().unwrap();
    assert_eq!(index.photo(first.id).unwrap().as_ref(), Some(&first));
    assert_eq!(first.hash, ContentHash::of(&std::fs::read(&first.path).unwrap()));
    world.check_vectors();

    world.draw("new/100.jpg", 100);
    world.draw("001.jpg", 101);
    std::fs::create_dir(world.path("elsewhere")).unwrap();
    std::fs::rename(&first.path, world.path("elsewhere/x.jpg")).unwrap();
    std::fs::remove_file(world.path("002.jpg")).unwrap();
    world.put("003.txt", "A dog runs.\n");
    assert_eq!(counts(&world.update()), [1, 1, 1, 1, 1, 8]);
    assert_eq!(index.refresh().unwrap(), Refreshed::Newer);
    assert_eq!(index.refresh().unwrap(), Refreshed::Same);
    assert_eq!(index.len(), 12);
    assert_eq!(index.photo_at(&first.path).unwrap(), None);
    let moved = index.photo_at(&world.path("elsewhere/x.jpg")).unwrap().unwrap();
    assert_eq!((moved.id, moved.hash), (first.id, first.hash));
    let described = index.photo_at(&world.path("003.jpg")).unwrap().unwrap();
    assert_eq!(described.captions, ["A dog runs."]);
    world.check_vectors();
}

#[test]
fn copies_are_photos_of_their_own() {
    let world = World::with(3);
    std::fs::copy(world.path("000.jpg"), world.path("copy.jpg")).unwrap();
    assert_eq!(world.update().new, 4);
    std::fs::copy(world.path("001.jpg"), world.path("later.jpg")).unwrap();
    assert_eq!(counts(&world.update()), [1, 0, 0, 0, 0, 4]);
    let index = world.index();
    let hash = index.photo_at(&world.path("001.jpg")).unwrap().unwrap().hash;
    let both = index.photos_with(hash).unwrap();
    assert_eq!(both.len(), 2);
    assert_ne!(both[0].id, both[1].id);
    assert_eq!((both[0].size, both[0].likeness), (both[1].size, both[1].likeness));
    world.check_vectors();
    // Of two files with the content of one that is gone, the first is that one.
    std::fs::remove_file(world.path("002.jpg")).unwrap();
    world.draw("a.jpg", 2);
    world.draw("b.jpg", 2);
    assert_eq!(counts(&world.update()), [1, 0, 1, 0, 0, 4]);
    world.check_vectors();
}

#[test]
fn what_was_there_and_what_is_there_add_up() {
    let world = World::with(5);
    std::fs::copy(world.path("000.jpg"), world.path("copy.jpg")).unwrap();
    assert_eq!(world.update().new, 6);
    // Both of two equal photos are moved, one of them is copied, and one photo lies where another was.
    std::fs::create_dir(world.path("moved")).unwrap();
    std::fs::rename(world.path("000.jpg"), world.path("moved/x.jpg")).unwrap();
    std::fs::rename(world.path("copy.jpg"), world.path("moved/y.jpg")).unwrap();
    std::fs::copy(world.path("moved/x.jpg"), world.path("moved/z.jpg")).unwrap();
    std::fs::rename(world.path("001.jpg"), world.path("002.jpg")).unwrap();
    std::fs::remove_file(world.path("003.jpg")).unwrap();
    let update = world.update();
    let [new, changed, moved, described, deleted, unchanged] = counts(&update);
    assert_eq!([new, changed, moved, described, deleted, unchanged], [1, 0, 3, 0, 2, 1]);
    assert_eq!(changed + moved + deleted + unchanged, 6);
    assert_eq!(new + changed + moved + unchanged, update.photos);
    world.check_vectors();
}

#[test]
fn a_file_that_is_only_touched_keeps_its_slot() {
    let world = World::with(2);
    world.update();
    let before = world.index().photo_at(&world.path("000.jpg")).unwrap().unwrap();
    world.draw("000.jpg", 0);
    assert_eq!(counts(&world.update()), [0, 0, 0, 0, 0, 2]);
    let after = world.index().photo_at(&world.path("000.jpg")).unwrap().unwrap();
    assert_eq!(after.id, before.id);
    assert_ne!(after.modified, before.modified);
}

#[test]
fn a_root_that_is_away_keeps_its_photos() {
    let world = World::with(4);
    world.update();
    let hidden = world.photos().with_file_name("unmounted");
    std::fs::rename(world.photos(), &hidden).unwrap();
    let away = world.update();
    assert_eq!(away.away, [world.photos()]);
    assert_eq!((away.deleted, away.photos), (0, 4));
    assert!(world.index().roots()[0].away);
    // A mount point without its drive is an empty folder.
    std::fs::create_dir(world.photos()).unwrap();
    assert_eq!(world.update().away, [world.photos()]);
    assert_eq!(world.index().len(), 4);
    std::fs::remove_dir(world.photos()).unwrap();
    std::fs::rename(&hidden, world.photos()).unwrap();
    let back = world.update();
    assert_eq!(counts(&back), [0, 0, 0, 0, 0, 4]);
    assert!(back.away.is_empty() && !world.index().roots()[0].away);

    // A copy elsewhere is a copy, though the original cannot be seen.
    let elsewhere = world.photos().with_file_name("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::copy(world.path("000.jpg"), elsewhere.join("copy.jpg")).unwrap();
    std::fs::rename(world.photos(), &hidden).unwrap();
    let roots = std::slice::from_ref(&elsewhere);
    let copy = update(&world.folder(), roots, &[eye()], &Options::default(), &Silent).unwrap();
    assert_eq!((copy.new, copy.moved, copy.photos), (1, 0, 5));
    std::fs::rename(&hidden, world.photos()).unwrap();
    std::fs::remove_dir_all(&elsewhere).unwrap();
    let options = Options { forget: vec![elsewhere], ..Options::default() };
    assert_eq!(world.update_with(&[eye()], &options).unwrap().deleted, 1);

    let options = Options { forget: vec![world.photos()], ..Options::default() };
    let forgotten = update(&world.folder(), &[], &[eye()], &options, &Silent).unwrap();
    assert_eq!((forgotten.deleted, forgotten.photos), (4, 0));
    assert!(world.index().roots().is_empty());
}

#[test]
fn a_root_that_never_was_there_is_an_error() {
    let world = World::with(0);
    let missing = world.path("no/such");
    let error = update(&world.folder(), &[missing], &[eye()], &Options::default(), &Silent);
    assert!(matches!(error, Err(Error::Collection(_))), "{error:?}");
    assert!(!world.folder().exists());
}

#[test]
fn a_second_model_is_shown_what_is_missing_only() {
    let world = World::with(6);
    world.update();
    std::fs::remove_file(world.path("001.jpg")).unwrap();
    world.draw("new.jpg", 50);
    let both = world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!(counts(&both), [1, 0, 0, 0, 1, 5]);
    // 001 was still in the catalogue, but could not be read any more.
    assert_eq!(both.encoded, 5);
    let index = world.index();
    assert_eq!(index.models().len(), 2);
    assert_eq!(index.seen_by("other").unwrap().len(), 6);
    world.check_vectors();
    let again = world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!((again.encoded, again.unchanged), (0, 6));

    // With the first model alone the second falls behind, and catches up later.
    world.draw("newer.jpg", 51);
    assert_eq!(world.update().new, 1);
    index.refresh().unwrap();
    assert_eq!(index.seen_by("other").unwrap().len(), 6);
    assert_eq!(index.seen_by("cca").unwrap().len(), 7);
    let later = world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!(later.encoded, 1);
    world.check_vectors();
    assert!(matches!(index.vectors("third"), Err(Error::NoSuch { .. })));
}

#[test]
fn a_model_that_comes_while_photos_are_away_sees_them_later() {
    let world = World::with(3);
    world.update();
    let hidden = world.photos().with_file_name("unmounted");
    std::fs::rename(world.photos(), &hidden).unwrap();
    world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!(world.index().seen_by("other").unwrap().len(), 0);
    std::fs::rename(&hidden, world.photos()).unwrap();
    let back = world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!((back.encoded, back.photos), (3, 3));
    assert_eq!(world.index().seen_by("other").unwrap().len(), 3);
    assert_eq!(world.index().seen_by("cca").unwrap().len(), 3);
    world.check_vectors();
}

#[test]
fn another_version_of_a_model_encodes_all_again() {
    let world = World::with(3);
    world.update();
    let newer = Eye { version: ContentHash::of(b"newer"), ..eye() };
    let update = world.update_with(&[newer], &Options::default()).unwrap();
    assert_eq!((update.encoded, update.unchanged), (3, 3));
    assert_eq!(world.index().models().len(), 1);
    let files = std::fs::read_dir(world.folder().join("vectors/cca")).unwrap();
    assert_eq!(files.count(), 1);
    world.check_vectors();
}

/// Interrupts after so many photos.
struct After(std::sync::atomic::AtomicI64);

impl Progress for After {
    fn begin(&self, _what: &str, _total: Option<u64>) {}
    fn advance(&self, by: u64) {
        self.0.fetch_sub(by as i64, std::sync::atomic::Ordering::SeqCst);
    }
    fn interrupted(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::SeqCst) <= 0
    }
}

#[test]
fn an_interrupted_run_is_gone_on_with() {
    let world = World::with(30);
    // Counting is progress, too.
    let stop = After(40.into());
    let (folder, roots) = (world.folder(), [world.photos()]);
    let result = update(&folder, &roots, &[eye()], &Options::default(), &stop);
    assert!(matches!(result, Err(Error::Interrupted)), "{result:?}");
    let kept = world.index().len() as u64;
    assert!((10..30).contains(&kept), "{kept}");
    assert_eq!(counts(&world.update()), [30 - kept, 0, 0, 0, 0, kept]);
    world.check_vectors();
}

#[test]
fn slots_do_not_depend_on_the_number_of_threads() {
    let world = World::with(20);
    let slots = |threads: usize| {
        let folder = world.folder().with_file_name(format!("index-{threads}"));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let run = || update(&folder, &[world.photos()], &[eye()], &Options::default(), &Silent);
        pool.install(run).unwrap();
        let index = Index::open(&folder).unwrap();
        let mut photos: Vec<_> = index.photos().map(|p| p.unwrap()).collect();
        photos.sort_by_key(|photo| photo.id);
        photos.into_iter().map(|photo| photo.path).collect::<Vec<_>>()
    };
    let one = slots(1);
    assert_eq!(one, slots(5));
    assert_eq!(one[3], world.path("003.jpg"));
}

/// A picture of one pixel.
fn pixel(number: u32) -> Vec<u8> {
    let [_, red, green, blue] = number.to_be_bytes();
    let picture = image::RgbImage::from_pixel(1, 1, image::Rgb([red, green, blue]));
    let mut png = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

#[test]
fn empty_slots_are_given_back() {
    let world = World::with(5);
    let put = |from: u32| {
        (0..1000).for_each(|k| drop(world.put(&format!("x/{k}.png"), pixel(from + k))));
    };
    put(0);
    let both = || world.update_with(&[eye(), other()], &Options::default()).unwrap();
    assert_eq!(both().new, 1005);
    let reader = world.index();
    let before = reader.photo_at(&world.path("000.jpg")).unwrap().unwrap();
    put(5000);
    world.put("broken.jpg", "x");
    // The second model stays behind, and catches up after the slots were given anew.
    let changed = world.update();
    assert_eq!((changed.changed, changed.photos), (1000, 1005));
    let index = world.index();
    assert_eq!(index.statistics().unwrap().slots, 1005);
    assert_eq!(index.failures().unwrap().len(), 1);
    assert_eq!(index.seen_by("other").unwrap().len(), 5);
    world.check_vectors();
    // One who reads the commit of before still does.
    assert_eq!(reader.photo(before.id).unwrap().as_ref(), Some(&before));
    assert!(reader.vectors("other").unwrap().row(before.id).unwrap().is_some());
    let again = both();
    assert_eq!((again.encoded, again.unchanged), (1000, 1005));
    assert_eq!(world.index().seen_by("other").unwrap().len(), 1005);
    world.check_vectors();
    let report = rebus_index::check(&world.folder(), &Silent).unwrap();
    assert!(report.damages.is_empty(), "{report:?}");
    let files = std::fs::read_dir(world.folder().join("vectors/cca")).unwrap();
    assert_eq!(files.count(), 1);
}

/// Interrupts when it is told to.
struct Until<'a>(&'a std::sync::atomic::AtomicBool);

impl Progress for Until<'_> {
    fn begin(&self, _what: &str, _total: Option<u64>) {}
    fn advance(&self, _by: u64) {}
    fn interrupted(&self) -> bool {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }
}

#[test]
fn changes_are_followed() {
    let world = World::with(2);
    world.update();
    let stop = std::sync::atomic::AtomicBool::new(false);
    let (send, updates) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let (folder, stop) = (world.folder(), &stop);
        let following = scope.spawn(move || {
            rebus_index::watch(&folder, &[eye()], &Until(stop), &mut |update: &Update| {
                send.send(update.clone()).unwrap();
                std::ops::ControlFlow::Continue(())
            })
        });
        // The watcher may still be on its way; a photo that comes later is seen in any case.
        let patience = std::time::Duration::from_secs(60);
        std::thread::sleep(std::time::Duration::from_millis(500));
        world.draw("new.jpg", 30);
        assert_eq!(updates.recv_timeout(patience).unwrap().new, 1);
        std::fs::remove_file(world.path("000.jpg")).unwrap();
        assert_eq!(updates.recv_timeout(patience).unwrap().deleted, 1);
        stop.store(true, std::sync::atomic::Ordering::SeqCst);
        assert!(matches!(following.join().unwrap(), Err(Error::Interrupted)));
    });
}

#[test]
fn a_folder_with_other_things_is_not_taken() {
    let world = World::with(1);
    let result = update(&world.photos(), &[world.photos()], &[eye()], &Options::default(), &Silent);
    assert!(matches!(result, Err(Error::Taken { .. })), "{result:?}");
    assert!(matches!(Index::open(Path::new("no/such")), Err(Error::Absent { .. })));
    // An index that lies among the photos is not looked through for photos.
    let inside = world.path("my index");
    let update = update(&inside, &[world.photos()], &[eye()], &Options::default(), &Silent);
    assert_eq!(update.unwrap().photos, 1);
    std::fs::create_dir(inside.join("thumbnails")).unwrap();
    std::fs::copy(world.path("000.jpg"), inside.join("thumbnails/0.jpg")).unwrap();
    assert_eq!(world.update().new, 1);
}
