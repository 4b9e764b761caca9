//! Tokenises the lines of a file as the caption measures do, punctuation kept, and says how fast.

use std::io::Write;

use rebus_text::ptb::{Case, Ptb, Punctuation};

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let text = std::fs::read_to_string(path)?;
    let lines: Vec<&str> = text.trim_end_matches('\n').split('\n').collect();
    let begun = std::time::Instant::now();
    let all = Ptb::new(Punctuation::Keep, Case::Lower).batch(&lines);
    let time = begun.elapsed();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for tokens in &all {
        writeln!(out, "{}", tokens.join(" "))?;
    }
    writeln!(std::io::stderr(), "{:.0} lines/s", lines.len() as f64 / time.as_secs_f64())
}
