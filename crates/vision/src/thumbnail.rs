//! Small copies of pictures, for pages that must not need the photos beside them.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use rebus_collection::Item;

use crate::{Error, Picture, Result, picture};

/// How much of the quality is kept; JPEG's own scale.
const QUALITY: u8 = 80;

/// A JPEG of an item's picture, its longer side at most `side` pixels.
///
/// # Errors
/// If the picture is not at hand or cannot be decoded.
pub fn thumbnail(item: &Item, side: u32) -> Result<Vec<u8>> {
    let (bytes, name) = picture::bytes(item)?;
    small_copy(&picture::decode(&bytes, &name)?, side, &name)
}

/// A JPEG of a picture, its longer side at most `side` pixels: nothing but pixels, no metadata.
/// `name` is for errors.
///
/// # Errors
/// If it cannot be encoded.
pub fn small_copy(whole: &Picture, side: u32, name: &str) -> Result<Vec<u8>> {
    let longer = whole.width().max(whole.height()).max(1);
    let shown = f64::from(side.clamp(1, longer)) / f64::from(longer);
    let small = |length: u32| ((f64::from(length) * shown).round() as u32).max(1);
    let picture = image::imageops::thumbnail(whole, small(whole.width()), small(whole.height()));
    let mut jpeg = Cursor::new(Vec::new());
    picture
        .write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, QUALITY))
        .map_err(|error| Error::Undecodable { name: name.into(), what: error.to_string() })?;
    Ok(jpeg.into_inner())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rebus_collection::ImageSource;

    use super::*;

    #[test]
    fn the_longer_side_fits_and_small_pictures_stay() {
        let sized = |width, height| {
            let mut bytes = Cursor::new(Vec::new());
            let picture = Picture::from_pixel(width, height, image::Rgb([200, 30, 30]));
            picture.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
            let mut item = Item::new("a.png");
            item.image = ImageSource::Bytes(Arc::from(bytes.into_inner()));
            let small = picture::decode(&thumbnail(&item, 100).unwrap(), "small").unwrap();
            small.dimensions()
        };
        assert_eq!(sized(400, 200), (100, 50));
        assert_eq!(sized(3, 2000), (1, 100));
        assert_eq!(sized(30, 20), (30, 20));
        assert!(thumbnail(&Item::new("gone.png"), 100).is_err());
    }
}
