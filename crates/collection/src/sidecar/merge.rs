//! Putting keywords and a description into a sidecar.

use std::collections::BTreeMap;

use super::encoding::Encoded;
use super::form::{DESCRIPTION, Form, LISTS, List, SUBJECT, forms, items, namespace, values};
use super::tree::Tree;
use super::{Added, Additions, Edit, Refused, apply};

/// A sidecar with what was added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The whole file.
    pub bytes: Vec<u8>,
    /// What was added; nothing if everything was there already.
    pub added: Vec<Added>,
    /// How the text before became the text after.
    pub(super) edits: Vec<Edit>,
}

/// A sidecar that says nothing yet.
const EMPTY: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="rebus">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/"/>
 </rdf:RDF>
</x:xmpmeta>
"#;

/// Adds to a sidecar what is not there yet; without one, to a new one.
///
/// Keywords go into all three lists, but into a list of paths (`digiKam:TagsList` with `/`,
/// `lr:hierarchicalSubject` with `|`) only if they do not hold its separator. A keyword that a path
/// ends in is there already. A list of paths that is not there yet takes over what `dc:subject` has:
/// programs that know such a list look nowhere else. A description is taken only where there is none in any language.
///
/// # Errors
/// If the sidecar is not well-formed, is no XMP, or has one of the properties in a form to which
/// nothing can be added.
pub fn merge(before: Option<&[u8]>, additions: &Additions) -> Result<Merged, Refused> {
    let encoded = match before {
        Some(bytes) => Encoded::read(bytes)?,
        None => Encoded::new(EMPTY.to_owned()),
    };
    let tree = Tree::read(&encoded.text)?;
    let mut merging = Merging::new(&tree)?;
    let mut keywords: Vec<String> =
        additions.keywords.iter().filter_map(|word| tidy(word)).collect();
    if !keywords.is_empty() && !has_keywords(&tree)? {
        let inherited = additions.inherited.iter().filter_map(|word| tidy(word));
        keywords.splice(0..0, inherited.collect::<Vec<_>>());
    }
    for list in &LISTS {
        merging.keywords(list, &keywords)?;
    }
    if let Some(sentence) = additions.description.as_deref().and_then(tidy) {
        merging.description(&sentence)?;
    }
    let (edits, added) = merging.finish();
    let text = apply(&encoded.text, &edits)
        .ok_or(Refused { byte: 0, what: "its parts overlap".into() })?;
    Ok(Merged { bytes: encoded.with(text).bytes(), added, edits })
}

fn has_keywords(tree: &Tree<'_>) -> Result<bool, Refused> {
    for list in &LISTS {
        if !values(tree, &forms(tree, list.name)?).is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A value as XML can hold it and as it reads back: no control characters, single blanks.
fn tidy(text: &str) -> Option<String> {
    let kept: String = text
        .chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|c| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect();
    let words: Vec<&str> = kept.split(' ').filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// One item of a container.
struct Item {
    /// With a blank before it.
    attributes: &'static str,
    /// Escaped.
    text: String,
}

impl Item {
    fn of(text: &str) -> Self {
        Self { attributes: "", text: escaped(text) }
    }

    fn written(&self, name: &str) -> String {
        format!("<{name}{}>{}</{name}>", self.attributes, self.text)
    }
}

struct Merging<'t, 'a> {
    tree: &'t Tree<'a>,
    /// Where new properties go.
    home: Home,
    properties: String,
    edits: Vec<Edit>,
    added: Vec<Added>,
}

/// The element that takes new properties.
#[derive(Debug, Clone, Copy)]
enum Home {
    Description(usize),
    /// There is no description yet; this is the `rdf:RDF`.
    Rdf(usize),
}

impl<'t, 'a> Merging<'t, 'a> {
    fn new(tree: &'t Tree<'a>) -> Result<Self, Refused> {
        let rdf = || tree.elements.iter().position(|element| element.is("rdf:RDF"));
        let home = match tree.descriptions().next() {
            Some(description) => Home::Description(description),
            None => Home::Rdf(
                rdf()
                    .ok_or(Refused { byte: 0, what: "no rdf:RDF in it: this is no XMP".into() })?,
            ),
        };
        let (edits, added) = (Vec::new(), Vec::new());
        Ok(Self { tree, home, properties: String::new(), edits, added })
    }

    fn keywords(&mut self, list: &List, keywords: &[String]) -> Result<(), Refused> {
        let forms = forms(self.tree, list.name)?;
        let there = values(self.tree, &forms);
        let leaf = |value: &str| match list.separator {
            Some(separator) => value.rsplit(separator).next().unwrap_or(value).to_lowercase(),
            None => value.to_lowercase(),
        };
        let mut seen: BTreeMap<String, ()> = there.iter().map(|value| (leaf(value), ())).collect();
        let fits =
            |word: &&String| list.separator.is_none_or(|separator| !word.contains(separator));
        let new: Vec<String> = keywords
            .iter()
            .filter(fits)
            .filter(|word| seen.insert(word.to_lowercase(), ()).is_none())
            .cloned()
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        let mut taken_over = match (forms.is_empty(), list.separator) {
            (true, Some(_)) => values(self.tree, &self::forms(self.tree, SUBJECT)?),
            _ => Vec::new(),
        };
        // Somebody's own spelling wins.
        let mut taken = BTreeMap::new();
        taken_over.retain(|word| fits(&word) && taken.insert(word.to_lowercase(), ()).is_none());
        let new = new.into_iter().filter(|word| !taken.contains_key(&word.to_lowercase()));
        let new: Vec<String> = taken_over.into_iter().chain(new).collect();
        let items: Vec<Item> = new.iter().map(|word| Item::of(word)).collect();
        // A list is the place to add to, wherever else the property stands.
        let best = forms.iter().find(|form| matches!(form, Form::List { .. })).or(forms.first());
        match best.cloned() {
            Some(Form::List { container, .. }) => self.extend(container, &items),
            Some(Form::Plain { element }) => self.wrap(element, list.container, &items),
            Some(Form::Attribute { element, at }) => {
                let attribute = &self.tree.elements[element].attributes[at];
                let old = crate::photo::exif::clean(&attribute.value);
                let items: Vec<Item> =
                    old.as_deref().map(Item::of).into_iter().chain(items).collect();
                self.cut(attribute.span.clone());
                self.property(list.name, list.container, &items);
            }
            None => self.property(list.name, list.container, &items),
        }
        let property = list.name.to_owned();
        self.added.push(Added { property, values: new, new: forms.is_empty() });
        Ok(())
    }

    fn description(&mut self, sentence: &str) -> Result<(), Refused> {
        let forms = forms(self.tree, DESCRIPTION)?;
        if !values(self.tree, &forms).is_empty() {
            return Ok(());
        }
        let item = Item { attributes: " xml:lang=\"x-default\"", text: escaped(sentence) };
        match forms.first().cloned() {
            Some(Form::List { container, .. }) => {
                let default = items(self.tree, container).into_iter().find(|&item| {
                    let language = self.tree.elements[item].attribute("xml:lang");
                    language.is_some_and(|language| language.value == "x-default")
                });
                match default {
                    Some(empty) => self.fill(empty, &item.text),
                    None => self.extend(container, &[item]),
                }
            }
            Some(Form::Plain { element }) => self.wrap(element, "Alt", &[item]),
            Some(Form::Attribute { element, at }) => {
                self.cut(self.tree.elements[element].attributes[at].span.clone());
                self.property(DESCRIPTION, "Alt", &[item]);
            }
            None => self.property(DESCRIPTION, "Alt", &[item]),
        }
        self.added.push(Added {
            property: DESCRIPTION.to_owned(),
            values: vec![sentence.to_owned()],
            new: forms.is_empty(),
        });
        Ok(())
    }

    /// More items in a container.
    fn extend(&mut self, container: usize, new: &[Item]) {
        let element = &self.tree.elements[container];
        let name = element.sibling("li");
        match items(self.tree, container).last() {
            Some(&last) => {
                let last = self.tree.elements[last].span();
                let space = self.tree.space_before(last.start);
                let text = new.iter().map(|item| format!("{space}{}", item.written(&name)));
                self.insert(last.end, text.collect());
            }
            None => {
                let outer = self.tree.space_before(element.start.start);
                let inner = deeper(outer, 1);
                let text = new.iter().map(|item| format!("{inner}{}", item.written(&name)));
                let outer = if self.tree.text[element.inside()].is_empty() { outer } else { "" };
                self.fill(container, &format!("{}{outer}", text.collect::<String>()));
            }
        }
    }

    /// A container in a property that has none; its text becomes the first item.
    fn wrap(&mut self, property: usize, container: &str, new: &[Item]) {
        let element = &self.tree.elements[property];
        let rdf = &self.tree.elements[element.parent.unwrap_or(property)];
        let (container, li) = (rdf.sibling(container), rdf.sibling("li"));
        let items: String = new.iter().map(|item| item.written(&li)).collect();
        if element.content.trim().is_empty() {
            self.fill(property, &format!("<{container}>{items}</{container}>"));
        } else {
            self.insert(element.start.end, format!("<{container}><{li}>"));
            self.insert(element.end.start, format!("</{li}>{items}</{container}>"));
        }
    }

    /// A property that is not there yet.
    fn property(&mut self, name: &str, container: &str, items: &[Item]) {
        let (Home::Description(at) | Home::Rdf(at)) = self.home;
        let home = &self.tree.elements[at];
        let (usual, local) = name.split_once(':').unwrap_or(("", name));
        let address = namespace(usual);
        let rdf = home.written.split_once(':').map_or("", |(prefix, _)| prefix);
        let (prefix, declared) = match self.tree.prefix(at, address) {
            Some(prefix) => (prefix.to_owned(), String::new()),
            None => {
                // The document may call RDF itself by this name.
                let prefix = if rdf == usual { format!("{usual}1") } else { usual.to_owned() };
                let declared = format!(" xmlns:{prefix}=\"{address}\"");
                (prefix, declared)
            }
        };
        let name = if prefix.is_empty() { local.to_owned() } else { format!("{prefix}:{local}") };
        let (container, li) = (home.sibling(container), home.sibling("li"));
        let line = self.line();
        let [one, two] = [1, 2].map(|level| deeper(&line, level));
        let items: String =
            items.iter().map(|item| format!("{two}{}", item.written(&li))).collect();
        self.properties += &format!(
            "{line}<{name}{declared}>{one}<{container}>{items}{one}</{container}>{line}</{name}>"
        );
    }

    /// The white space before a new property.
    fn line(&self) -> String {
        let space = |at: usize| self.tree.space_before(self.tree.elements[at].start.start);
        match self.home {
            Home::Description(at) => match self.tree.elements[at].children.last() {
                Some(&last) => space(last).to_owned(),
                None => deeper(space(at), 1),
            },
            Home::Rdf(at) => deeper(space(at), 2),
        }
    }

    /// Puts text into an element that holds no elements.
    fn fill(&mut self, at: usize, text: &str) {
        let element = &self.tree.elements[at];
        if !element.is_closed_at_once() {
            self.insert(element.start.end, text.to_owned());
            return;
        }
        let slash = self.tree.text[element.start.clone()].rfind("/>").unwrap_or_default();
        let new = format!(">{text}</{}>", element.written);
        self.edits.push(Edit { at: element.start.start + slash, old: "/>".into(), new });
    }

    fn insert(&mut self, at: usize, new: String) {
        self.edits.push(Edit { at, old: String::new(), new });
    }

    fn cut(&mut self, span: std::ops::Range<usize>) {
        let old = self.tree.text[span.clone()].to_owned();
        self.edits.push(Edit { at: span.start, old, new: String::new() });
    }

    fn finish(mut self) -> (Vec<Edit>, Vec<Added>) {
        if !self.properties.is_empty() {
            let properties = std::mem::take(&mut self.properties);
            let (Home::Description(at) | Home::Rdf(at)) = self.home;
            let home = &self.tree.elements[at];
            let outer = self.tree.space_before(home.start.start);
            let empty = self.tree.text[home.inside()].is_empty();
            let new = match self.home {
                Home::Description(_) => properties,
                Home::Rdf(_) => {
                    let (name, line) = (home.sibling("Description"), deeper(outer, 1));
                    // An attribute without a prefix is of no namespace.
                    let about = home.written.split_once(':');
                    let about =
                        about.map_or(String::new(), |(rdf, _)| format!(" {rdf}:about=\"\""));
                    format!("{line}<{name}{about}>{properties}{line}</{name}>")
                }
            };
            match home.children.last() {
                Some(&last) => self.insert(self.tree.elements[last].end.end, new),
                None => self.fill(at, &format!("{new}{}", if empty { outer } else { "" })),
            }
        }
        self.edits.sort_by_key(|edit| edit.at);
        (self.edits, self.added)
    }
}

/// White space of so many levels more, where it begins a line; none elsewhere.
fn deeper(space: &str, levels: usize) -> String {
    match space.rfind('\n') {
        Some(line) => {
            let begins = if space[..line].ends_with('\r') { line - 1 } else { line };
            format!("{}{}", &space[begins..], " ".repeat(levels))
        }
        None => String::new(),
    }
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
