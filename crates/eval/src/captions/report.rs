//! Caption scores in the one shape of every result.

use serde_json::{Map, Value, json};

use super::measure::CaptionMeasure as M;
use super::pair::{Paired, Tokeniser};
use super::score::CaptionScores;
use crate::report::{Plot, Protocol, Report, System};
use rebus_collection::{ItemId, counted};

/// The task under which the figures stand.
pub const TASK: &str = "captions";

/// How many ids a note names.
const NAMED: usize = 5;

/// Puts scores, protocol and everything a reader must know into a report.
pub fn report(
    name: &str,
    paired: &Paired,
    scores: &CaptionScores,
    tokeniser: Tokeniser,
    corpus: Option<&str>,
) -> Report {
    let measures: Vec<M> = scores.corpus.iter().map(|figure| figure.measure).collect();
    let mut protocol = Protocol::new()
        .with("images", scores.images.len())
        .with("references an image", span(&paired.references))
        .with("tokeniser", tokeniser.name());
    if let Some(documents) = &scores.documents {
        let of = corpus.map_or("the references".to_owned(), |corpus| corpus.to_owned());
        protocol = protocol.with(
            "document frequencies",
            match documents {
                Ok(documents) => format!("{of}, {}", counted(*documents as u64, "image")),
                Err(why) => format!("{of}: {why}"),
            },
        );
    }
    if measures.iter().any(|&measure| super::bleu_order(measure).is_some()) {
        protocol = protocol.with("BLEU", "over the corpus, closest reference length");
    }
    if measures.contains(&M::RougeL) {
        protocol =
            protocol.with("ROUGE-L", format!("mean over images, beta {}", super::rouge_l::BETA));
    }
    protocol = protocol.with("unit", "BLEU and ROUGE from 0 to 1, CIDEr from 0 to 10");
    let mut system = System::new(name);
    for figure in &scores.corpus {
        system = system.figure(TASK, figure.measure.name(), figure.value);
    }
    let mut report = Report::new(protocol);
    report.systems.push(system);
    report.notes = notes(paired, scores);
    report.plots = plots(scores);
    report
}

/// The fewest and the most.
fn span(counts: &[usize]) -> Value {
    let (low, high) = (counts.iter().min().unwrap_or(&0), counts.iter().max().unwrap_or(&0));
    if low == high { json!(low) } else { json!(format!("{low} to {high}")) }
}

fn notes(paired: &Paired, scores: &CaptionScores) -> Vec<String> {
    let mut notes = Vec::new();
    let mut list = |ids: &[ItemId], what: &str| {
        if !ids.is_empty() {
            let images = counted(ids.len() as u64, "image");
            notes.push(format!("{images} {what}: {}", first_few(ids)));
        }
    };
    list(&paired.without_references, "with a candidate but no references, left out");
    list(&paired.without_candidate, "with references but no candidate, left out");
    list(&paired.several_candidates, "with several candidates, of which the first counts");
    list(&scores.empty_candidates, "whose candidate has no words, scored 0 where that is defined");
    list(&scores.empty_references, "whose references have no words, undefined and left out");
    if let Some(Err(why)) = &scores.documents {
        notes.push(format!(
            "CIDEr is undefined: {why}; name a larger corpus for document frequencies"
        ));
    }
    let said = |measure: M| measure.weighs() && matches!(scores.documents, Some(Err(_)));
    for figure in scores.corpus.iter().filter(|f| f.undefined > 0 && !said(f.measure)) {
        let all = counted(scores.images.len() as u64, "image");
        let name = figure.measure;
        notes.push(format!("{name} is undefined for {} of {all}", figure.undefined));
    }
    notes
}

fn first_few(ids: &[ItemId]) -> String {
    let named: Vec<&str> = ids.iter().take(NAMED).map(ItemId::as_str).collect();
    let more = if ids.len() > NAMED { ", ..." } else { "" };
    named.join(", ") + more
}

/// How the images' scores are spread, a histogram a measure.
fn plots(scores: &CaptionScores) -> Vec<Plot> {
    let plot = |(at, measure): (usize, M)| {
        let values: Vec<f64> = scores.images.iter().filter_map(|image| image.values[at]).collect();
        let highest = values.iter().copied().fold(0.0, f64::max);
        (highest > 0.0).then(|| histogram(measure, &values, highest))
    };
    scores.corpus.iter().map(|figure| figure.measure).enumerate().filter_map(plot).collect()
}

fn histogram(measure: M, values: &[f64], highest: f64) -> Plot {
    const BARS: usize = 10;
    let width = measure.maximum().min(highest * (1.0 + 1e-9)) / BARS as f64;
    let mut counts = [0.0; BARS];
    for value in values {
        counts[((value / width) as usize).min(BARS - 1)] += 1.0;
    }
    let mut plot = Plot::bars(&format!("{measure} by image"), "score, from", "images");
    for (bar, count) in counts.into_iter().enumerate() {
        plot = plot.bar(&format!("{:.2}", bar as f64 * width), count);
    }
    plot
}

impl CaptionScores {
    /// The images' scores as `{id: {measure: value}}`; what is undefined is `null`.
    pub fn per_image_json(&self) -> Value {
        let of = |values: &[Option<f64>]| {
            let named = self.corpus.iter().zip(values);
            let figures: Map<String, Value> =
                named.map(|(f, value)| (f.measure.name().to_owned(), json!(value))).collect();
            Value::Object(figures)
        };
        let images = self.images.iter().map(|image| (image.id.to_string(), of(&image.values)));
        Value::Object(images.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::captions::read::CaptionFile;
    use crate::captions::{pair, score};

    #[test]
    fn whatever_is_odd_is_noted() {
        let file = |images: &[(&str, &[&str])]| CaptionFile {
            images: images
                .iter()
                .map(|&(id, texts)| (id.into(), texts.iter().map(|&t| t.to_owned()).collect()))
                .collect(),
            ..CaptionFile::default()
        };
        let candidates =
            file(&[("1", &["a dog", "b"]), ("2", &[""]), ("3", &["x"]), ("5", &["y"])]);
        let references =
            file(&[("1", &["a dog"]), ("2", &["a", "b"]), ("4", &["x"]), ("5", &["."])]);
        let paired = pair(&candidates, &references, None, Tokeniser::Ptb).unwrap();
        let scores = score(&paired.set, &M::COCO);
        let report = report("system", &paired, &scores, Tokeniser::Ptb, None);
        let json = report.to_json();
        assert_eq!(json["protocol"]["references an image"], "1 to 2");
        assert_eq!(json["protocol"]["document frequencies"], "the references, 2 images");
        assert!(json["systems"][0]["captions"]["BLEU-1"].is_number());
        let notes = report.notes.join("\n");
        for wanted in [
            "1 image with a candidate but no references, left out: 3",
            "1 image with references but no candidate, left out: 4",
            "1 image with several candidates, of which the first counts: 1",
            "1 image whose candidate has no words, scored 0 where that is defined: 2",
            "1 image whose references have no words, undefined and left out: 5",
            "BLEU-1 is undefined for 1 of 3 images",
        ] {
            assert!(notes.contains(wanted), "{wanted} is not in\n{notes}");
        }
        assert!(scores.per_image_json()["5"]["BLEU-1"].is_null());
    }
}
