//! A document as elements that know where they stand in the text.

use std::ops::Range;

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{QName, ResolveResult};

use super::Refused;
use crate::photo::xmp::{DEEPEST, full_name};
use crate::xml::{attributes, entity};

/// A document that is well-formed.
#[derive(Debug)]
pub(super) struct Tree<'a> {
    pub(super) text: &'a str,
    /// In the order of their start tags.
    pub(super) elements: Vec<Element>,
}

#[derive(Debug)]
pub(super) struct Element {
    /// With the usual prefix of its namespace, where that is one that we know.
    pub(super) name: Option<String>,
    /// As it is written, with the document's own prefix.
    pub(super) written: String,
    pub(super) start: Range<usize>,
    /// The end tag; nothing, behind the start tag, for `<a/>`.
    pub(super) end: Range<usize>,
    pub(super) parent: Option<usize>,
    pub(super) children: Vec<usize>,
    /// Its own text, as meant.
    pub(super) content: String,
    pub(super) attributes: Vec<Attribute>,
    /// Prefixes that it declares, with their namespaces; the empty one is the default.
    bindings: Vec<(String, String)>,
}

#[derive(Debug)]
pub(super) struct Attribute {
    /// With the usual prefix of its namespace; `xml:lang` as it is.
    pub(super) name: Option<String>,
    pub(super) value: String,
    /// With the white space before it.
    pub(super) span: Range<usize>,
}

impl Element {
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.as_deref() == Some(name)
    }

    pub(super) fn is_closed_at_once(&self) -> bool {
        self.end.is_empty()
    }

    /// All of it, from the start tag to the end tag.
    pub(super) fn span(&self) -> Range<usize> {
        self.start.start..self.end.end
    }

    /// What stands between the tags.
    pub(super) fn inside(&self) -> Range<usize> {
        self.start.end..self.end.start
    }

    /// A name of the namespace that this element is of.
    pub(super) fn sibling(&self, local: &str) -> String {
        match self.written.split_once(':') {
            Some((prefix, _)) => format!("{prefix}:{local}"),
            None => local.to_owned(),
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name.as_deref() == Some(name))
    }
}

impl<'a> Tree<'a> {
    pub(super) fn read(text: &'a str) -> Result<Self, Refused> {
        let mut reader = NsReader::from_str(text);
        reader.config_mut().check_comments = true;
        let mut tree = Self { text, elements: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        loop {
            let from = reader.buffer_position();
            let event = reader.read_event().map_err(|error| Refused {
                byte: reader.error_position(),
                what: format!("not well-formed XML: {error}"),
            })?;
            let bad = |what: &str| {
                Err(Refused { byte: from, what: format!("not well-formed XML: {what}") })
            };
            let span = from as usize..reader.buffer_position() as usize;
            let outside = open.is_empty();
            match event {
                Event::Start(element) if open.len() >= DEEPEST => {
                    return bad(&format!(
                        "more than {DEEPEST} elements within each other, at {}",
                        element.name().into_inner()
                    ));
                }
                Event::Start(element) | Event::Empty(element)
                    if outside && !tree.elements.is_empty() =>
                {
                    return bad(&format!("a second document, {}", element.name().into_inner()));
                }
                Event::Start(element) => {
                    let at = tree.enter(&reader, &element, span, &open)?;
                    open.push(at);
                }
                Event::Empty(element) => {
                    tree.enter(&reader, &element, span, &open)?;
                }
                Event::End(_) => {
                    if let Some(at) = open.pop() {
                        tree.elements[at].end = span;
                    }
                }
                Event::Text(text) => {
                    let content = text.xml10_content();
                    if outside && !content.trim().is_empty() {
                        return bad("text outside of the document");
                    }
                    tree.say(&open, &content);
                }
                Event::CData(_) | Event::GeneralRef(_) if outside => {
                    return bad("text outside of the document");
                }
                Event::CData(text) => tree.say(&open, &text.xml10_content()),
                Event::GeneralRef(reference) => tree.say(&open, &entity(&reference)),
                Event::Eof if !outside => return bad("it ends before its elements do"),
                Event::Eof if tree.elements.is_empty() => return bad("there is nothing in it"),
                Event::Eof => return Ok(tree),
                _ => {}
            }
        }
    }

    fn say(&mut self, open: &[usize], text: &str) {
        if let Some(&at) = open.last() {
            self.elements[at].content.push_str(text);
        }
    }

    fn enter(
        &mut self,
        reader: &NsReader<&[u8]>,
        element: &BytesStart<'_>,
        start: Range<usize>,
        open: &[usize],
    ) -> Result<usize, Refused> {
        let bad = |what: String| Refused {
            byte: start.start as u64,
            what: format!("not well-formed XML: {what}"),
        };
        let resolved = |namespace: &ResolveResult<'_>, local: &str| match namespace {
            ResolveResult::Unknown(prefix) => Err(bad(format!("nothing declares `{prefix}`"))),
            _ => Ok(full_name(namespace, local)),
        };
        let written = element.name().into_inner().to_owned();
        let (namespace, local) = reader.resolver().resolve_element(element.name());
        let name = resolved(&namespace, local.into_inner())?;
        let spans = attribute_spans(&self.text[start.clone()], written.len() + 1);
        let (mut found, mut bindings) = (Vec::new(), Vec::new());
        for (attribute, span) in attributes(element).zip(spans) {
            let (key, value) = attribute.map_err(bad)?;
            if key == "xmlns" || key.starts_with("xmlns:") {
                let prefix = key.strip_prefix("xmlns:").unwrap_or_default().to_owned();
                bindings.push((prefix, value));
                continue;
            }
            let (namespace, local) = reader.resolver().resolve_attribute(QName(key));
            let name = match key {
                "xml:lang" => Some(key.to_owned()),
                _ => resolved(&namespace, local.into_inner())?,
            };
            let span = start.start + span.start..start.start + span.end;
            found.push(Attribute { name, value, span });
        }
        if let Some(Err(what)) = attributes(element).find(Result::is_err) {
            return Err(bad(what));
        }
        let at = self.elements.len();
        let parent = open.last().copied();
        if let Some(parent) = parent {
            self.elements[parent].children.push(at);
        }
        let end = start.end..start.end;
        self.elements.push(Element {
            name,
            written,
            start,
            end,
            parent,
            children: Vec::new(),
            content: String::new(),
            attributes: found,
            bindings,
        });
        Ok(at)
    }

    /// The prefix under which a namespace can be used in an element's content.
    pub(super) fn prefix(&self, element: usize, namespace: &str) -> Option<&str> {
        let mut seen: Vec<&str> = Vec::new();
        let mut at = Some(element);
        while let Some(here) = at {
            for (prefix, bound) in &self.elements[here].bindings {
                // What is declared further out is hidden by what is declared here.
                if !seen.contains(&prefix.as_str()) {
                    if bound == namespace {
                        return Some(prefix);
                    }
                    seen.push(prefix);
                }
            }
            at = self.elements[here].parent;
        }
        None
    }

    /// The descriptions that lie in no other.
    pub(super) fn descriptions(&self) -> impl Iterator<Item = usize> {
        (0..self.elements.len()).filter(|&at| {
            let mut above = self.elements[at].parent;
            while let Some(parent) = above {
                if self.elements[parent].is("rdf:Description") {
                    return false;
                }
                above = self.elements[parent].parent;
            }
            self.elements[at].is("rdf:Description")
        })
    }

    /// The white space directly before a byte.
    pub(super) fn space_before(&self, at: usize) -> &'a str {
        let before = &self.text[..at];
        &before[before.trim_end_matches([' ', '\t', '\r', '\n']).len()..]
    }
}

/// Where the attributes of a start tag stand in it, each with the white space before it. The tag
/// was read before, so that every value is known to be quoted.
fn attribute_spans(tag: &str, mut from: usize) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    while let Some(equals) = tag.get(from..).and_then(|rest| rest.find('=')) {
        let value = &tag[from + equals + 1..];
        let begins = value.len() - value.trim_start().len();
        let Some(quote) = value[begins..].chars().next() else { break };
        let Some(length) = value.get(begins + 1..).and_then(|rest| rest.find(quote)) else { break };
        let end = from + equals + 1 + begins + 1 + length + 1;
        spans.push(from..end);
        from = end;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_in_the_text() {
        let text = "<?xml version='1.0'?>\n<!-- c --><r:RDF xmlns:r='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
            <r:Description r:about = \"\"\n  xml:lang='=&gt;'><b/>t&amp;<![CDATA[u]]></r:Description></r:RDF>\n";
        let tree = Tree::read(text).unwrap();
        let [rdf, description, b] = &tree.elements[..] else { panic!("{:?}", tree.elements) };
        assert!(rdf.is("rdf:RDF") && description.is("rdf:Description"));
        assert_eq!(&text[description.inside()], "<b/>t&amp;<![CDATA[u]]>");
        assert_eq!(description.content, "t&u");
        assert_eq!(&text[b.span()], "<b/>");
        assert!(b.is_closed_at_once() && b.name.is_none());
        let spans: Vec<_> = description.attributes.iter().map(|a| &text[a.span.clone()]).collect();
        assert_eq!(spans, [" r:about = \"\"", "\n  xml:lang='=&gt;'"]);
        assert_eq!(description.attributes[1].value, "=>");
        assert_eq!(tree.prefix(2, "http://www.w3.org/1999/02/22-rdf-syntax-ns#"), Some("r"));
        assert_eq!(tree.space_before(rdf.start.start), "");
    }

    #[test]
    fn what_is_not_well_formed_is_refused_with_its_byte() {
        for (text, told) in [
            ("", "nothing in it"),
            ("hello", "outside"),
            ("<a>", "ends before"),
            ("<a></b>", "b"),
            ("<a/><b/>", "second document, b"),
            ("<a/>x", "outside"),
            ("<a/>&amp;", "outside"),
            ("<a b='1' b='2'/>", "duplicated"),
            ("<a b=1/>", "not well-formed"),
            ("<p:a/>", "nothing declares `p`"),
            ("<a p:b=''/>", "nothing declares `p`"),
            ("<a>&</a>", "not well-formed"),
        ] {
            let refused = Tree::read(text).unwrap_err();
            assert!(refused.what.contains(told), "{text}: {refused}");
            assert!(refused.byte <= text.len() as u64);
        }
        assert!(Tree::read(&"<a>".repeat(1000)).unwrap_err().what.contains("within each other"));
    }
}
