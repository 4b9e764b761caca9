//! IPTC: what agencies and old photo programs wrote (the Information Interchange Model, version 4).
//!
//! In a JPEG the records lie in one of Photoshop's resources. Each is 0x1c, the number of the record
//! and of the data set, two bytes of length, the value.

use crate::{Metadata, dates};

/// The resource that holds the records.
const IIM: u16 = 0x0404;

/// The metadata in Photoshop's resources, or in bare records (as PNG and TIFF hold them).
pub(crate) fn metadata(block: &[u8]) -> Metadata {
    let records = if block.first() == Some(&0x1c) { Some(block) } else { resource(block, IIM) };
    records.map(read_records).unwrap_or_default()
}

/// The content of one of Photoshop's resources: `8BIM`, its number, a name padded to even length,
/// four bytes of length, the content padded to even length.
fn resource(mut block: &[u8], wanted: u16) -> Option<&[u8]> {
    loop {
        let rest = block.strip_prefix(b"8BIM")?;
        let (number, rest) = rest.split_first_chunk::<2>()?;
        let name = usize::from(*rest.first()?) + 1;
        let rest = rest.get(name + name % 2..)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let length = u32::from_be_bytes(*length) as usize;
        // A resource that is cut short still has its first records.
        let content = rest.get(..length).unwrap_or(rest);
        if u16::from_be_bytes(*number) == wanted {
            return Some(content);
        }
        block = rest.get(length + length % 2..)?;
    }
}

/// The data sets of a block of records, until one makes no sense.
fn records(mut block: &[u8]) -> impl Iterator<Item = ((u8, u8), &[u8])> {
    std::iter::from_fn(move || {
        let [0x1c, record, data_set, high, low, rest @ ..] = block else { return None };
        let length = u16::from_be_bytes([*high, *low]);
        // Values beyond 32 KB have their length's length here: no text of ours is as long.
        let value = rest.get(..usize::from(length)).filter(|_| length < 0x8000)?;
        block = &rest[value.len()..];
        Some(((*record, *data_set), value))
    })
}

fn read_records(block: &[u8]) -> Metadata {
    let mut metadata = Metadata::default();
    let (mut day, mut time) = (None, None);
    let mut place: [Option<String>; 4] = Default::default();
    for (which, value) in records(block) {
        let Some(text) = text(value) else { continue };
        let first = |field: &mut Option<String>, text: String| {
            field.get_or_insert(text);
        };
        match which {
            (2, 5) => first(&mut metadata.title, text),
            (2, 25) if !metadata.tags.contains(&text) => metadata.tags.push(text),
            (2, 55) => first(&mut day, text),
            (2, 60) => first(&mut time, text),
            (2, 80) => first(&mut metadata.author, text),
            (2, 92) => first(&mut place[0], text),
            (2, 90) => first(&mut place[1], text),
            (2, 95) => first(&mut place[2], text),
            (2, 101) => first(&mut place[3], text),
            (2, 116) => first(&mut metadata.licence, text),
            (2, 120) => first(&mut metadata.description, text),
            _ => {}
        }
    }
    metadata.date = day.and_then(|day| dates::normalise(&(day + &time.unwrap_or_default())));
    let place: Vec<String> = place.into_iter().flatten().collect();
    metadata.place = (!place.is_empty()).then(|| place.join(", "));
    metadata
}

/// A value as text. The record that names its encoding is often wrong, while text that happens to
/// be UTF-8 without being meant so hardly exists: so the bytes decide.
fn text(value: &[u8]) -> Option<String> {
    let text = match std::str::from_utf8(value) {
        Ok(text) => text.into(),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(value).0,
    };
    super::exif::clean(&text)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Photoshop's resources with these records.
    pub(crate) fn block(records: &[((u8, u8), &[u8])]) -> Vec<u8> {
        let mut iim = Vec::new();
        for ((record, data_set), value) in records {
            iim.extend([0x1c, *record, *data_set]);
            iim.extend((value.len() as u16).to_be_bytes());
            iim.extend(*value);
        }
        let mut block = b"8BIM\x04\x25\x03abc\0\0\0\x03xyz\0".to_vec();
        block.extend(b"8BIM\x04\x04\0\0");
        block.extend((iim.len() as u32).to_be_bytes());
        block.extend(iim);
        block
    }

    #[test]
    fn records_become_metadata() {
        let block = block(&[
            ((1, 90), b"\x1b%G"),
            ((2, 5), b"Harbour"),
            ((2, 25), b"sea"),
            ((2, 25), "caf\u{e9}".as_bytes()),
            ((2, 25), b"caf\xe9"),
            ((2, 55), b"20190203"),
            ((2, 60), b"101112+0100"),
            ((2, 80), b"Ann"),
            ((2, 90), b"Lund"),
            ((2, 101), b"Sweden"),
            ((2, 116), b"(c) Ann"),
            ((2, 120), b" Boats. "),
        ]);
        let metadata = metadata(&block);
        assert_eq!(metadata.title.as_deref(), Some("Harbour"));
        assert_eq!(metadata.tags, ["sea", "caf\u{e9}"]);
        assert_eq!(metadata.date.as_deref(), Some("2019-02-03T10:11:12+01:00"));
        assert_eq!(metadata.author.as_deref(), Some("Ann"));
        assert_eq!(metadata.place.as_deref(), Some("Lund, Sweden"));
        assert_eq!(metadata.licence.as_deref(), Some("(c) Ann"));
        assert_eq!(metadata.description.as_deref(), Some("Boats."));
    }

    #[test]
    fn cut_anywhere_it_gives_what_it_has() {
        let block = block(&[((2, 5), b"Harbour"), ((2, 25), b"sea")]);
        for end in 0..block.len() {
            let _ = metadata(&block[..end]);
        }
        assert_eq!(metadata(&block[..block.len() - 1]).title.as_deref(), Some("Harbour"));
    }
}
