//! XML files with the place of what is wrong in them.

use std::path::{Path, PathBuf};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesRef, BytesStart};

use crate::{Error, Place, Result, Sink, lines};

/// A whole XML file as text. The files of the data sets are small, and a place in them needs the
/// lines before it.
pub(crate) struct Document {
    path: PathBuf,
    /// The text, without a byte order mark.
    pub(crate) text: String,
}

impl Document {
    /// Reads a file; what is not UTF-8 is told to the sink.
    pub(crate) fn open(path: &Path, sink: &mut dyn Sink) -> Result<Self> {
        Ok(Self { path: path.to_path_buf(), text: lines::whole(path, sink)? })
    }

    /// The place of a byte.
    pub(crate) fn place(&self, byte: u64) -> Place {
        let before = self.text.as_bytes().get(..byte as usize).unwrap_or(self.text.as_bytes());
        let line = before.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
        Place::file(&self.path).line(line).byte(byte)
    }

    /// What the XML reader says about a byte.
    pub(crate) fn trouble(&self, byte: u64, error: impl std::fmt::Display) -> Error {
        Error::malformed(self.place(byte), format!("not well-formed XML: {error}"))
            .with_hint("the file may be cut short; copy or download it again")
    }
}

/// The attributes of an element with their values as meant; those that cannot be read are given
/// as errors by name.
pub(crate) fn attributes<'a>(
    element: &'a BytesStart<'_>,
) -> impl Iterator<Item = std::result::Result<(&'a str, String), String>> {
    element.attributes().map(|attribute| {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let name = attribute.key.into_inner();
        match attribute.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) => Ok((name, value.into_owned())),
            // HTML's entities are no entities of XML: the text is kept as written.
            Err(_) => Ok((name, attribute.value.into_owned())),
        }
    })
}

/// What an entity in a text stands for; as written where it is not one of XML's own.
pub(crate) fn entity(reference: &BytesRef<'_>) -> String {
    if let Ok(Some(character)) = reference.resolve_char_ref() {
        return character.to_string();
    }
    match quick_xml::escape::resolve_predefined_entity(reference) {
        Some(text) => text.to_owned(),
        None => format!("&{};", &**reference),
    }
}
