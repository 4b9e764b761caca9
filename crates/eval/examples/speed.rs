//! How fast runs are read and measured, and gold ranks counted:
//! `cargo run --release -p rebus-eval --example speed -- [QRELS RUN]`.
#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::hint::black_box;
use std::time::Instant;

use rebus_collection::Matrix;
use rebus_eval::{GoldMap, GoldRanks, Measure, Options, Qrels, Run, Ties, evaluate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if let [qrels, run] = files.as_slice() {
        let begun = Instant::now();
        let qrels = Qrels::read(qrels)?;
        let run = Run::read(run)?;
        println!("read in {:.3} s", begun.elapsed().as_secs_f64());
        let names = "MAP,MRR,R-precision,bpref,nDCG,nDCG@10,P@5,P@10,R@10,S@5";
        let measures = Measure::parse_list(names)?;
        for ties in [Ties::Trec, Ties::Worst, Ties::Mean] {
            let options = Options { ties, ..Options::default() };
            let begun = Instant::now();
            let found = black_box(evaluate(&run, &qrels, &measures, options));
            println!("{ties}: {:.4} s {:?}", begun.elapsed().as_secs_f64(), found.figures());
        }
    }
    let (images, each) = (5000, 5);
    let columns = images * each;
    // Numbers that are cheap to make and do not repeat soon.
    let mut state = 1u32;
    let values = (0..images * columns).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32
    });
    let scores = Matrix::new(images, columns, values.collect())?;
    let gigabytes = scores.values().len() as f64 * 4e-9;
    for _ in 0..3 {
        let begun = Instant::now();
        black_box(sum(scores.values()));
        let time = begun.elapsed().as_secs_f64();
        println!("plain sum: {time:.4} s, {:.2} GB/s", gigabytes / time);
        for ties in [Ties::Worst, Ties::Trec] {
            let begun = Instant::now();
            black_box(GoldRanks::new(&scores, &GoldMap::even(images, columns)?, ties)?);
            let time = begun.elapsed().as_secs_f64();
            println!("gold ranks both ways, {ties}: {time:.4} s, {:.2} GB/s", gigabytes / time);
        }
    }
    Ok(())
}

/// With as many threads as the ranks are counted with.
fn sum(values: &[f32]) -> f32 {
    use rayon::prelude::*;
    let part = |values: &[f32]| {
        let mut sums = [0.0f32; 16];
        for chunk in values.chunks_exact(16) {
            sums.iter_mut().zip(chunk).for_each(|(sum, value)| *sum += value);
        }
        sums.iter().sum::<f32>()
    };
    values.par_chunks(1 << 20).map(part).sum()
}
