//! Figures 2 to 4 for our data: which images respond most to a word; what the joint model and the
//! independent baseline make of an image's own caption; what the joint model makes of two captions
//! of one image.
//!
//! The paper's examples were picked by hand. Ours are the images of the reported split for which
//! the difference is largest: between the ranks that both models give the caption of the pool
//! (Figure 3), and between the scores of two own captions (Figure 4).

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rebus_collection::{Item, Matrix, Progress};
use rebus_eval::report::{Section, escape_html as escape};
use rebus_models::bag_of_words::{Length, Weighting};
use rebus_models::rank_svm::Solver;
use rebus_models::{Affinity, Contribution, DualEncoder, WordResponses};
use rebus_vision::thumbnail;

use super::models::Kind;
use super::{Computed, Part};
use crate::Result;

/// Words of the paper's own figures, and of its domain.
const WORDS: [&str; 8] = ["crowd", "table", "two", "lake", "snow", "beach", "red", "sleep"];
/// Images shown for a word.
const SHOWN: usize = 5;
/// Examples of Figures 3 and 4.
const EXAMPLES: usize = 4;
/// The longer side of a picture on the page.
const SIDE: u32 = 180;

const STYLE: &str = "<style>\
    .responses { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; margin: 0 0 1.5rem; } \
    .responses figure { margin: 0; max-width: 180px; } \
    .responses img { display: block; max-width: 100%; border-radius: 2px; } \
    .responses figcaption { font-size: .85rem; color: var(--quiet); overflow-wrap: anywhere; } \
    .responses table { font-size: .9rem; align-self: flex-start; } \
    .responses caption { max-width: 20rem; white-space: normal; } \
    .responses .below { color: var(--c1); } \
    </style>";

/// The sections of the page.
pub(super) fn sections(
    computed: &[Computed],
    part: &Part<'_>,
    progress: &dyn Progress,
) -> Result<Vec<Section>> {
    let joint = computed.iter().find(|computed| is_joint_idf(computed.row.kind));
    let independent =
        computed.iter().find(|computed| matches!(computed.row.kind, Kind::Independent));
    let (Some(joint), Some(independent)) = (joint, independent) else { return Ok(Vec::new()) };
    progress.begin("drawing the figures", Some(3));
    let mut sections = Vec::new();
    sections.push(strongest(&*joint.model, part)?);
    progress.advance(1);
    sections.push(compared(joint, independent, part)?);
    progress.advance(1);
    sections.push(own_captions(&*joint.model, part)?);
    progress.advance(1);
    Ok(sections)
}

fn is_joint_idf(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Joint { solver: Solver::Pegasos, weighting: Weighting::Idf, length: Length::AsIs }
    )
}

/// Figure 2.
fn strongest(model: &dyn WordResponses, part: &Part<'_>) -> Result<Section> {
    let known: Vec<&str> =
        WORDS.into_iter().filter(|word| model.bag().position(word).is_some()).collect();
    let words =
        if known.is_empty() { model.bag().words().take(WORDS.len()).collect() } else { known };
    let mut html = String::from(STYLE);
    for word in words {
        let _ = write!(html, "<h3>{}</h3>\n<div class=\"responses\">", escape(word));
        for response in model.strongest(&part.features, word, SHOWN)? {
            let under = format!("{:.2}", response.value);
            html.push_str(&picture(part.items[response.row], &under));
        }
        html.push_str("</div>\n");
    }
    let title = "Figure 2: the images that respond most to a word (Joint IDF)".to_owned();
    Ok(Section { title, html })
}

/// Figure 3.
fn compared(joint: &Computed, independent: &Computed, part: &Part<'_>) -> Result<Section> {
    let captions = part.pool().captions;
    let ranks = |model: &dyn WordResponses| -> Result<Vec<usize>> {
        let encoder: &dyn DualEncoder = model;
        let scores = Affinity::Dual(encoder).matrix(&part.features, &captions)?;
        Ok((0..scores.rows()).map(|row| rank(scores.row(row), row)).collect())
    };
    let (ours, theirs) = (ranks(&*joint.model)?, ranks(&*independent.model)?);
    let mut order: Vec<usize> = (0..ours.len()).collect();
    order.sort_by_key(|&at| (ours[at] as i64 - theirs[at] as i64, at));
    let mut html = String::new();
    for &at in order.iter().take(EXAMPLES) {
        let _ = write!(html, "<div class=\"responses\">{}", picture(part.items[at], captions[at]));
        for (computed, rank) in [(joint, ours[at]), (independent, theirs[at])] {
            let title = format!("{}, rank {rank}", computed.row.name);
            html.push_str(&responses(&*computed.model, (part, at), captions[at], &title)?);
        }
        html.push_str("</div>\n");
    }
    let title = "Figure 3: an image's own caption, joint model and independent baseline".to_owned();
    Ok(Section { title, html })
}

/// Figure 4.
fn own_captions(model: &dyn WordResponses, part: &Part<'_>) -> Result<Section> {
    let responses_of = model.encode_images(&part.features)?;
    let score = |at: usize, text: &str| -> f64 {
        let bag = model.bag().encode(&[text]);
        bag.iter().map(|&(word, weight)| f64::from(responses_of.row(at)[word]) * weight).sum()
    };
    let mut spread: Vec<(f64, usize, [usize; 2])> = Vec::new();
    for (at, texts) in part.texts.iter().enumerate() {
        let mut scored: Vec<(f64, usize)> =
            texts.iter().enumerate().map(|(caption, text)| (score(at, text), caption)).collect();
        scored.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let [(worst, low), .., (best, high)] = scored[..] {
            spread.push((best - worst, at, [low, high]));
        }
    }
    spread.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut html = String::new();
    for &(_, at, captions) in spread.iter().take(EXAMPLES) {
        let _ = write!(html, "<div class=\"responses\">{}", picture(part.items[at], ""));
        for caption in captions {
            let text = part.texts[at][caption];
            html.push_str(&responses(model, (part, at), text, text)?);
        }
        html.push_str("</div>\n");
    }
    let title = "Figure 4: two captions of one image (Joint IDF)".to_owned();
    Ok(Section { title, html })
}

/// One more than the number of captions that score as high or higher.
fn rank(scores: &[f32], own: usize) -> usize {
    scores.iter().filter(|&&score| score >= scores[own]).count()
}

/// A table of what each word of a text adds.
fn responses(
    model: &dyn WordResponses,
    (part, at): (&Part<'_>, usize),
    text: &str,
    title: &str,
) -> Result<String> {
    let mut row = Matrix::zeros(1, part.features.columns());
    row.row_mut(0).copy_from_slice(part.features.row(at));
    let words = model.contributions(&row, text)?.into_iter().next().unwrap_or_default();
    Ok(table(&words, title))
}

fn table(words: &[Contribution], title: &str) -> String {
    let line = |name: &str, value: f32| {
        let class = if value < 0.0 { " class=\"below\"" } else { "" };
        // A true minus sign is as wide as a figure.
        let number = format!("{value:.2}").replace('-', "\u{2212}");
        format!("<tr><th scope=\"row\">{name}</th><td{class}>{number}</td></tr>")
    };
    let overall: f32 = words.iter().map(|word| word.value).sum();
    let mut html = format!("<table><caption>{}</caption><tbody>", escape(title));
    html.push_str(&line("<strong>overall</strong>", overall));
    for word in words {
        html.push_str(&line(&escape(&word.word), word.value));
    }
    if words.is_empty() {
        html.push_str("<tr><th scope=\"row\">no known word: cannot be ranked</th><td></td></tr>");
    }
    html.push_str("</tbody></table>");
    html
}

/// A picture with a line beneath; its name alone where the photo is not at hand.
fn picture(item: &Item, under: &str) -> String {
    let name = escape(item.id.as_str());
    let image = match thumbnail(item, SIDE) {
        Ok(jpeg) => {
            let data = STANDARD.encode(jpeg);
            format!("<img loading=\"lazy\" src=\"data:image/jpeg;base64,{data}\" alt=\"{name}\">")
        }
        Err(_) => format!("<p>{name}</p>"),
    };
    format!("<figure>{image}<figcaption>{}</figcaption></figure>", escape(under))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let word = Contribution { word: "<b>".into(), value: -0.5 };
        let html = table(&[word], "a <script>");
        assert!(!html.contains("<b>") && !html.contains("<script>"));
        assert!(html.contains("\u{2212}0.50"));
        let item = Item::new("\"><script>.jpg");
        assert!(!picture(&item, "<script>").contains("<script>"));
        assert!(table(&[], "").contains("cannot be ranked"));
    }

    #[test]
    fn ranks_count_ties_against() {
        assert_eq!(rank(&[0.5, 0.9, 0.5], 0), 3);
        assert_eq!(rank(&[0.5, 0.9, 0.5], 1), 1);
    }
}
