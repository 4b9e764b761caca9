//! What the first kilobytes of a picture say: its size, and the metadata blocks as bytes.
//!
//! JPEG is walked here, segment by segment up to the picture data, because its decoder reads the
//! whole file before it tells the size: a folder of photos would be read from end to end. The other
//! formats' decoders read headers only, and are asked.

use std::io::{BufRead, Seek};

use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};

use crate::Size;
use crate::photo::examine::EMPTY;
use crate::photo::exif;

/// The header of a picture.
#[derive(Debug, Default)]
pub(crate) struct Header {
    /// Pixels as stored, before orientation.
    pub(crate) stored: Option<Size>,
    /// Which way the picture is turned.
    pub(crate) orientation: Option<Orientation>,
    /// Whether it is a TIFF file, which is EXIF from end to end.
    pub(crate) is_tiff: bool,
    /// EXIF: a small TIFF file.
    pub(crate) exif: Option<Vec<u8>>,
    /// XMP: an XML document.
    pub(crate) xmp: Option<Vec<u8>>,
    /// IPTC: Photoshop's resources, of which one is the IIM record.
    pub(crate) iptc: Option<Vec<u8>>,
}

impl Header {
    /// The size as the picture is meant to be seen.
    pub(crate) fn size(&self) -> Option<Size> {
        let stored = self.stored?;
        Some(match self.orientation {
            Some(
                Orientation::Rotate90
                | Orientation::Rotate270
                | Orientation::Rotate90FlipH
                | Orientation::Rotate270FlipH,
            ) => Size { width: stored.height, height: stored.width },
            _ => stored,
        })
    }
}

/// Reads the header of a picture, whatever its name ends in.
pub(crate) fn read<R: BufRead + Seek>(mut source: R) -> Result<Header, String> {
    let head = source.fill_buf().map_err(|error| error.to_string())?;
    if head.is_empty() {
        return Err(EMPTY.to_owned());
    }
    let mut header =
        if head.starts_with(b"\xff\xd8") { read_jpeg(&mut source)? } else { read_other(source)? };
    // Some programs put JPEG's label before the block in WebP files too.
    if let Some(block) = header.exif.take_if(|block| block.starts_with(EXIF)) {
        header.exif = Some(block[EXIF.len()..].to_vec());
    }
    if let Some(orientation) = header.exif.as_deref().and_then(exif::orientation) {
        header.orientation = Some(orientation);
    }
    Ok(header)
}

fn read_other<R: BufRead + Seek>(source: R) -> Result<Header, String> {
    let reader = ImageReader::new(source).with_guessed_format().map_err(|e| e.to_string())?;
    let format = reader.format().ok_or("not a picture of a known kind")?;
    let mut decoder = reader.into_decoder().map_err(|error| error.to_string())?;
    let (width, height) = decoder.dimensions();
    let is_tiff = format == ImageFormat::Tiff;
    Ok(Header {
        stored: Some(Size { width, height }),
        // For the others it comes from EXIF.
        orientation: if is_tiff { decoder.orientation().ok() } else { None },
        is_tiff,
        exif: decoder.exif_metadata().ok().flatten(),
        xmp: decoder.xmp_metadata().ok().flatten(),
        iptc: decoder.iptc_metadata().ok().flatten(),
    })
}

const EXIF: &[u8] = b"Exif\0\0";
const XMP: &[u8] = b"http://ns.adobe.com/xap/1.0/\0";
const PHOTOSHOP: &[u8] = b"Photoshop 3.0\0";

/// No honest file has more segments before its picture data.
const MOST_SEGMENTS: usize = 4096;

/// Walks the segments of a JPEG up to the picture data.
fn read_jpeg<R: BufRead + Seek>(source: &mut R) -> Result<Header, String> {
    let cut = |_| "the JPEG header is cut short".to_owned();
    let mut header = Header::default();
    let mut two = [0; 2];
    source.read_exact(&mut two).map_err(cut)?;
    for _ in 0..MOST_SEGMENTS {
        source.read_exact(&mut two).map_err(cut)?;
        if two[0] != 0xff {
            return Err("a JPEG marker is missing where one must be".to_owned());
        }
        // Any number of 0xff may stand before a marker.
        while two[1] == 0xff {
            source.read_exact(&mut two[1..]).map_err(cut)?;
        }
        match two[1] {
            0x01 | 0xd0..=0xd7 => continue,
            0xd9 | 0xda => return Ok(header),
            _ => {}
        }
        let marker = two[1];
        source.read_exact(&mut two).map_err(cut)?;
        let Some(length) = u16::from_be_bytes(two).checked_sub(2) else {
            return Err("a JPEG segment has an impossible length".to_owned());
        };
        let frame = matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if !frame && !matches!(marker, 0xe1 | 0xed) {
            source.seek_relative(i64::from(length)).map_err(cut)?;
            continue;
        }
        let mut content = vec![0; usize::from(length)];
        source.read_exact(&mut content).map_err(cut)?;
        match (marker, content.as_slice()) {
            (0xe1, content) if content.starts_with(EXIF) => {
                header.exif.get_or_insert_with(|| content[EXIF.len()..].to_vec());
            }
            (0xe1, content) if content.starts_with(XMP) => {
                header.xmp.get_or_insert_with(|| content[XMP.len()..].to_vec());
            }
            // Long resources go on in the next segment.
            (0xed, content) if content.starts_with(PHOTOSHOP) => {
                header.iptc.get_or_insert_default().extend(&content[PHOTOSHOP.len()..]);
            }
            (0xc0..=0xcf, [_, h1, h2, w1, w2, ..]) => {
                let width = u32::from(u16::from_be_bytes([*w1, *w2]));
                let height = u32::from(u16::from_be_bytes([*h1, *h2]));
                if width == 0 || height == 0 {
                    return Err("the JPEG header gives no size".to_owned());
                }
                header.stored = Some(Size { width, height });
            }
            _ => {}
        }
    }
    Err(format!("more than {MOST_SEGMENTS} JPEG segments before the picture"))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    pub(crate) fn encode(format: ImageFormat) -> Vec<u8> {
        let picture = image::RgbImage::from_pixel(30, 20, image::Rgb([9, 90, 200]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn sizes_of_all_kinds() {
        for format in [
            ImageFormat::Jpeg,
            ImageFormat::Png,
            ImageFormat::WebP,
            ImageFormat::Gif,
            ImageFormat::Bmp,
            ImageFormat::Tiff,
        ] {
            let header = read(Cursor::new(encode(format))).unwrap();
            assert_eq!(header.size(), Some(Size { width: 30, height: 20 }), "{format:?}");
        }
    }

    #[test]
    fn a_turned_picture_is_measured_as_it_is_seen() {
        let mut jpeg = encode(ImageFormat::Jpeg);
        let tiff = b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let mut segment = vec![0xff, 0xe1];
        segment.extend(((2 + EXIF.len() + tiff.len()) as u16).to_be_bytes());
        segment.extend(EXIF);
        segment.extend(tiff);
        jpeg.splice(2..2, segment);
        let header = read(Cursor::new(&jpeg)).unwrap();
        assert_eq!(header.size(), Some(Size { width: 20, height: 30 }));
        assert_eq!(header.stored, Some(Size { width: 30, height: 20 }));
    }

    #[test]
    fn nonsense_is_refused_in_words() {
        for (bytes, what) in [
            (&b""[..], "empty"),
            (b"\xff\xd8", "cut short"),
            (b"\xff\xd8\xff\xe0\0\x01", "impossible"),
            (b"\xff\xd8abc", "marker"),
            (b"hello", "known kind"),
        ] {
            let error = read(Cursor::new(bytes)).unwrap_err();
            assert!(error.contains(what), "{error}");
        }
    }
}
