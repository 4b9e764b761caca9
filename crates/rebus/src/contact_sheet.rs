//! A page of pictures for a search, which needs no other file.

use std::fmt::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rebus_collection::{ImageSource, Item};
use rebus_eval::report::escape_html as escape;
use rebus_index::search::Found;

use crate::walk::sheet;

/// Pixels of the longer side of a picture.
const SIDE: u32 = 320;

/// A small copy of a photo as JPEG, if it can be read.
pub(crate) fn thumbnail(path: &Path, side: u32) -> Option<Vec<u8>> {
    let mut item = Item::new(path.display().to_string());
    item.image = ImageSource::File(path.to_path_buf());
    rebus_vision::thumbnail(&item, side).ok()
}

/// The page of what a search found.
pub(crate) fn of_search(query: &str, found: &Found) -> String {
    let mut body = format!(
        "<header><h1>{}</h1><p>{} of the photos match.</p></header><div class=search><ol>",
        escape(query),
        found.matches
    );
    for hit in &found.results {
        let name = escape(&hit.path.display().to_string());
        let file = hit.path.file_name().unwrap_or_default().to_string_lossy();
        let picture = match thumbnail(&hit.path, SIDE) {
            Some(jpeg) => {
                let code = STANDARD.encode(jpeg);
                format!(
                    "<img src=\"data:image/jpeg;base64,{code}\" alt=\"{name}\" title=\"{name}\">"
                )
            }
            None => "<p>cannot be read</p>".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            "<li>{picture}<span>{:.2}</span><p class=name title=\"{name}\">{}</p></li>",
            hit.relevance,
            escape(&file)
        );
    }
    body.push_str("</ol></div>");
    sheet::framed(&format!("rebus: {}", escape(query)), &body)
}
