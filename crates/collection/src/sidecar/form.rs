//! The properties that are written, and the ways in which documents have them.

use super::Refused;
use super::tree::{Element, Tree};
use crate::photo::exif::clean;

/// A property that holds a list of keywords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct List {
    pub(super) name: &'static str,
    /// What a new one is made of.
    pub(super) container: &'static str,
    /// What stands between the levels of a hierarchy, where values are paths.
    pub(super) separator: Option<char>,
}

/// The property of plain keywords.
pub(super) const SUBJECT: &str = "dc:subject";

/// The lists, in the order in which they are written.
pub(super) const LISTS: [List; 3] = [
    List { name: SUBJECT, container: "Bag", separator: None },
    List { name: "digiKam:TagsList", container: "Seq", separator: Some('/') },
    List { name: "lr:hierarchicalSubject", container: "Bag", separator: Some('|') },
];

/// Whether a property holds paths, which repeat what the plain keywords say.
pub(super) fn is_list_of_paths(property: &str) -> bool {
    LISTS.iter().any(|list| list.name == property && list.separator.is_some())
}

/// The property that holds the description.
pub(super) const DESCRIPTION: &str = "dc:description";

/// The addresses of the namespaces that are written.
pub(super) fn namespace(prefix: &str) -> &'static str {
    match prefix {
        "dc" => "http://purl.org/dc/elements/1.1/",
        "digiKam" => "http://www.digikam.org/ns/1.0/",
        _ => "http://ns.adobe.com/lightroom/1.0/",
    }
}

/// One place where a document has a property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Form {
    /// An attribute of a description: which of which element.
    Attribute { element: usize, at: usize },
    /// An element with plain text, or with nothing.
    Plain { element: usize },
    /// An element around an `rdf:Bag`, `rdf:Seq` or `rdf:Alt`.
    List { property: usize, container: usize },
}

/// Every place where the document has a property.
pub(super) fn forms(tree: &Tree<'_>, name: &str) -> Result<Vec<Form>, Refused> {
    let mut found = Vec::new();
    for element in tree.descriptions() {
        let description = &tree.elements[element];
        for (at, attribute) in description.attributes.iter().enumerate() {
            if attribute.name.as_deref() == Some(name) {
                found.push(Form::Attribute { element, at });
            }
        }
        for &child in &description.children {
            if tree.elements[child].is(name) {
                found.push(form(tree, child, name)?);
            }
        }
    }
    Ok(found)
}

fn form(tree: &Tree<'_>, at: usize, name: &str) -> Result<Form, Refused> {
    let property = &tree.elements[at];
    let odd = |what: &str| {
        let what = format!("{name} is {what}, to which nothing can be added");
        Err(Refused { byte: property.start.start as u64, what })
    };
    let rdf = |attribute: &&super::tree::Attribute| {
        attribute.name.as_deref().is_some_and(|name| name.starts_with("rdf:"))
    };
    if property.attributes.iter().find(rdf).is_some() {
        return odd("a reference or a structure");
    }
    match property.children[..] {
        [] => Ok(Form::Plain { element: at }),
        [container] if is_container(&tree.elements[container]) => {
            Ok(Form::List { property: at, container })
        }
        _ => odd("a structure"),
    }
}

fn is_container(element: &Element) -> bool {
    ["rdf:Bag", "rdf:Seq", "rdf:Alt"].iter().any(|name| element.is(name))
}

/// The items of a container.
pub(super) fn items(tree: &Tree<'_>, container: usize) -> Vec<usize> {
    let children = tree.elements[container].children.iter().copied();
    children.filter(|&child| tree.elements[child].is("rdf:li")).collect()
}

/// The values of a property, as readers see them.
pub(super) fn values(tree: &Tree<'_>, forms: &[Form]) -> Vec<String> {
    let plain = |element: usize| clean(&tree.elements[element].content);
    let mut found = Vec::new();
    for form in forms {
        match *form {
            Form::Attribute { element, at } => {
                found.extend(clean(&tree.elements[element].attributes[at].value));
            }
            Form::Plain { element } => found.extend(plain(element)),
            Form::List { container, .. } => {
                found.extend(items(tree, container).into_iter().filter_map(plain));
            }
        }
    }
    found
}
