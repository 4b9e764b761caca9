//! Sidecars that exiftool wrote, added to by us, read by exiftool again. Skipped, saying so, where
//! exiftool is not installed (Debian: libimage-exiftool-perl).

// What a test does outside of its own function is a test too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::panic)]

use std::path::Path;
use std::process::Command;

use rebus_collection::sidecar::{Additions, merge};
use serde_json::{Map, Value};

fn is_installed() -> bool {
    let there = Command::new("exiftool").arg("-ver").output().is_ok_and(|out| out.status.success());
    if !there {
        println!("skipped: exiftool is not installed");
    }
    there
}

/// Every tag of the file, without those about the file itself.
fn read(path: &Path) -> Map<String, Value> {
    let out = Command::new("exiftool").args(["-j", "-G1", "-struct"]).arg(path).output().unwrap();
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let json: Value = serde_json::from_slice(&out.stdout).unwrap();
    let mut tags = json[0].as_object().unwrap().clone();
    assert!(!tags.contains_key("ExifTool:Warning"), "{tags:?}");
    tags.retain(|name, _| name.starts_with("XMP-") && name != "XMP-x:XMPToolkit");
    tags
}

fn additions() -> Additions {
    Additions {
        keywords: vec!["dog".into(), "sea".into(), "caf\u{e9} & <bar>".into()],
        description: Some("A dog runs & jumps.".into()),
        ..Additions::default()
    }
}

fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(list) => list.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    }
}

#[test]
fn exiftool_reads_a_sidecar_that_we_made() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jpg.xmp");
    std::fs::write(&path, merge(None, &additions()).unwrap().bytes).unwrap();
    let tags = read(&path);
    let all = ["dog", "sea", "caf\u{e9} & <bar>"];
    for name in ["XMP-dc:Subject", "XMP-digiKam:TagsList", "XMP-lr:HierarchicalSubject"] {
        assert_eq!(strings(&tags[name]), all, "{name}");
    }
    assert_eq!(tags["XMP-dc:Description"], "A dog runs & jumps.");
}

#[test]
fn what_exiftool_wrote_is_still_there() {
    if !is_installed() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.xmp");
    let written = Command::new("exiftool")
        .arg("-o")
        .arg(&path)
        .args(["-XMP-dc:Subject=Sea", "-XMP-dc:Subject=holiday", "-XMP-dc:Title=The harbour"])
        .args(["-XMP-dc:Title-de=Der Hafen", "-XMP-lr:HierarchicalSubject=Nature|Sea"])
        .args(["-XMP-digiKam:TagsList=Nature/Sea", "-XMP-xmp:Rating=4", "-XMP-xmp:Label=Red"])
        .args([
            "-XMP-photoshop:City=Lund",
            "-XMP-exif:FNumber=2.8",
            "-XMP-iptcExt:PersonInImage=Ann",
        ])
        .output()
        .unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
    let before = read(&path);
    let merged = merge(Some(&std::fs::read(&path).unwrap()), &additions()).unwrap();
    std::fs::write(&path, &merged.bytes).unwrap();
    let after = read(&path);
    for (name, old) in &before {
        assert!(!old.is_number() || *old == after[name], "{name}");
        let (old, new) = (strings(old), strings(&after[name]));
        assert_eq!(new[..old.len()], old, "{name}");
    }
    let new: Vec<&String> = after.keys().filter(|name| !before.contains_key(*name)).collect();
    assert_eq!(new, ["XMP-dc:Description"]);
    let subject = ["Sea", "holiday", "dog", "caf\u{e9} & <bar>"];
    assert_eq!(strings(&after["XMP-dc:Subject"]), subject);
    let tags = ["Nature/Sea", "dog", "caf\u{e9} & <bar>"];
    assert_eq!(strings(&after["XMP-digiKam:TagsList"]), tags);
    // Exiftool writes on in what we wrote, and nothing of ours is lost by that.
    let edited = Command::new("exiftool")
        .args(["-overwrite_original", "-XMP-xmp:Rating=5"])
        .arg(&path)
        .output()
        .unwrap();
    assert!(edited.status.success(), "{}", String::from_utf8_lossy(&edited.stderr));
    let again = merge(Some(&std::fs::read(&path).unwrap()), &additions()).unwrap();
    assert!(again.added.is_empty(), "{:?}", again.added);
}
