//! Whatever lies in a folder, the run ends well and the report names what is bad.

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

mod odd;
mod world;

use std::path::PathBuf;

use odd::Fate;
use rebus_index::Update;
use world::World;

fn failed(update: &Update) -> Vec<PathBuf> {
    update.failed.iter().map(|failure| failure.path.clone()).collect()
}

#[test]
fn odd_pictures_are_indexed_or_named() {
    let world = World::with(0);
    let files = odd::files();
    for (name, content, _) in &files {
        world.put(name, content);
    }
    // Beside a photo, too, things may be broken.
    world.put("01-plain.json", "{ nonsense");
    world.put("05-png-inside.xmp", "<x><y></x>");
    let of = |fate: Fate| -> Vec<PathBuf> {
        files.iter().filter(|file| file.2 == fate).map(|file| world.path(file.0)).collect()
    };
    let update = world.update();
    assert_eq!(failed(&update), of(Fate::Bad), "{:#?}", update.failed);
    assert!(update.failed.iter().all(|failure| !failure.reason.is_empty()));
    assert_eq!(update.not_yet, 1);
    let index = world.index();
    let mut paths: Vec<PathBuf> = index.photos().map(|photo| photo.unwrap().path).collect();
    paths.sort();
    assert_eq!(paths, of(Fate::Good));
    assert_eq!(index.failures().unwrap(), update.failed);
    assert_eq!(index.statistics().unwrap().failures, update.failed.len() as u64);

    // They are named every time, but tried again only when they have changed.
    let again = world.update();
    assert_eq!((again.new, failed(&again)), (0, failed(&update)));
    world.draw("02-truncated.jpg", 1);
    std::fs::remove_file(world.path("03-empty.jpg")).unwrap();
    let mended = world.update();
    assert_eq!((mended.new, mended.failed.len()), (1, update.failed.len() - 2));
    assert_eq!(world.index().failures().unwrap(), mended.failed);
    // And a photo that breaks is one no longer.
    world.put("01-plain.jpg", "broken");
    let broken = world.update();
    assert_eq!(broken.failed.len(), update.failed.len() - 1);
    assert_eq!(world.index().photo_at(&world.path("01-plain.jpg")).unwrap(), None);
    world.check_vectors();
}

#[cfg(unix)]
#[test]
fn odd_folders_are_walked_through() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let world = World::with(1);
    let deep = "d/".repeat(200) + "deep.jpg";
    world.draw(&deep, 1);
    let odd_name = world.photos().join(OsStr::from_bytes(b"not \xff text.jpg"));
    std::fs::copy(world.path("000.jpg"), &odd_name).unwrap();
    std::fs::create_dir(world.path("folder.jpg")).unwrap();
    symlink(world.photos(), world.path("d/back")).unwrap();
    symlink("nowhere.jpg", world.path("dangling.jpg")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(world.path("pipe.jpg")).status();
    assert!(pipe.is_ok_and(|status| status.success()) || cfg!(not(target_os = "linux")));
    let update = world.update();
    assert_eq!(failed(&update), [world.path("d/back"), world.path("dangling.jpg")]);
    assert!(update.failed[0].reason.contains("leads back"), "{:?}", update.failed);
    let index = world.index();
    assert_eq!(index.len(), 3);
    assert!(index.photo_at(&world.path(&deep)).unwrap().is_some());
    assert!(index.photo_at(&odd_name).unwrap().is_some());
    assert_eq!(world.update().unchanged, 3);
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_named_and_stays() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::with(2);
    world.draw("locked/x.jpg", 7);
    assert_eq!(world.update().new, 3);
    world.draw("new.jpg", 8);
    let allow = |name: &str, mode: u32| {
        let path = world.path(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    allow("new.jpg", 0o000);
    allow("locked", 0o000);
    if std::fs::read(world.path("new.jpg")).is_ok() {
        println!("skipped: this user may read everything");
        allow("locked", 0o755);
        return;
    }
    let update = world.update();
    assert_eq!(failed(&update), [world.path("locked"), world.path("new.jpg")]);
    // The folder could not be listed: nobody knows that its photo is gone.
    assert_eq!((update.deleted, update.photos), (0, 3));
    allow("new.jpg", 0o644);
    allow("locked", 0o755);
    // The file has not changed, but the trouble has passed.
    let update = world.update();
    assert_eq!((update.new, update.failed.len(), update.photos), (1, 0, 4));
}
