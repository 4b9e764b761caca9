//! Taking out of a sidecar what was added to it, where somebody has changed it since.

use super::encoding::Encoded;
use super::form::{Form, forms, items};
use super::tree::Tree;
use super::{Added, Edit, Refused, apply};
use crate::photo::exif::clean;

/// The sidecar without the values that were added; a property that was new and has no other
/// value now goes as a whole.
///
/// # Errors
/// If the sidecar is not well-formed, or a property has a form that we did not write.
pub(super) fn take_out(bytes: &[u8], added: &[Added]) -> Result<Vec<u8>, Refused> {
    let encoded = Encoded::read(bytes)?;
    let tree = Tree::read(&encoded.text)?;
    let mut edits = Vec::new();
    let mut cut = |element: usize| {
        let span = tree.elements[element].span();
        let from = span.start - tree.space_before(span.start).len();
        let old = encoded.text[from..span.end].to_owned();
        edits.push(Edit { at: from, old, new: String::new() });
    };
    for Added { property: name, values, new } in added {
        // Each value was added once; the same value further on is somebody else's.
        let mut left: Vec<&String> = values.iter().collect();
        for form in forms(&tree, name)? {
            let Form::List { property, container } = form else { continue };
            let all = items(&tree, container);
            let ours: Vec<usize> = all
                .iter()
                .copied()
                .filter(|&item| {
                    let text = clean(&tree.elements[item].content);
                    let at = left.iter().position(|value| Some(*value) == text.as_ref());
                    at.map(|at| left.remove(at)).is_some()
                })
                .collect();
            if *new && ours.len() == all.len() {
                cut(property);
            } else {
                ours.into_iter().for_each(&mut cut);
            }
        }
    }
    edits.sort_by_key(|edit| edit.at);
    let text = apply(&encoded.text, &edits)
        .ok_or(Refused { byte: 0, what: "its parts overlap".into() })?;
    Ok(encoded.with(text).bytes())
}
