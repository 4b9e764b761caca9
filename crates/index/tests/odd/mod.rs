//! Odd pictures, written by hand where no encoder writes them.

use std::io::{Cursor, Write};

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, ImageBuffer, ImageFormat, Luma, Rgb, RgbImage};

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is indexed.
    Good,
    /// It is named among the failures.
    Bad,
    /// It is no photo, and nobody speaks of it.
    Ignored,
}
use Fate::{Bad, Good, Ignored};

fn scene() -> RgbImage {
    RgbImage::from_fn(48, 32, |x, y| Rgb([x as u8 * 5, y as u8 * 7, (x * y) as u8]))
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn plain(format: ImageFormat) -> Vec<u8> {
    encoded(&scene().into(), format)
}

fn half(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len() / 2].to_vec()
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut chunk = (content.len() as u32).to_be_bytes().to_vec();
    let body = [&kind[..], content].concat();
    let mut crc = flate2::Crc::new();
    crc.update(&body);
    chunk.extend(body);
    chunk.extend(crc.sum().to_be_bytes());
    chunk
}

/// A PNG: width, height, bits, kind of colour, interlacing, further chunks, rows before packing.
fn png(
    size: (u32, u32),
    bits: u8,
    colour: u8,
    interlaced: u8,
    more: &[u8],
    rows: &[u8],
) -> Vec<u8> {
    let mut header = [size.0.to_be_bytes(), size.1.to_be_bytes()].concat();
    header.extend([bits, colour, 0, 0, interlaced]);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    packed.write_all(rows).unwrap();
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        more.to_vec(),
        chunk(b"IDAT", &packed.finish().unwrap()),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// Two by two pixels of grey in Adam7's passes: the first pixel, the second, then the second row.
fn interlaced_png() -> Vec<u8> {
    png((2, 2), 8, 0, 1, &[], &[0, 10, 0, 90, 0, 160, 250])
}

fn palette_png() -> Vec<u8> {
    let colours = chunk(b"PLTE", &[255, 0, 0, 0, 0, 255]);
    let clear = chunk(b"tRNS", &[255, 0]);
    png((8, 2), 1, 3, 0, &[colours, clear].concat(), &[0, 0b1010_1010, 0, 0b0101_0101])
}

fn sixteen_bit_png() -> Vec<u8> {
    let picture: ImageBuffer<Luma<u16>, Vec<u16>> =
        ImageBuffer::from_fn(20, 10, |x, y| Luma([(x * 3000 + y * 77) as u16]));
    encoded(&picture.into(), ImageFormat::Png)
}

fn animated_gif() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::gif::GifEncoder::new(&mut bytes);
    for k in 0..3u8 {
        let frame = image::RgbaImage::from_pixel(16, 16, image::Rgba([k * 80, 20, 200, 255]));
        encoder.encode_frame(image::Frame::new(frame)).unwrap();
    }
    drop(encoder);
    bytes
}

/// A JPEG of 8 x 8 pixels in so many components, all coefficients 0, or a header that claims more.
fn jpeg(width: u16, height: u16, components: u8) -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8];
    let mut segment = |marker: u8, content: &[u8]| {
        bytes.extend([0xff, marker]);
        bytes.extend((content.len() as u16 + 2).to_be_bytes());
        bytes.extend(content);
    };
    if components == 4 {
        // Adobe's mark: CMYK, not transformed.
        segment(0xee, b"Adobe\0\x64\0\0\0\0\0");
    }
    segment(0xdb, &[&[0u8][..], &[1; 64]].concat());
    let [[h0, h1], [w0, w1]] = [height.to_be_bytes(), width.to_be_bytes()];
    let mut frame = vec![8, h0, h1, w0, w1, components];
    (1..=components).for_each(|c| frame.extend([c, 0x11, 0]));
    segment(0xc0, &frame);
    for class in [0x00, 0x10] {
        // One code of one bit, for the value 0.
        let mut table = vec![class, 1];
        table.extend([0; 15]);
        table.push(0);
        segment(0xc4, &table);
    }
    let mut scan = vec![components];
    (1..=components).for_each(|c| scan.extend([c, 0]));
    scan.extend([0, 63, 0]);
    segment(0xda, &scan);
    bytes.extend([0x00, 0xff, 0xd9]);
    bytes
}

/// A BMP of two by two pixels; a negative height means that the first row is on top.
fn bmp(height: i32) -> Vec<u8> {
    let rows = [[10u8, 20, 30, 40, 50, 60, 0, 0], [70, 80, 90, 100, 110, 120, 0, 0]].concat();
    let mut bytes = b"BM".to_vec();
    bytes.extend((54 + rows.len() as u32).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(54u32.to_le_bytes());
    bytes.extend(40u32.to_le_bytes());
    bytes.extend(2i32.to_le_bytes());
    bytes.extend(height.to_le_bytes());
    bytes.extend([1, 0, 24, 0]);
    bytes.extend([0; 24]);
    bytes.extend(rows);
    bytes
}

fn with_segment(marker: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = plain(ImageFormat::Jpeg);
    let length = (content.len() as u16 + 2).to_be_bytes();
    let segment = [&[0xff, marker][..], &length, content].concat();
    bytes.splice(2..2, segment);
    bytes
}

/// Files with their names and what becomes of them.
pub fn files() -> Vec<(&'static str, Vec<u8>, Fate)> {
    let mut bad_sum = plain(ImageFormat::Png);
    let at = bad_sum.windows(4).position(|four| four == b"IDAT").unwrap() + 10;
    bad_sum[at] ^= 0x55;
    let mut no_pixels = animated_gif();
    no_pixels[6..10].copy_from_slice(&[0; 4]);
    let long = DynamicImage::from(RgbImage::from_pixel(1, 20_000, Rgb([3, 200, 9])));
    vec![
        ("01-plain.jpg", plain(ImageFormat::Jpeg), Good),
        ("02-truncated.jpg", half(&plain(ImageFormat::Jpeg)), Bad),
        ("03-empty.jpg", Vec::new(), Bad),
        ("04-text.jpg", b"not a picture at all".to_vec(), Bad),
        ("05-png-inside.jpg", plain(ImageFormat::Png), Good),
        ("06-bomb.png", png((65_500, 65_500), 8, 2, 0, &[], &[0; 64]), Bad),
        ("07-bomb.jpg", jpeg(65_500, 65_500, 3), Bad),
        ("08-only-the-beginning.jpg", b"\xff\xd8".to_vec(), Bad),
        ("09-animated.gif", animated_gif(), Good),
        ("10-truncated.gif", half(&plain(ImageFormat::Gif)), Bad),
        ("11-no-pixels.gif", no_pixels, Bad),
        ("12-plain.webp", plain(ImageFormat::WebP), Good),
        ("13-truncated.webp", half(&plain(ImageFormat::WebP)), Bad),
        ("14-sixteen-bit.png", sixteen_bit_png(), Good),
        ("15-interlaced.png", interlaced_png(), Good),
        ("16-palette-transparent.png", palette_png(), Good),
        ("17-bad-checksum.png", bad_sum, Bad),
        ("18-truncated.png", half(&plain(ImageFormat::Png)), Bad),
        ("19-plain.tiff", plain(ImageFormat::Tiff), Good),
        ("20-truncated.tif", half(&plain(ImageFormat::Tiff)), Bad),
        ("21-bottom-up.bmp", bmp(2), Good),
        ("22-top-down.bmp", bmp(-2), Good),
        ("23-truncated.bmp", half(&plain(ImageFormat::Bmp)), Bad),
        ("24-cmyk.jpg", jpeg(8, 8, 4), Good),
        ("25-one-pixel.png", png((1, 1), 8, 0, 0, &[], &[0, 99]), Good),
        ("26-grey.jpg", jpeg(8, 8, 1), Good),
        ("27-one-across.png", encoded(&long, ImageFormat::Png), Good),
        ("28-garbage-behind.jpg", [plain(ImageFormat::Jpeg), vec![7; 5000]].concat(), Good),
        ("29-broken-exif.jpg", with_segment(0xe1, b"Exif\0\0II*\0\xff\xff\xff\xff nonsense"), Good),
        ("30-broken-xmp.jpg", with_segment(0xe1, b"http://ns.adobe.com/xap/1.0/\0<x><y>"), Good),
        ("31-archive.png", b"PK\x03\x04 some archive".to_vec(), Bad),
        ("32-no-ending", plain(ImageFormat::Jpeg), Ignored),
        (".33-hidden.jpg", plain(ImageFormat::Jpeg), Ignored),
        ("34-not-yet.heic", b"\0\0\0\x18ftypheic".to_vec(), Ignored),
    ]
}
