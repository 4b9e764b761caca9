//! The contact sheet: one page that shows searches and annotations with their pictures.
//!
//! It needs nothing but the photos beside it, and asks nobody outside for anything.

use std::fmt::Write;

use rebus_collection::{Collection, counted};
use rebus_eval::report::escape_html as escape;

use super::{Annotation, Hit, Search, Walk};

const STYLE: &str = include_str!("sheet.css");

/// The page.
pub(super) fn page(walk: &Walk, collection: &Collection) -> String {
    let mut body = String::new();
    // Writing to a string cannot fail.
    let _ = write!(body, "<header><h1>rebus</h1><p>{}</p></header>", intro(collection));
    body.push_str(&figures(walk));
    body.push_str("<section><h2>Pictures for words</h2>");
    for search in &walk.searches {
        body.push_str(&search_row(search));
    }
    body.push_str("</section><section><h2>Words for pictures</h2><div class=cards>");
    for annotation in &walk.annotations {
        body.push_str(&card(annotation));
    }
    body.push_str("</div></section>");
    framed("rebus: a first walk", &body)
}

/// A whole page around what it shows; the title is text already escaped.
pub(crate) fn framed(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=en><meta charset=utf-8>\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style>\n<body><main>{body}</main></body></html>\n"
    )
}

fn intro(collection: &Collection) -> String {
    format!(
        "A small drawn world of {} and {}. The model saw the training pictures \
         only; everything below is about test pictures. A green frame marks what belongs together.",
        counted(collection.items().len() as u64, "picture"),
        counted(collection.captions().len() as u64, "caption")
    )
}

/// The figures of both directions as tiles, with what chance would give.
fn figures(walk: &Walk) -> String {
    let mut html = String::from("<section class=figures>");
    let [model, chance, ..] = walk.report.systems.as_slice() else { return String::new() };
    for (task, random) in model.ours.iter().zip(&chance.ours) {
        let _ = write!(html, "<div><h3>{}</h3><dl>", escape(&task.name));
        for (figure, luck) in task.figures.iter().zip(&random.figures) {
            let _ = write!(
                html,
                "<div><dt>{}</dt><dd>{}<small>chance {}</small></dd></div>",
                escape(&figure.measure),
                shown(&figure.measure, figure.value),
                shown(&luck.measure, luck.value)
            );
        }
        html.push_str("</dl></div>");
    }
    html.push_str("</section>");
    html
}

fn shown(measure: &str, value: Option<f64>) -> String {
    match value {
        Some(value) if measure.starts_with("R@") => format!("{:.0}%", value * 100.0),
        Some(value) => format!("{value:.0}"),
        None => "undefined".into(),
    }
}

fn search_row(search: &Search) -> String {
    let kind = if search.gold.is_some() { "caption" } else { "typed" };
    let mut html = format!("<div class=search><h3 class={kind}>{}</h3><ol>", escape(&search.query));
    for hit in &search.pictures {
        let _ = write!(
            html,
            "<li{}><img loading=lazy src=\"photos/{name}\" alt=\"{name}\"><span>{:.2}</span></li>",
            mark(hit),
            hit.score,
            name = escape(&hit.what)
        );
    }
    html.push_str("</ol></div>");
    html
}

fn card(annotation: &Annotation) -> String {
    let name = escape(&annotation.picture);
    let mut html =
        format!("<article><img src=\"photos/{name}\" alt=\"{name}\"><div><ul class=words>");
    for hit in &annotation.keywords {
        let _ = write!(html, "<li{}>{}</li>", mark(hit), escape(&hit.what));
    }
    html.push_str("</ul><ol>");
    for hit in &annotation.sentences {
        let _ = write!(html, "<li{}>{}</li>", mark(hit), escape(&hit.what));
    }
    html.push_str("</ol></div></article>");
    html
}

fn mark(hit: &Hit) -> &'static str {
    if hit.gold { " class=gold" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        let search = Search { query: "<script>".into(), gold: None, pictures: Vec::new() };
        assert!(!search_row(&search).contains("<script>"));
    }
}
