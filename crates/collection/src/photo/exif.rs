//! EXIF: what the camera wrote.

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
    let exif = Exif::from(entries);
    let text = |tag| exif.get(tag).and_then(EntryValue::as_str).and_then(clean);
    Ok(Metadata {
        title: windows_text(&exif, 0x9c9b),
        tags: windows_text(&exif, 0x9c9e)
            .map(|tags| tags.split(';').filter_map(clean).collect())
            .unwrap_or_default(),
        description: text(ExifTag::ImageDescription)
            .filter(|text| !is_camera_filler(text))
            .or_else(|| windows_text(&exif, 0x9c9c)),
        date: [ExifTag::DateTimeOriginal, ExifTag::CreateDate]
            .into_iter()
            .find_map(|tag| exif.get(tag).and_then(date)),
        place: None,
        coordinates: coordinates(&exif),
        camera: camera(text(ExifTag::Make), text(ExifTag::Model)),
        author: artist(&exif).or_else(|| windows_text(&exif, 0x9c9d)),
        licence: text(ExifTag::Copyright),
    })
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
    let (latitude, longitude) = (gps.latitude_decimal()?, gps.longitude_decimal()?);
    // 0, 0 is what receivers write that have not found themselves yet.
    let known = latitude != 0.0 || longitude != 0.0;
    let on_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
    (known && on_globe).then_some(Coordinates { latitude, longitude })
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
