//! What is known about one photo without decoding it: its header, and what lies beside it.

use std::fs::File;
use std::hash::Hasher;
use std::io::BufReader;
use std::path::Path;
use std::time::UNIX_EPOCH;

use rustc_hash::FxHasher;

use super::walk::PhotoFolder;
use super::{beside, exif, header, iptc, xmp};
use crate::{Finding, Metadata, Place, Severity, Size, Split};

/// All that was read of one photo.
#[derive(Debug, Default)]
pub struct Looked {
    /// Its size, where the header says it.
    pub size: Option<Size>,
    /// What people and cameras wrote, the sidecar's word first.
    pub metadata: Metadata,
    /// Sentences about it.
    pub captions: Vec<String>,
    /// Keywords from a controlled list.
    pub keywords: Vec<String>,
    /// The part of a collection that it belongs to.
    pub split: Option<Split>,
    /// What was odd.
    pub findings: Vec<Finding>,
    /// Why the header could not be read.
    pub broken: Option<String>,
}

impl PhotoFolder {
    /// Reads the header of a photo of this folder and what lies beside it.
    pub fn look(&self, photo: &Path) -> Looked {
        let name = photo.file_name().unwrap_or_default().to_string_lossy();
        let mut looked = Looked::default();
        let beside = beside::read(&self.path, &self.others, &name);
        looked.keywords = beside.keywords;
        looked.metadata = beside.metadata;
        let file = File::open(photo).map_err(|error| error.to_string());
        match file.and_then(|file| header::read(BufReader::with_capacity(32 << 10, file))) {
            Ok(header) => {
                looked.size = header.size();
                let mut embedded = embedded(photo, header, &mut looked.findings);
                if !looked.metadata.tags.is_empty() {
                    embedded.tags.clear();
                }
                looked.metadata.fill_from(embedded);
            }
            Err(what) => looked.broken = Some(what),
        }
        looked.findings.extend(beside.findings);
        looked.captions = beside.captions;
        looked.split = beside.split;
        looked
    }

    /// A number that changes when a file beside a photo comes, goes or is written: 0 if there is
    /// none.
    pub fn stamp(&self, photo: &Path) -> u64 {
        let name = photo.file_name().unwrap_or_default().to_string_lossy();
        let files = beside::files(&self.path, &self.others, &name);
        let mut hasher = FxHasher::default();
        for file in files.iter().flatten() {
            hasher.write(file.as_os_str().as_encoded_bytes());
            if let Ok(about) = std::fs::metadata(file) {
                hasher.write_u64(about.len());
                let since = about.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
                hasher.write_u128(since.unwrap_or_default().as_nanos());
            }
        }
        hasher.finish()
    }
}

/// The metadata inside a photo: XMP, then IPTC, then EXIF.
fn embedded(path: &Path, header: header::Header, findings: &mut Vec<Finding>) -> Metadata {
    let mut tell = |field: &str, what: String| {
        let place = Place::file(path).field(field);
        let what = format!("could not be read in full: {what}");
        findings.push(Finding { place, what, severity: Severity::Note });
    };
    let mut metadata = Metadata::default();
    if let Some(block) = header.xmp {
        let (found, trouble) = xmp::metadata(&String::from_utf8_lossy(&block));
        metadata.fill_from(found);
        if let Some(trouble) = trouble {
            tell("XMP", format!("{} at byte {} of it", trouble.what, trouble.byte));
        }
    }
    if let Some(block) = header.iptc {
        metadata.fill_from(iptc::metadata(&block));
    }
    let exif = match header.exif {
        Some(block) => Some(exif::metadata(block)),
        // A TIFF file is EXIF itself.
        None if header.is_tiff => Some(exif::metadata_of_file(path)),
        None => None,
    };
    match exif {
        Some(Ok(found)) => metadata.fill_from(found),
        Some(Err(what)) => tell("EXIF", what),
        None => {}
    }
    metadata
}
