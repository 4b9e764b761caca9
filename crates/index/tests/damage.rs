//! Damage is found, named and mended; two writers and a reader do not disturb one another.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod world;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::mpsc;

use rebus_collection::{Progress, Silent};
use rebus_index::vectors::{Exact, Quantised, VectorEngine};
use rebus_index::{CheckReport, Error, Index, OnDamage, Options, PhotoId, check, update};
use world::{World, eye, other};

fn checked(world: &World) -> CheckReport {
    check(&world.folder(), &Silent).unwrap()
}

fn repair(world: &World) -> rebus_index::Update {
    let options = Options { damage: OnDamage::Repair, ..Options::default() };
    world.update_with(&[eye(), other()], &options).unwrap()
}

/// Changes one byte of a file.
fn spoil(path: &Path, at: usize) {
    let mut bytes = std::fs::read(path).unwrap();
    bytes[at] ^= 0x10;
    std::fs::write(path, bytes).unwrap();
}

fn file_in(folder: &Path, ending: &str) -> PathBuf {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = files.filter(|path| path.to_string_lossy().ends_with(ending)).min();
    found.unwrap_or_else(|| panic!("no {ending} in {}", folder.display()))
}

#[test]
fn damaged_vectors_are_found_and_encoded_again() {
    let world = World::with(5);
    world.update_with(&[eye(), other()], &Options::default()).unwrap();
    let whole = checked(&world);
    assert_eq!((whole.photos, whole.vectors, whole.damages.len()), (5, 10, 0));

    let file = file_in(&world.folder().join("vectors/cca"), ".vectors");
    spoil(&file, 64 + 9);
    let report = checked(&world);
    assert_eq!(report.damages.len(), 1, "{report:?}");
    assert_eq!(report.damages[0].file, file);
    assert!(report.damages[0].affects.contains("cca for 5 photos"), "{report:?}");
    assert!(report.damages[0].remedy.contains("--repair"));
    // Nobody reads them either, by whatever way.
    let index = world.index();
    let vectors = index.vectors("cca").unwrap();
    let damaged = [
        vectors.row(PhotoId(2)).map(|_| ()),
        Exact::new(vectors.clone()).nearest(&vec![1.0; vectors.dimensions()], 1, None).map(|_| ()),
        Quantised::new(vectors).map(|_| ()),
    ];
    for refused in damaged {
        let Err(Error::Damaged { path, what }) = refused else { panic!("{refused:?}") };
        assert_eq!((path, &*what), (file.clone(), "rows 0 to 4 do not fit their checksum"));
    }
    assert!(index.vectors("other").unwrap().row(PhotoId(2)).is_ok());
    // The row of a writer must go on behind sound ones: it refuses, with the remedy.
    world.draw("new.jpg", 40);
    let refused = world.update_with(&[eye(), other()], &Options::default()).unwrap_err();
    assert!(refused.hint().unwrap().contains("--repair"), "{refused}");

    let mended = repair(&world);
    assert_eq!((mended.encoded, mended.new, mended.unchanged), (5, 1, 5));
    assert!(checked(&world).damages.is_empty());
    world.check_vectors();

    // A file that is gone.
    std::fs::remove_file(file_in(&world.folder().join("vectors/other"), ".vectors")).unwrap();
    let report = checked(&world);
    assert!(report.damages[0].affects.contains("by other"), "{report:?}");
    assert_eq!(repair(&world).encoded, 6);
    assert!(checked(&world).damages.is_empty());
    world.check_vectors();
}

#[test]
fn a_damaged_catalogue_is_found_and_made_anew() {
    let world = World::with(4);
    for ending in [".store", ".fast", ".idx", ".term", ".pos", ".fieldnorm"] {
        world.update_with(&[eye(), other()], &Options::default()).unwrap();
        let file = file_in(&world.folder().join("catalogue"), ending);
        let bytes = std::fs::metadata(&file).unwrap().len() as usize;
        // Nobody reads or goes on with it, wherever the damage is, the checksum itself included.
        for at in (0..bytes).step_by(bytes / 16 + 1) {
            spoil(&file, at);
            let refused = [
                Index::open(&world.folder()).map(|_| ()),
                world.update_with(&[eye(), other()], &Options::default()).map(|_| ()),
            ];
            for refused in refused {
                match refused {
                    Err(Error::Damaged { path, .. }) => assert_eq!(path, file),
                    other => panic!("{ending} at {at}: {other:?}"),
                }
            }
            spoil(&file, at);
        }
        spoil(&file, bytes / 2);
        let report = checked(&world);
        assert_eq!(report.damages.len(), 1, "{report:?}");
        assert_eq!(report.damages[0].file, file);
        assert!(report.damages[0].affects.contains("4 photos"), "{report:?}");
        let mended = repair(&world);
        assert_eq!((mended.new, mended.photos), (4, 4), "{ending}");
        assert!(checked(&world).damages.is_empty(), "{ending}");
        world.check_vectors();
    }
    let commit = world.folder().join("catalogue/meta.json");
    let whole = std::fs::read(&commit).unwrap();
    for at in (0..whole.len()).step_by(31) {
        spoil(&commit, at);
        let opened = Index::open(&world.folder());
        assert!(matches!(opened, Err(Error::Damaged { .. })), "at {at}: {opened:?}");
        spoil(&commit, at);
    }
    // Indexes of before have no checksum there.
    let lines = whole.trim_ascii_end();
    let document = lines.iter().rposition(|&byte| byte == b'\n').unwrap();
    std::fs::write(&commit, &lines[..document]).unwrap();
    assert_eq!(Index::open(&world.folder()).unwrap().len(), 4);
    std::fs::write(&commit, "{}").unwrap();
    assert!(matches!(Index::open(&world.folder()), Err(Error::Damaged { .. })));
    assert_eq!(checked(&world).damages.len(), 1);
    assert_eq!(repair(&world).photos, 4);
    std::fs::write(world.folder().join("index.json"), "torn").unwrap();
    assert_eq!(checked(&world).damages.len(), 1);
    // The photos are all there; only what the index calls itself was lost.
    assert_eq!(repair(&world).unchanged, 4);
    assert!(checked(&world).damages.is_empty());
}

#[test]
fn thumbnails_and_annotations_are_looked_at() {
    let world = World::with(1);
    world.update();
    for (name, content) in [
        ("thumbnails/ab/1.jpg", std::fs::read(world.path("000.jpg")).unwrap()),
        ("thumbnails/ab/2.jpg", b"torn".to_vec()),
        ("annotations/accepted.jsonl", b"{\"a\": 1}\nnonsense\n{}\n".to_vec()),
    ] {
        let path = world.folder().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let report = checked(&world);
    assert_eq!((report.thumbnails, report.damages.len()), (2, 2), "{report:?}");
    assert!(report.damages[0].file.ends_with("2.jpg"));
    assert!(report.damages[1].what.contains("line 2"), "{report:?}");
}

/// Waits at the fifth photo until it is told to go on.
struct Pausing {
    reached: mpsc::Sender<()>,
    go_on: Mutex<mpsc::Receiver<()>>,
    photos: std::sync::atomic::AtomicU64,
}

impl Progress for Pausing {
    fn begin(&self, _what: &str, _total: Option<u64>) {}
    fn advance(&self, by: u64) {
        // Ten are counted before the first is indexed.
        if self.photos.fetch_add(by, std::sync::atomic::Ordering::SeqCst) == 15 {
            self.reached.send(()).unwrap();
            self.go_on.lock().unwrap().recv().unwrap();
        }
    }
    fn interrupted(&self) -> bool {
        false
    }
}

#[test]
fn reading_needs_no_lock_that_cannot_be_had() {
    let world = World::with(3);
    world.update();
    // As on a disc that cannot be written to, also for who may write everywhere.
    let lock = world.folder().join("catalogue").join(".tantivy-meta.lock");
    let _ = std::fs::remove_file(&lock);
    std::fs::create_dir(&lock).unwrap();
    let index = Index::open(&world.folder()).unwrap();
    assert_eq!(index.photos().map(Result::unwrap).count(), 3);
    assert!(checked(&world).damages.is_empty());
}

#[test]
fn one_writes_and_others_read() {
    let world = World::with(10);
    let (reached, at_five) = mpsc::channel();
    let (send, go_on) = mpsc::channel();
    let progress = Pausing { reached, go_on: Mutex::new(go_on), photos: 0.into() };
    // Something is there to read before.
    let before = world.path("009.jpg");
    update(&world.folder(), std::slice::from_ref(&before), &[eye()], &Options::default(), &Silent)
        .unwrap();
    std::thread::scope(|scope| {
        let (folder, photos) = (world.folder(), world.photos());
        let writing = scope
            .spawn(move || update(&folder, &[photos], &[eye()], &Options::default(), &progress));
        at_five.recv().unwrap();
        let index = world.index();
        assert_eq!(index.len(), 1);
        assert!(index.photo_at(&before).unwrap().is_some());
        let second = world.update_with(&[eye()], &Options::default()).unwrap_err();
        let told = format!("in use by process {}", std::process::id());
        assert!(second.to_string().contains(&told), "{second}");
        assert!(matches!(check(&world.folder(), &Silent), Err(Error::InUse { .. })));
        send.send(()).unwrap();
        assert_eq!(writing.join().unwrap().unwrap().photos, 10);
        index.refresh().unwrap();
        assert_eq!(index.len(), 10);
    });
}
