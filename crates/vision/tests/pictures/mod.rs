//! Pictures of every kind that people have, as files.

use std::io::Cursor;

use image::{
    DynamicImage, GrayAlphaImage, GrayImage, ImageBuffer, ImageFormat, Luma, LumaA, Rgb, RgbImage,
    Rgba, RgbaImage,
};

/// The bytes of a file with the picture.
pub fn encoded(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Grey, deep, see-through, tiny, long, for print, turned: a name and the file's bytes.
pub fn of_every_kind() -> Vec<(&'static str, Vec<u8>)> {
    let grey = GrayImage::from_fn(60, 40, |x, y| Luma([(x * 3 + y) as u8]));
    let deep: ImageBuffer<Rgb<u16>, Vec<u16>> =
        ImageBuffer::from_fn(50, 70, |x, y| Rgb([x as u16 * 1000, y as u16 * 900, 5000]));
    let deep_grey: ImageBuffer<Luma<u16>, Vec<u16>> =
        ImageBuffer::from_fn(30, 30, |x, y| Luma([x as u16 * 1000 + y as u16]));
    let clear = RgbaImage::from_fn(64, 64, |x, y| Rgba([x as u8, y as u8, 9, (x * 4) as u8]));
    let clear_grey = GrayAlphaImage::from_fn(20, 30, |x, y| LumaA([x as u8 * 9, y as u8 * 8]));
    vec![
        ("grey.png", encoded(grey.clone(), ImageFormat::Png)),
        ("grey.jpg", encoded(grey, ImageFormat::Jpeg)),
        ("deep.png", encoded(deep, ImageFormat::Png)),
        ("deep-grey.png", encoded(deep_grey, ImageFormat::Png)),
        ("clear.png", encoded(clear, ImageFormat::Png)),
        ("clear-grey.png", encoded(clear_grey, ImageFormat::Png)),
        ("one.png", encoded(RgbImage::new(1, 1), ImageFormat::Png)),
        ("one.jpg", encoded(RgbImage::new(1, 1), ImageFormat::Jpeg)),
        ("long.png", encoded(RgbImage::new(20_000, 3), ImageFormat::Png)),
        ("tall.png", encoded(RgbImage::new(2, 20_000), ImageFormat::Png)),
        ("cmyk.jpg", include_bytes!("cmyk.jpg").to_vec()),
        ("rotated.jpg", include_bytes!("rotated.jpg").to_vec()),
    ]
}
