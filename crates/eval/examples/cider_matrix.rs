//! Times the CIDEr-D matrix of every caption against every image of a file.
//!
//! ```text
//! cargo run --release -p rebus-eval --example cider_matrix -- captions.json
//! ```

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use rebus_collection::Silent;
use rebus_eval::GoldMap;
use rebus_eval::captions::{CaptionMeasure, Tokeniser, read};
use rebus_eval::semantic::{CaptionPool, phi};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file with captions by image")?;
    let file = read::read(Path::new(&path))?;
    let counts = file.images.iter().map(|(_, captions)| captions.len()).enumerate();
    let image_of: Vec<usize> = counts.flat_map(|(image, n)| vec![image; n]).collect();
    let gold = GoldMap::new(&image_of, file.images.len())?;
    let pool = CaptionPool::of_file(&file, &gold, Tokeniser::Whitespace)?;
    let begun = Instant::now();
    let matrix = phi(CaptionMeasure::CiderD, &pool, &Silent)?;
    let seconds = begun.elapsed().as_secs_f64();
    let mean = matrix.values().iter().copied().map(f64::from).sum::<f64>()
        / matrix.values().len().max(1) as f64;
    writeln!(
        std::io::stdout(),
        "{} images x {} captions in {seconds:.3} s, mean CIDEr-D {mean:.6}",
        matrix.rows(),
        matrix.columns()
    )?;
    Ok(())
}
