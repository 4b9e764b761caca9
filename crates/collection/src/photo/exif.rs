//! EXIF: what the camera wrote.

use std::path::Path;

use image::metadata::Orientation;
use nom_exif::{EntryValue, Exif, ExifDateTime, ExifTag, IfdIndex, MediaParser, MediaSource};

use crate::{Coordinates, Metadata, dates};

/// The orientation in an EXIF block.
pub(crate) fn orientation(block: &[u8]) -> Option<Orientation> {
    Orientation::from_exif_chunk(block)
}

/// The metadata in an EXIF block (a small TIFF file).
pub(crate) fn metadata(block: Vec<u8>) -> Result<Metadata, String> {
    let source = MediaSource::from_memory(block).map_err(|error| error.to_string())?;
    let entries = MediaParser::new().parse_exif(source).map_err(|error| error.to_string())?;
    Ok(of(&Exif::from(entries)))
}

/// The metadata of a TIFF file.
pub(crate) fn metadata_of_file(path: &Path) -> Result<Metadata, String> {
    let source = MediaSource::open(path).map_err(|error| error.to_string())?;
    let entries = MediaParser::new().parse_exif(source).map_err(|error| error.to_string())?;
    Ok(of(&Exif::from(entries)))
}

fn of(exif: &Exif) -> Metadata {
    let text = |tag| exif.get(tag).and_then(EntryValue::as_str).and_then(clean);
    Metadata {
        title: windows_text(exif, 0x9c9b),
        tags: windows_text(exif, 0x9c9e)
            .map(|tags| tags.split(';').filter_map(clean).collect())
            .unwrap_or_default(),
        description: text(ExifTag::ImageDescription)
            .filter(|text| !is_camera_filler(text))
            .or_else(|| windows_text(exif, 0x9c9c)),
        // The last is when the file was changed: better than nothing, where no camera wrote a date.
        date: [ExifTag::DateTimeOriginal, ExifTag::CreateDate, ExifTag::ModifyDate]
            .into_iter()
            .find_map(|tag| exif.get(tag).and_then(date)),
        place: None,
        coordinates: coordinates(exif),
        camera: camera(text(ExifTag::Make), text(ExifTag::Model)),
        author: artist(exif).or_else(|| windows_text(exif, 0x9c9d)),
        licence: text(ExifTag::Copyright),
    }
}

/// A text without padding, if anything is left of it.
pub(crate) fn clean(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// Make and model as one name; many models carry the make already.
pub(crate) fn camera(make: Option<String>, model: Option<String>) -> Option<String> {
    match (make, model) {
        (Some(make), Some(model)) => {
            let first = make.split_whitespace().next().unwrap_or_default().to_lowercase();
            let carries = model.to_lowercase().starts_with(&first);
            Some(if carries { model } else { format!("{make} {model}") })
        }
        (make, model) => model.or(make),
    }
}

/// Some cameras write their own name into the description of every photo.
fn is_camera_filler(text: &str) -> bool {
    const FILLERS: &[&str] = &["OLYMPUS DIGITAL CAMERA", "SONY DSC", "DCIM", "DIGITAL CAMERA"];
    FILLERS.iter().any(|filler| text.eq_ignore_ascii_case(filler))
}

fn date(value: &EntryValue) -> Option<String> {
    match value.as_datetime() {
        Some(ExifDateTime::Aware(time)) => dates::normalise(&time.to_rfc3339()),
        Some(ExifDateTime::Naive(time)) => dates::normalise(&time.to_string()),
        None => value.as_str().and_then(dates::normalise),
    }
}

fn coordinates(exif: &Exif) -> Option<Coordinates> {
    let gps = exif.gps_info()?;
    Coordinates::known(gps.latitude_decimal()?, gps.longitude_decimal()?)
}

fn artist(exif: &Exif) -> Option<String> {
    const ARTIST: u16 = 0x013b;
    exif.get_by_code(IfdIndex::MAIN, ARTIST).and_then(EntryValue::as_str).and_then(clean)
}

/// The fields that Windows adds: UTF-16 in bytes.
fn windows_text(exif: &Exif, code: u16) -> Option<String> {
    let value = exif.get_by_code(IfdIndex::MAIN, code)?;
    let bytes = value.as_u8_slice().or_else(|| value.as_undefined())?;
    let (text, _) = encoding_rs::UTF_16LE.decode_without_bom_handling(bytes);
    clean(&text)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A little-endian TIFF block: the entries of the main directory, then those of the EXIF and
    /// GPS directories; an entry is its tag, type, count and value.
    pub(crate) fn block(
        main: &[(u16, u16, u32, &[u8])],
        exif: &[(u16, u16, u32, &[u8])],
        gps: &[(u16, u16, u32, &[u8])],
    ) -> Vec<u8> {
        let size = |count: usize| 2 + 12 * count + 4;
        let main_count = main.len() + 2;
        let exif_at = 8 + size(main_count);
        let gps_at = exif_at + size(exif.len());
        let mut values_at = gps_at + size(gps.len());
        let mut values: Vec<u8> = Vec::new();
        let mut block = b"II*\0\x08\0\0\0".to_vec();
        let pointers = [(0x8769, exif_at as u32), (0x8825, gps_at as u32)]
            .map(|(tag, at)| (tag, at.to_le_bytes()));
        let pointers = pointers.each_ref().map(|(tag, at)| (*tag, 4_u16, 1_u32, &at[..]));
        let mut main: Vec<_> = main.iter().copied().chain(pointers).collect();
        main.sort_by_key(|entry| entry.0);
        for directory in [&main[..], exif, gps] {
            block.extend((directory.len() as u16).to_le_bytes());
            for (tag, kind, count, value) in directory {
                block.extend(tag.to_le_bytes());
                block.extend(kind.to_le_bytes());
                block.extend(count.to_le_bytes());
                if value.len() <= 4 {
                    block.extend(value.iter().copied().chain([0; 4]).take(4));
                } else {
                    block.extend((values_at as u32).to_le_bytes());
                    values.extend(*value);
                    values_at += value.len();
                }
            }
            block.extend([0; 4]);
        }
        block.extend(values);
        block
    }

    fn rationals(values: [u32; 3]) -> Vec<u8> {
        values.iter().flat_map(|value| [*value, 1]).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn what_the_camera_wrote() {
        let keywords: Vec<u8> =
            "sea;caf\u{e9}\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let (north, east) = (rationals([47, 30, 0]), rationals([9, 15, 0]));
        let block = block(
            &[
                (0x010e, 2, 6, b"Boats\0"),
                (0x010f, 2, 6, b"NIKON\0"),
                (0x0110, 2, 4, b"D70\0"),
                (0x0112, 3, 1, b"\x06\0"),
                (0x013b, 2, 4, b"Ann\0"),
                (0x8298, 2, 8, b"(c) Ann\0"),
                (0x9c9e, 1, keywords.len() as u32, &keywords),
            ],
            &[(0x9003, 2, 20, b"2019:02:03 10:11:12\0"), (0x9011, 2, 7, b"+01:00\0")],
            &[(1, 2, 2, b"N\0"), (2, 5, 3, &north), (3, 2, 2, b"W\0"), (4, 5, 3, &east)],
        );
        assert_eq!(orientation(&block), Some(Orientation::Rotate90));
        let metadata = metadata(block).unwrap();
        assert_eq!(metadata.description.as_deref(), Some("Boats"));
        assert_eq!(metadata.camera.as_deref(), Some("NIKON D70"));
        assert_eq!(metadata.author.as_deref(), Some("Ann"));
        assert_eq!(metadata.licence.as_deref(), Some("(c) Ann"));
        assert_eq!(metadata.tags, ["sea", "caf\u{e9}"]);
        assert_eq!(metadata.date.as_deref(), Some("2019-02-03T10:11:12+01:00"));
        let place = metadata.coordinates.unwrap();
        assert_eq!((place.latitude, place.longitude), (47.5, -9.25));
    }

    #[test]
    fn nonsense_is_an_error_and_no_panic() {
        let whole =
            block(&[(0x010e, 2, 6, b"Boats\0")], &[(0x9003, 2, 20, b"2019:02:03 10:11:12\0")], &[]);
        for end in 0..whole.len() {
            let _ = metadata(whole[..end].to_vec());
            let _ = orientation(&whole[..end]);
        }
        for at in 0..whole.len() {
            let mut spoilt = whole.clone();
            spoilt[at] ^= 0xff;
            let _ = metadata(spoilt);
        }
        assert!(metadata(b"hello".to_vec()).is_err());
    }

    #[test]
    fn cameras_are_named_once() {
        let name = |make: &str, model: &str| camera(clean(make), clean(model)).unwrap();
        assert_eq!(name("Canon", "Canon EOS 5D"), "Canon EOS 5D");
        assert_eq!(name("NIKON CORPORATION", "NIKON D70"), "NIKON D70");
        assert_eq!(name("Apple", "iPhone 12"), "Apple iPhone 12");
        assert_eq!(name("", "X100"), "X100");
    }
}
