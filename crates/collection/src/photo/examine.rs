//! Reading, hashing and decoding every picture on its way from a reader to a sink.

use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use image::{ImageReader, Limits};
use rayon::prelude::*;

use crate::format::ReadOptions;
use crate::photo::header;
use crate::{ContentHash, Finding, ImageSource, Item, Place, Record, Result, Severity, Sink};

/// The most pixels a picture may have before it is taken for a bomb: more than any camera makes.
pub const MOST_PIXELS: u64 = 256 << 20;

/// The most bytes a picture's file may have.
pub const MOST_BYTES: u64 = 1 << 30;

/// Pictures with more pixels than this are decoded one at a time, so that a many-core machine does
/// not hold dozens of panoramas at once.
const LARGE: u64 = 32 << 20;

/// What a finding about a picture that cannot be read or decoded begins with.
pub const BROKEN: &str = "broken picture: ";

/// Pictures that are examined together.
const BATCH: usize = 64;

/// Runs a reader; with [`ReadOptions::examine_images`], every picture that passes is examined
/// first, many at a time, and the order of the records stays as it was.
pub fn with(
    options: &ReadOptions,
    sink: &mut dyn Sink,
    read: impl FnOnce(&mut dyn Sink) -> Result<()>,
) -> Result<()> {
    if !options.examine_images {
        return read(sink);
    }
    let mut examining = Examining { sink, waiting: Vec::new(), pictures: 0 };
    let result = read(&mut examining);
    // What was read before an error is handed on.
    let rest = examining.flush();
    result?;
    match rest {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(crate::Error::Interrupted),
    }
}

struct Examining<'a> {
    sink: &'a mut dyn Sink,
    waiting: Vec<Record>,
    pictures: usize,
}

impl Examining<'_> {
    fn flush(&mut self) -> ControlFlow<()> {
        self.pictures = 0;
        let large = Mutex::new(());
        let examined: Vec<(Record, Option<Finding>)> = std::mem::take(&mut self.waiting)
            .into_par_iter()
            .map(|record| match record {
                Record::Item(mut item) => {
                    let finding = examine(&mut item, &large);
                    (Record::Item(item), finding)
                }
                other => (other, None),
            })
            .collect();
        for (record, finding) in examined {
            self.sink.take(record)?;
            if let Some(finding) = finding {
                self.sink.take(Record::Finding(finding))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Sink for Examining<'_> {
    fn take(&mut self, record: Record) -> ControlFlow<()> {
        if let Record::Item(item) = &record {
            self.pictures += usize::from(item.image != ImageSource::Absent);
        }
        // Without pictures nothing needs to wait.
        if self.waiting.is_empty() && self.pictures == 0 {
            return self.sink.take(record);
        }
        self.waiting.push(record);
        if self.pictures >= BATCH || self.waiting.len() >= BATCH * 64 {
            return self.flush();
        }
        ControlFlow::Continue(())
    }
}

/// Reads a picture, notes its hash and size, and tries to decode it.
fn examine(item: &mut Item, large: &Mutex<()>) -> Option<Finding> {
    let (place, bytes) = match &item.image {
        ImageSource::Absent => return None,
        ImageSource::File(path) => (Place::file(path), read_file(path)),
        ImageSource::Bytes(bytes) => {
            let place = Place::file(PathBuf::from(item.id.as_str()));
            (place, Ok(std::borrow::Cow::Borrowed(&bytes[..])))
        }
    };
    let what = match bytes {
        Ok(bytes) => {
            item.hash = Some(ContentHash::of(&bytes));
            match check(&bytes, large) {
                Ok(size) => {
                    item.size = Some(size);
                    return None;
                }
                Err(what) => what,
            }
        }
        Err(what) => what,
    };
    Some(Finding { place, what: format!("{BROKEN}{what}"), severity: Severity::Note })
}

fn read_file(
    path: &std::path::Path,
) -> std::result::Result<std::borrow::Cow<'static, [u8]>, String> {
    let size = std::fs::metadata(path).map_err(|error| error.to_string())?.len();
    if size > MOST_BYTES {
        return Err(format!("{size} bytes are more than the {MOST_BYTES} that are read"));
    }
    std::fs::read(path).map(Into::into).map_err(|error| error.to_string())
}

fn check(bytes: &[u8], large: &Mutex<()>) -> std::result::Result<crate::Size, String> {
    let header = header::read(Cursor::new(bytes))?;
    let size = header.size().ok_or("no size in the header")?;
    let pixels = u64::from(size.width) * u64::from(size.height);
    if pixels > MOST_PIXELS {
        return Err(format!(
            "{} x {} pixels are more than the {MOST_PIXELS} that are decoded",
            size.width, size.height
        ));
    }
    let _one_at_a_time = (pixels > LARGE).then(|| large.lock());
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| e.to_string())?;
    let mut limits = Limits::default();
    // Sixteen bits a channel, four channels, is the most that a decoder gives.
    limits.max_alloc = Some(pixels.saturating_mul(8) + (64 << 20));
    reader.limits(limits);
    reader.decode().map_err(|error| error.to_string())?;
    if is_cut(bytes) { Err(CUT.to_owned()) } else { Ok(size) }
}

/// What is said of a picture that [`is_cut`].
pub const CUT: &str = "the JPEG ends before its picture does";

/// What is said of a file without a byte.
pub const EMPTY: &str = "the file is empty";

/// Whether a file is a JPEG that ends before its picture does: the decoder fills what is missing with
/// grey and says nothing.
pub fn is_cut(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xd8") && !bytes.windows(2).rev().any(|two| two == [0xff, 0xd9])
}

#[cfg(test)]
mod tests {
    use image::ImageFormat;

    use super::*;
    use crate::Collection;

    fn encode(format: ImageFormat) -> Vec<u8> {
        let picture =
            image::RgbImage::from_fn(64, 48, |x, y| image::Rgb([x as u8 * 4, y as u8, 99]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn examine_all(pictures: Vec<Vec<u8>>) -> Collection {
        let options = ReadOptions { examine_images: true, ..ReadOptions::default() };
        let mut collection = Collection::new();
        with(&options, &mut collection, |sink| {
            for (at, bytes) in pictures.into_iter().enumerate() {
                let mut item = Item::new(format!("{at}"));
                item.image = ImageSource::Bytes(bytes.into());
                sink.put(Record::Item(Box::new(item)))?;
            }
            Ok(())
        })
        .unwrap();
        collection
    }

    #[test]
    fn good_pictures_are_hashed_and_measured_in_order() {
        let jpeg = encode(ImageFormat::Jpeg);
        let pictures = (0..150).map(|_| jpeg.clone()).collect();
        let collection = examine_all(pictures);
        assert!(collection.findings().is_empty());
        for (at, item) in collection.items().iter().enumerate() {
            assert_eq!(item.id.as_str(), at.to_string());
            assert_eq!(item.hash, Some(ContentHash::of(&jpeg)));
            assert_eq!(item.size.unwrap().width, 64);
        }
    }

    #[test]
    fn broken_ones_are_told_and_the_rest_goes_on() {
        let jpeg = encode(ImageFormat::Jpeg);
        let mut png = encode(ImageFormat::Png);
        png.truncate(png.len() / 2);
        let collection = examine_all(vec![
            jpeg[..jpeg.len() / 2].to_vec(),
            png,
            b"hello".to_vec(),
            Vec::new(),
            encode(ImageFormat::WebP),
        ]);
        assert_eq!(collection.findings().len(), 4, "{:?}", collection.findings());
        assert_eq!(collection.items()[4].size.unwrap().height, 48);
    }

    #[test]
    fn a_bomb_is_refused_before_decoding() {
        let mut png = encode(ImageFormat::Png);
        // Width and height stand in the first chunk, with its checksum after them.
        png[16..24].copy_from_slice(&[0, 1, 0, 0, 0, 1, 0, 0]);
        let mut crc = flate2::Crc::new();
        crc.update(&png[12..29]);
        let sum = crc.sum();
        png[29..33].copy_from_slice(&sum.to_be_bytes());
        let collection = examine_all(vec![png]);
        assert!(collection.findings()[0].what.contains("65536 x 65536 pixels"));
    }
}
