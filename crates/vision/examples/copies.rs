//! Writes copies of photos as they get about: half the size, or cut at the edges by a twentieth, and
//! compressed again; to see what `rebus duplicates` finds.
//!
//! `cargo run --release -p rebus-vision --example copies -- PHOTOS COPIES`

use std::error::Error;
use std::fs;
use std::path::Path;

use image::codecs::jpeg::JpegEncoder;
use image::imageops;
use rebus_vision::{Picture, open};

fn write(picture: &Picture, path: &Path, quality: u8) -> Result<(), Box<dyn Error>> {
    let mut jpeg = Vec::new();
    picture.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality))?;
    Ok(fs::write(path, jpeg)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = arguments.as_slice() else {
        return Err("name the folder of the photos and that of the copies".into());
    };
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
        let photo = open(&path)?;
        let (width, height) = photo.dimensions();
        let half = imageops::thumbnail(&photo, width.div_ceil(2), height.div_ceil(2));
        write(&half, &Path::new(to).join(format!("{name}-half.jpg")), 40)?;
        let (left, top) = (width / 40, height / 40);
        let cut = imageops::crop_imm(&photo, left, top, width - 2 * left, height - 2 * top);
        write(&cut.to_image(), &Path::new(to).join(format!("{name}-cut.jpg")), 75)?;
    }
    Ok(())
}
