//! XMP: what photo programs write, inside a picture or into a sidecar beside it.
//!
//! RDF in XML. A property is an attribute or an element of `rdf:Description`; its values are plain
//! text, `rdf:resource`, or the `rdf:li` of an `rdf:Alt` (one text in several languages: the default
//! is taken), `rdf:Bag` or `rdf:Seq`. Names are told apart by their namespace, whatever the prefix.

use quick_xml::NsReader;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};
use rustc_hash::FxHashMap;

use crate::photo::exif::{camera, clean};
use crate::xml::{attributes, entity};
use crate::{Coordinates, Metadata, dates};

/// The namespaces that hold what we take, with the prefixes under which they are known.
const NAMESPACES: &[(&str, &str)] = &[
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"),
    ("http://purl.org/dc/elements/1.1/", "dc"),
    ("http://ns.adobe.com/xap/1.0/", "xmp"),
    ("http://ns.adobe.com/xap/1.0/rights/", "xmpRights"),
    ("http://ns.adobe.com/photoshop/1.0/", "photoshop"),
    ("http://ns.adobe.com/lightroom/1.0/", "lr"),
    ("http://www.digikam.org/ns/1.0/", "digiKam"),
    ("http://ns.adobe.com/exif/1.0/", "exif"),
    ("http://ns.adobe.com/tiff/1.0/", "tiff"),
    ("http://creativecommons.org/ns#", "cc"),
    ("http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/", "Iptc4xmpCore"),
    ("http://ns.microsoft.com/photo/1.0/", "MicrosoftPhoto"),
];

/// What is wrong with a document, and at which byte of it.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) byte: u64,
    pub(crate) what: String,
}

/// The metadata of an XMP document; what comes before a fault is given beside the fault.
pub(crate) fn metadata(text: &str) -> (Metadata, Option<Trouble>) {
    let mut properties = Properties::default();
    let trouble = properties.read(text).err();
    (properties.metadata(), trouble)
}

#[derive(Default)]
struct Properties {
    values: FxHashMap<String, Vec<Value>>,
}

struct Value {
    text: String,
    language: Option<String>,
}

/// An element that is open.
struct Open {
    name: Option<String>,
    language: Option<String>,
    text: String,
    /// Whether an element came inside: then its own text is only white space.
    has_children: bool,
}

/// How deep elements may lie in each other before it is no photo's metadata.
pub(crate) const DEEPEST: usize = 64;

impl Properties {
    fn read(&mut self, text: &str) -> Result<(), Trouble> {
        let mut reader = NsReader::from_str(text);
        let mut open: Vec<Open> = Vec::new();
        loop {
            let start = reader.buffer_position();
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let (byte, what) = (reader.error_position(), error.to_string());
                    return Err(Trouble { byte, what });
                }
            };
            match event {
                Event::Start(element) => {
                    if open.len() >= DEEPEST {
                        let what = format!("more than {DEEPEST} elements within each other");
                        return Err(Trouble { byte: start, what });
                    }
                    self.enter(&reader, &element, &mut open);
                }
                Event::Empty(element) => {
                    self.enter(&reader, &element, &mut open);
                    self.leave(&mut open);
                }
                Event::End(_) => self.leave(&mut open),
                Event::Text(text) => add(&mut open, &text.xml10_content()),
                Event::CData(text) => add(&mut open, &text.xml10_content()),
                Event::GeneralRef(reference) => add(&mut open, &entity(&reference)),
                Event::Eof if open.is_empty() => return Ok(()),
                Event::Eof => {
                    let what = "it ends before its elements do".to_owned();
                    return Err(Trouble { byte: start, what });
                }
                _ => {}
            }
        }
    }

    fn enter(&mut self, reader: &NsReader<&[u8]>, element: &BytesStart<'_>, open: &mut Vec<Open>) {
        let (namespace, local) = reader.resolver().resolve_element(element.name());
        let name = full_name(&namespace, local.into_inner());
        let mut language = None;
        let in_property = property_of(open).is_some();
        for (key, value) in attributes(element).flatten() {
            if key == "xml:lang" {
                language = Some(value);
                continue;
            }
            let (namespace, local) =
                reader.resolver().resolve_attribute(quick_xml::name::QName(key));
            match full_name(&namespace, local.into_inner()).as_deref() {
                // Where a property only points at something, that is its value.
                Some("rdf:resource") if !in_property => {
                    if let Some(name) = &name {
                        self.add(name, &value, None);
                    }
                }
                Some(property)
                    if name.as_deref() == Some("rdf:Description")
                        && !in_property
                        && !property.starts_with("rdf:") =>
                {
                    self.add(property, &value, None);
                }
                _ => {}
            }
        }
        if let Some(parent) = open.last_mut() {
            parent.has_children = true;
        }
        open.push(Open { name, language, text: String::new(), has_children: false });
    }

    fn leave(&mut self, open: &mut Vec<Open>) {
        let depth = property_of(open);
        let Some(closed) = open.pop() else { return };
        let Some(at) = depth else { return };
        let is_item = closed.name.as_deref() == Some("rdf:li");
        // A property's own text, or an item of its list; structures inside are not ours.
        let own = at == open.len();
        let listed = is_item && at + 2 == open.len();
        if closed.has_children || !(own || listed) {
            return;
        }
        let name = if own { closed.name } else { open[at].name.clone() };
        if let Some(name) = name {
            self.add(&name, &closed.text, closed.language);
        }
    }

    fn add(&mut self, name: &str, text: &str, language: Option<String>) {
        if let Some(text) = clean(text) {
            self.values.entry(name.to_owned()).or_default().push(Value { text, language });
        }
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        self.values.get(name).into_iter().flatten().map(|value| value.text.as_str())
    }

    /// The value of a property; of several languages, the default one, or the first.
    fn one(&self, name: &str) -> Option<String> {
        let values = self.values.get(name)?;
        let default = values.iter().find(|value| value.language.as_deref() == Some("x-default"));
        default.or(values.first()).map(|value| value.text.clone())
    }

    fn first_of(&self, names: &[&str]) -> Option<String> {
        names.iter().find_map(|name| self.one(name))
    }

    fn joined(&self, names: &[&str]) -> Option<String> {
        let parts: Vec<String> = names.iter().filter_map(|name| self.one(name)).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    fn metadata(&self) -> Metadata {
        let creators: Vec<&str> = self.all("dc:creator").collect();
        let coordinates = self
            .one("exif:GPSLatitude")
            .zip(self.one("exif:GPSLongitude"))
            .and_then(|(north, east)| coordinates(&north, &east));
        Metadata {
            title: self.one("dc:title").or_else(|| self.one("photoshop:Headline")),
            tags: self.tags(),
            description: self.one("dc:description"),
            date: ["photoshop:DateCreated", "exif:DateTimeOriginal", "xmp:CreateDate"]
                .into_iter()
                .find_map(|name| self.one(name).as_deref().and_then(dates::normalise)),
            place: self.joined(&[
                "Iptc4xmpCore:Location",
                "photoshop:City",
                "photoshop:State",
                "photoshop:Country",
            ]),
            coordinates,
            camera: camera(self.one("tiff:Make"), self.one("tiff:Model")),
            author: (!creators.is_empty()).then(|| creators.join(", ")),
            licence: self.first_of(&[
                "cc:license",
                "xmpRights:UsageTerms",
                "dc:rights",
                "xmpRights:WebStatement",
            ]),
        }
    }

    /// Plain tags first, then the parts of those that lie in a hierarchy (`Animal|Dog` is `Animal`
    /// and `Dog`), each once.
    fn tags(&self) -> Vec<String> {
        let plain = self.all("dc:subject").chain(self.all("MicrosoftPhoto:LastKeywordXMP"));
        let bars = self.all("lr:hierarchicalSubject").flat_map(|path| path.split('|'));
        let slashes = self.all("digiKam:TagsList").flat_map(|path| path.split('/'));
        let mut tags: Vec<String> = Vec::new();
        for tag in plain.chain(bars).chain(slashes).filter_map(clean) {
            if !tags.contains(&tag) {
                tags.push(tag);
            }
        }
        tags
    }
}

/// The position of the open element that is a property: the child of an `rdf:Description` that
/// itself lies in no property.
fn property_of(open: &[Open]) -> Option<usize> {
    let description = open.iter().position(|o| o.name.as_deref() == Some("rdf:Description"))?;
    (open.len() > description + 1).then_some(description + 1)
}

fn add(open: &mut [Open], text: &str) {
    if let Some(inner) = open.last_mut() {
        inner.text.push_str(text);
    }
}

/// A name with the usual prefix of its namespace.
pub(crate) fn full_name(namespace: &ResolveResult<'_>, local: &str) -> Option<String> {
    let ResolveResult::Bound(Namespace(address)) = namespace else { return None };
    let (_, prefix) = NAMESPACES.iter().find(|(known, _)| known == address)?;
    Some(format!("{prefix}:{local}"))
}

fn coordinates(north: &str, east: &str) -> Option<Coordinates> {
    Coordinates::known(degrees(north, ['N', 'S'])?, degrees(east, ['E', 'W'])?)
}

/// `47,25.3833N` (degrees, minutes) or `47,25,23N` (and seconds); some write plain degrees.
fn degrees(text: &str, signs: [char; 2]) -> Option<f64> {
    let text = text.trim();
    let sign = text.chars().next_back()?.to_ascii_uppercase();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let mut total = 0.0;
    let mut unit = 1.0;
    for part in number.split(',') {
        total += part.trim().parse::<f64>().ok()? / unit;
        unit *= 60.0;
    }
    let signed = if sign == signs[1] { -total } else { total };
    (total.is_finite() && (sign.is_ascii_digit() || signs.contains(&sign))).then_some(signed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACES: &str = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' \
        xmlns:d='http://purl.org/dc/elements/1.1/' xmlns:xmp='http://ns.adobe.com/xap/1.0/' \
        xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' \
        xmlns:lr='http://ns.adobe.com/lightroom/1.0/' xmlns:digiKam='http://www.digikam.org/ns/1.0/' \
        xmlns:exif='http://ns.adobe.com/exif/1.0/' xmlns:tiff='http://ns.adobe.com/tiff/1.0/' \
        xmlns:cc='http://creativecommons.org/ns#' xmlns:other='urn:other'";

    fn document(attributes: &str, elements: &str) -> String {
        format!(
            "<?xpacket begin='\u{feff}'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF {SPACES}>\
             <rdf:Description rdf:about='' {attributes}>{elements}</rdf:Description></rdf:RDF>\
             </x:xmpmeta><?xpacket end='w'?>"
        )
    }

    #[test]
    fn elements_in_all_their_forms() {
        let text = document(
            "",
            "<d:title><rdf:Alt><rdf:li xml:lang='de'>Hafen</rdf:li>\
             <rdf:li xml:lang='x-default'>Harbour &amp; sea</rdf:li></rdf:Alt></d:title>\
             <d:description> Boats &#233; <!-- c --></d:description>\
             <d:subject><rdf:Bag><rdf:li>sea</rdf:li><rdf:li>boat</rdf:li><rdf:li/></rdf:Bag></d:subject>\
             <lr:hierarchicalSubject><rdf:Bag><rdf:li>Nature|sea</rdf:li></rdf:Bag></lr:hierarchicalSubject>\
             <digiKam:TagsList><rdf:Seq><rdf:li>People/Ann</rdf:li></rdf:Seq></digiKam:TagsList>\
             <d:creator><rdf:Seq><rdf:li>Ann</rdf:li><rdf:li>Bob</rdf:li></rdf:Seq></d:creator>\
             <cc:license rdf:resource='https://creativecommons.org/licenses/by/4.0/'/>\
             <other:thing><rdf:Description><d:title>not this</d:title></rdf:Description></other:thing>\
             <exif:GPSLatitude>47,25.5N</exif:GPSLatitude><exif:GPSLongitude>9,22,30W</exif:GPSLongitude>",
        );
        let (metadata, trouble) = metadata(&text);
        assert!(trouble.is_none(), "{trouble:?}");
        assert_eq!(metadata.title.as_deref(), Some("Harbour & sea"));
        assert_eq!(metadata.description.as_deref(), Some("Boats \u{e9}"));
        assert_eq!(metadata.tags, ["sea", "boat", "Nature", "People", "Ann"]);
        assert_eq!(metadata.author.as_deref(), Some("Ann, Bob"));
        assert!(metadata.licence.unwrap().ends_with("by/4.0/"));
        let place = metadata.coordinates.unwrap();
        assert!((place.latitude - 47.425).abs() < 1e-9);
        assert!((place.longitude + 9.375).abs() < 1e-9);
    }

    #[test]
    fn attributes_are_properties_too() {
        let text = document(
            "photoshop:DateCreated='2019-02-03T10:11:12' photoshop:City='Lund' \
             photoshop:Country='Sweden' tiff:Make='Canon' tiff:Model='Canon EOS 5D' \
             xmp:CreateDate='2001-01-01' d:rights='(c)'",
            "",
        );
        let (metadata, trouble) = metadata(&text);
        assert!(trouble.is_none());
        assert_eq!(metadata.date.as_deref(), Some("2019-02-03T10:11:12"));
        assert_eq!(metadata.place.as_deref(), Some("Lund, Sweden"));
        assert_eq!(metadata.camera.as_deref(), Some("Canon EOS 5D"));
        assert_eq!(metadata.licence.as_deref(), Some("(c)"));
    }

    #[test]
    fn cut_anywhere_it_gives_what_it_has_and_says_where() {
        let text = document("photoshop:City='Lund'", "<d:description>Boats</d:description>");
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let (_, trouble) = metadata(&text[..end]);
            assert!(trouble.is_none_or(|trouble| trouble.byte <= end as u64));
        }
        let (half, trouble) = metadata(&text[..text.len() - 50]);
        assert_eq!(half.description.as_deref(), Some("Boats"));
        assert!(trouble.is_some());
        let deep = "<a>".repeat(10_000);
        assert!(metadata(&deep).1.unwrap().what.contains("within each other"));
    }
}
