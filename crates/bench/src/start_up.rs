//! From starting the command to its answer, with an index of 100,000 photos.
//!
//! The photos are small drawings, each with a line of text beside it, and are put into the index as any
//! others are, but for the network: what stands for its vectors is drawn from their pixels.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use rebus_collection::{ContentHash, Silent};
use rebus_index::{Eye, Options as IndexOptions, Origin, update};
use rebus_vision::{Extractor, Picture};

use crate::encoders::ours;
use crate::indexing::AsTheyAre;
use crate::peer::{folder, write};
use crate::{Case, Error, Options, Outcome};

pub(crate) const CASE: Case = Case {
    group: "search",
    name: "start-up",
    about: "the command from its start to its answer, with an index of 100,000 photos",
    work: run,
};

const PHOTOS: usize = 100_000;
/// Photos in a folder.
const IN_FOLDER: usize = 1000;
/// Pixels of a side.
const SIDE: u32 = 8;
/// How often the command is started.
const STARTS: usize = 21;
/// The seconds it may take.
const LIMIT: f64 = 0.1;
/// What is written beside photos: one of each.
const WHO: [&str; 8] =
    ["a dog", "two children", "a man", "a woman", "a horse", "a cat", "a crowd", "a boat"];
const WHERE: [&str; 8] = [
    "at the beach",
    "in the snow",
    "in the grass",
    "on a street",
    "in the water",
    "at night",
    "in a park",
    "indoors",
];

/// Numbers that depend on nothing but the pixels.
struct Drawn {
    dimensions: usize,
}

impl Extractor for Drawn {
    fn name(&self) -> &str {
        "drawn/1"
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn extract(&self, picture: &Picture, features: &mut [f32]) -> rebus_vision::Result<()> {
        let mut random = ChaCha8Rng::from_seed(ContentHash::of(picture.as_raw()).0);
        let mut next = || f64::from(random.next_u32()) / f64::from(u32::MAX) - 0.5;
        features.iter_mut().for_each(|value| *value = next() as f32);
        let length = features.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-12);
        features.iter_mut().for_each(|value| *value /= length);
        Ok(())
    }
}

fn run(options: &Options) -> Result<Outcome, Error> {
    let Some(command) = &options.command else {
        return Err(Error::Ours("this case needs the command itself: rebus bench search".into()));
    };
    let scratch = folder()?;
    let photos = scratch.path().join("photos");
    let count = options.scaled(PHOTOS);
    draw(&photos, count)?;
    let extractor = Drawn { dimensions: command.dimensions };
    let eye = Eye {
        name: &command.model,
        origin: &Origin::BuiltIn,
        version: command.version,
        model: &AsTheyAre { extractor: extractor.name().into(), dimensions: command.dimensions },
        extractor: &extractor,
    };
    let index = scratch.path().join("index");
    let start = Instant::now();
    let made = update(&index, &[photos], &[eye], &IndexOptions::default(), &Silent);
    let made = made.map_err(ours)?;
    let indexing = start.elapsed().as_secs_f64();
    if made.photos as usize != count {
        return Err(Error::Ours(format!("{} of {count} photos are in the index", made.photos)));
    }
    let mut seconds = Vec::new();
    let before = children_seconds();
    for _ in 0..STARTS {
        let mut search = Command::new(&command.program);
        search.args(["search", "a dog on the beach", "--paths", "--index"]).arg(&index);
        search.stdin(Stdio::null());
        let start = Instant::now();
        let output = search.output();
        seconds.push(start.elapsed().as_secs_f64());
        let output =
            output.map_err(|source| Error::Io { path: command.program.clone(), source })?;
        if output.stdout.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(Error::Ours(format!("the search found nothing: {}", said.trim())));
        }
    }
    seconds.sort_by(f64::total_cmp);
    let (median, slow) = (seconds[STARTS / 2], seconds[STARTS - 1]);
    let mut note = format!(
        "{count} photos, {STARTS} starts: the median, at most {:.0} ms; made with {:.0} photos/s",
        slow * 1e3,
        count as f64 / indexing
    );
    if let Some((before, after)) = before.zip(children_seconds()) {
        // What it would take if nothing else ran.
        let each = (after - before) / STARTS as f64;
        note += &format!("; {:.0} ms of the processor each", each * 1e3);
    }
    Ok(Outcome { seconds: median, limit: Some(LIMIT), peers: Vec::new(), note })
}

/// Seconds of the processor that programs started from here have used, where the system says so.
fn children_seconds() -> Option<f64> {
    const TICKS: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / TICKS)
}

/// Draws small pictures, no two alike, with a line about each.
fn draw(to: &Path, count: usize) -> Result<(), Error> {
    (0..count.div_ceil(IN_FOLDER)).into_par_iter().try_for_each(|number| {
        let folder = to.join(format!("{number:03}"));
        let made = std::fs::create_dir_all(&folder);
        made.map_err(|source| Error::Io { path: folder.clone(), source })?;
        for photo in number * IN_FOLDER..count.min((number + 1) * IN_FOLDER) {
            write(&folder.join(format!("{photo:06}.bmp")), &bitmap(photo))?;
            let (who, place) = (WHO[photo % 8], WHERE[photo / 8 % 8]);
            write(&folder.join(format!("{photo:06}.txt")), format!("{who} {place}").as_bytes())?;
        }
        Ok(())
    })
}

/// A bitmap file whose pixels are drawn from a number.
fn bitmap(number: usize) -> Vec<u8> {
    const HEAD: u32 = 54;
    let pixels = SIDE * SIDE * 3;
    let mut bytes = b"BM".to_vec();
    for word in [HEAD + pixels, 0, HEAD, 40, SIDE, SIDE, 1 | 24 << 16, 0, pixels, 2835, 2835, 0, 0]
    {
        bytes.extend(word.to_le_bytes());
    }
    let mut random = ChaCha8Rng::seed_from_u64(number as u64);
    bytes.extend((0..pixels).map(|_| random.next_u32() as u8));
    bytes
}
