//! `rebus annotate --show-regions`: photos with their regions, blobs and the blobs' likeliest words.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rebus_collection::writers::write_whole;
use rebus_collection::{Error, ImageSource, Matrix, Progress};
use rebus_eval::report::escape_html as escape;
use rebus_models::Model;
use rebus_vision::regions::{Blobs, Method, Segmentation};
use rebus_vision::{Extractor, Picture, small_copy};
use serde_json::{Value, json};

use super::{Annotate, read};
use crate::model;
use crate::output::{Outcome, Usage, answer, counted, say};
use crate::progress::Talk;
use crate::walk::sheet;

/// Pixels of the longer side of a picture on the page.
const SIDE: u32 = 640;
/// How many words a blob shows.
const WORDS: usize = 4;

/// What looks at photos: regions alone, or blobs, with or without their words.
enum Seer {
    Regions(Method),
    Blobs(Box<Blobs>, Option<Box<dyn Model>>),
}

/// A photo in regions.
struct Shown {
    path: PathBuf,
    segmentation: Segmentation,
    regions: Vec<Region>,
    jpeg: Vec<u8>,
}

struct Region {
    /// Its share of the photo.
    share: f64,
    /// Its blob, if blobs are counted and it is not too small.
    blob: Option<u32>,
    /// The blob's likeliest words with their probabilities.
    words: Vec<(String, f64)>,
}

impl Seer {
    fn open(models: &[String]) -> anyhow::Result<Self> {
        match models {
            [] => Ok(Self::Regions(Method::default())),
            [name] => {
                let (blobs, model) = model::blobs(name)?;
                Ok(Self::Blobs(Box::new(blobs), model))
            }
            _ => Err(Usage("--show-regions takes one --model".into()).into()),
        }
    }

    fn look(&self, picture: &Picture) -> anyhow::Result<(Segmentation, Vec<Region>)> {
        let (segmentation, blobs) = match self {
            Self::Regions(method) => (Segmentation::new(picture, *method)?, Vec::new()),
            Self::Blobs(blobs, _) => {
                let (seen, found) = blobs.look(picture)?;
                (seen.segmentation, seen.kept.into_iter().zip(found).collect())
            }
        };
        let pixels = segmentation.labels().len() as f64;
        let region = |(region, &area): (usize, &usize)| {
            let blob = blobs.iter().find(|(kept, _)| *kept == region).map(|&(_, blob)| blob);
            let words = blob.map_or_else(|| Ok(Vec::new()), |blob| self.words(blob))?;
            anyhow::Ok(Region { share: area as f64 / pixels, blob, words })
        };
        let regions = segmentation.areas().iter().enumerate().map(region).collect::<Result<_, _>>();
        Ok((segmentation, regions?))
    }

    /// The likeliest words of a picture that is one region of this blob.
    fn words(&self, blob: u32) -> anyhow::Result<Vec<(String, f64)>> {
        let Self::Blobs(blobs, Some(model)) = self else { return Ok(Vec::new()) };
        let mut counts = Matrix::zeros(1, blobs.dimensions());
        counts.row_mut(0)[blob as usize] = 1.0;
        let said = model.probable_keywords(&model.encode_images(&counts)?)?;
        let words = said.into_iter().flatten().flatten().take(WORDS);
        Ok(words.map(|keyword| (keyword.word.to_owned(), keyword.probability)).collect())
    }
}

impl Annotate {
    /// Writes the page of regions.
    pub(super) fn show_regions(&self, page: &Path) -> anyhow::Result<Outcome> {
        let seer = Seer::open(&self.models)?;
        let progress = Talk::new();
        let items = read(&self.photos, &progress)?;
        progress.begin("dividing photos", Some(items.len() as u64));
        let mut shown = Vec::new();
        let mut passed_over: Vec<String> = Vec::new();
        for item in &items {
            if progress.interrupted() {
                return Err(Error::Interrupted.into());
            }
            let ImageSource::File(path) = &item.image else { continue };
            match rebus_vision::open(path) {
                Ok(picture) => {
                    let (segmentation, regions) = seer.look(&picture)?;
                    let jpeg = small_copy(&picture, SIDE, &path.display().to_string())?;
                    shown.push(Shown { path: path.clone(), segmentation, regions, jpeg });
                }
                Err(error) => passed_over.push(error.to_string()),
            }
            progress.advance(1);
        }
        drop(progress);
        let body: String = shown.iter().map(figure).collect();
        let html = sheet::framed("rebus: regions", &format!("<div class=regions>{body}</div>"));
        write_whole(page, html.as_bytes())
            .with_context(|| format!("cannot write {}", page.display()))?;
        if self.json {
            let photos: Vec<Value> = shown.iter().map(Shown::to_json).collect();
            let all = json!({ "page": page, "photos": photos, "passed_over": passed_over });
            answer(format_args!("{all:#}"))?;
        } else {
            answer(page.display())?;
        }
        passed_over.iter().for_each(|why| say(format_args!("note: passed over: {why}")));
        let regions: usize = shown.iter().map(|shown| shown.regions.len()).sum();
        say(format_args!(
            "divided {} into {}, on {}",
            counted(shown.len() as u64, "photo"),
            counted(regions as u64, "region"),
            page.display()
        ));
        Ok(if shown.is_empty() { Outcome::Short } else { Outcome::Fine })
    }
}

impl Shown {
    fn to_json(&self) -> Value {
        let region = |region: &Region| {
            let words: Vec<Value> = region
                .words
                .iter()
                .map(|(word, probability)| json!({ "text": word, "probability": probability }))
                .collect();
            json!({ "share": region.share, "blob": region.blob, "words": words })
        };
        let regions: Vec<Value> = self.regions.iter().map(region).collect();
        json!({ "path": self.path.to_string_lossy(), "regions": regions })
    }
}

/// A photo with the lines between its regions, their numbers, and what is said of each beneath.
fn figure(shown: &Shown) -> String {
    let (width, height) = shown.segmentation.dimensions();
    let name = escape(&shown.path.display().to_string());
    let code = STANDARD.encode(&shown.jpeg);
    let mut html = format!(
        "<figure><svg viewBox=\"0 0 {width} {height}\" role=img aria-label=\"{name}\">\
         <image href=\"data:image/jpeg;base64,{code}\" width={width} height={height} \
         preserveAspectRatio=none /><path d=\""
    );
    // Writing to a string cannot fail.
    for line in shown.segmentation.borders() {
        let _ = write!(html, "M{} {}L{} {}", line.from.0, line.from.1, line.to.0, line.to.1);
    }
    html.push_str("\"/>");
    for (region, (x, y)) in shown.regions.iter().zip(shown.segmentation.middles()) {
        let blob = region.blob.map_or_else(String::new, |blob| blob.to_string());
        let (x, y) = (within(x, width, 12), within(y, height, 7));
        let _ = write!(html, "<text x={x} y={y}>{blob}</text>");
    }
    let _ = write!(html, "</svg><figcaption>{name}<ol>");
    let has_blobs = shown.regions.iter().any(|region| region.blob.is_some());
    for region in &shown.regions {
        let share = 100.0 * region.share;
        let blob = match (region.blob, region.words.is_empty()) {
            (Some(blob), true) => format!("blob {blob}, "),
            (Some(blob), false) => format!("blob {blob}: {}; ", words(region)),
            (None, _) if has_blobs => "too small for a blob, ".to_owned(),
            (None, _) => String::new(),
        };
        let _ = write!(html, "<li>{blob}{share:.0}% of the photo</li>");
    }
    html.push_str("</ol></figcaption></figure>");
    html
}

/// Where the middle of a number stands, so far from both sides that all of it can be seen.
fn within(at: usize, side: usize, margin: usize) -> usize {
    at.clamp(margin, side.saturating_sub(margin).max(margin))
}

fn words(region: &Region) -> String {
    let word = |(word, probability): &(String, f64)| {
        format!("{} {:.0}%", escape(word), 100.0 * probability)
    };
    region.words.iter().map(word).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup_and_numbers_stand_in_their_regions() {
        let colour = |at: usize| if at % 96 < 40 { [200, 30, 30] } else { [20, 60, 200] };
        let pixels = (0..96 * 64).flat_map(colour).collect();
        let picture = Picture::from_raw(96, 64, pixels).unwrap();
        let segmentation = Segmentation::new(&picture, Method::GraphBased).unwrap();
        let region =
            |blob, word: &str| Region { share: 0.5, blob, words: vec![(word.to_owned(), 0.25)] };
        let regions = vec![region(Some(7), "<b>sun</b>"), region(None, "")];
        let path = PathBuf::from("<script>.jpg");
        let html = figure(&Shown { path, segmentation, regions, jpeg: vec![1, 2, 3] });
        assert!(!html.contains("<script>") && !html.contains("<b>"));
        assert!(html.contains("blob 7: &lt;b&gt;sun&lt;/b&gt; 25%; 50% of the photo"), "{html}");
        assert!(html.contains("M40 0L40 64"), "{html}");
        assert!(html.contains(">7</text>"));
        assert!(html.contains("<li>too small for a blob, 50% of the photo"), "{html}");
        assert_eq!([1, 50, 95].map(|at| within(at, 96, 12)), [12, 50, 84]);
    }
}
