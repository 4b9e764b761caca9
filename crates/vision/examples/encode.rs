//! Vectors of a folder of photos: `encode NETWORK FOLDER OUT.f32 [COUNT]`.
//!
//! Writes one row of little-endian floats a photo, in the order of their names.

#![allow(clippy::print_stdout, reason = "an example shows what it did")]

use std::path::{Path, PathBuf};
use std::time::Instant;

use rebus_collection::{ImageSource, Item, Silent};
use rebus_vision::{Encoder, Extractor, features};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, network, folder, out, count @ ..] = &arguments[..] else {
        return Err("encode NETWORK FOLDER OUT.f32 [COUNT]".into());
    };
    let count = count.first().map_or(Ok(usize::MAX), |count| count.parse())?;
    let start = Instant::now();
    let encoder = Encoder::open(Path::new(network))?;
    println!("{} loaded in {:.2} s", encoder.name(), start.elapsed().as_secs_f64());
    let mut photos: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    photos.sort();
    photos.truncate(count);
    let items: Vec<Item> = photos
        .iter()
        .map(|path| {
            let mut item = Item::new(path.display().to_string());
            item.image = ImageSource::File(path.clone());
            item
        })
        .collect();
    let items: Vec<&Item> = items.iter().collect();
    let start = Instant::now();
    let seen = features(&items, &encoder, None, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} photos of {} numbers, {} failed, {:.1} photos/s",
        seen.items.len(),
        encoder.dimensions(),
        seen.failed.len(),
        seen.items.len() as f64 / seconds
    );
    let bytes: Vec<u8> = seen.matrix.values().iter().flat_map(|v| v.to_le_bytes()).collect();
    std::fs::write(out, bytes)?;
    Ok(())
}
