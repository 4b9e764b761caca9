//! The bytes of a sidecar as text, and back without a change.

use super::Refused;

/// How the text of a sidecar is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Units {
    Utf8,
    Utf16Little,
    Utf16Big,
}

/// The text of a sidecar, and how it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Encoded {
    /// Without a byte order mark.
    pub(super) text: String,
    units: Units,
    marked: bool,
}

const MARK: char = '\u{feff}';

impl Encoded {
    /// A text that is new.
    pub(super) fn new(text: String) -> Self {
        Self { text, units: Units::Utf8, marked: false }
    }

    /// Reads UTF-8, or UTF-16 with a byte order mark, to which XMP restricts sidecars.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Refused> {
        let (units, text) = match bytes {
            [0xff, 0xfe, ..] => (Units::Utf16Little, wide(bytes, u16::from_le_bytes)?),
            [0xfe, 0xff, ..] => (Units::Utf16Big, wide(bytes, u16::from_be_bytes)?),
            _ => {
                let text = std::str::from_utf8(bytes).map_err(|error| Refused {
                    byte: error.valid_up_to() as u64,
                    what: "neither UTF-8 nor UTF-16 with a byte order mark".into(),
                })?;
                (Units::Utf8, text.to_owned())
            }
        };
        let marked = text.starts_with(MARK);
        let text = text.strip_prefix(MARK).map(str::to_owned).unwrap_or(text);
        if let Some(other) = declared(&text).filter(|name| !fits(name, units)) {
            let what = format!("the encoding `{other}` is declared; UTF-8 and UTF-16 are written");
            return Err(Refused { byte: 0, what });
        }
        Ok(Self { text, units, marked })
    }

    /// The same with another text.
    pub(super) fn with(&self, text: String) -> Self {
        Self { text, ..*self }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mark = if self.marked { "\u{feff}" } else { "" };
        let units = || mark.encode_utf16().chain(self.text.encode_utf16());
        match self.units {
            Units::Utf8 => [mark.as_bytes(), self.text.as_bytes()].concat(),
            Units::Utf16Little => units().flat_map(u16::to_le_bytes).collect(),
            Units::Utf16Big => units().flat_map(u16::to_be_bytes).collect(),
        }
    }
}

fn wide(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Refused> {
    let bad = |what: &str| Refused { byte: bytes.len() as u64, what: what.into() };
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(bad("UTF-16 with half a character at the end"));
    }
    let units: Vec<u16> = pairs.iter().map(|&pair| unit(pair)).collect();
    String::from_utf16(&units).map_err(|_| bad("UTF-16 with half a character in it"))
}

/// The encoding that an XML declaration names.
fn declared(text: &str) -> Option<&str> {
    let declaration = text.strip_prefix("<?xml")?.split_once("?>")?.0;
    let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    value.get(1..)?.split(quote).next()
}

fn fits(name: &str, units: Units) -> bool {
    let names: &[&str] = match units {
        Units::Utf8 => &["utf-8", "utf8"],
        Units::Utf16Little => &["utf-16", "utf-16le"],
        Units::Utf16Big => &["utf-16", "utf-16be"],
    };
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_comes_back_as_it_was() {
        let text = "<?xml version='1.0'?><a>\u{e9} \u{1f415}\r\n</a>";
        let little: Vec<u8> =
            format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_be_bytes).collect();
        let marked = format!("\u{feff}{text}").into_bytes();
        for bytes in [text.as_bytes().to_vec(), marked, little, big] {
            let read = Encoded::read(&bytes).unwrap();
            assert_eq!(read.text, text);
            assert_eq!(read.bytes(), bytes);
        }
    }

    #[test]
    fn what_cannot_be_written_back_is_refused() {
        for (bytes, told) in [
            (&b"<a>\xe9</a>"[..], "neither UTF-8"),
            (b"<?xml version='1.0' encoding = \"ISO-8859-1\"?><a/>", "`ISO-8859-1` is declared"),
            (b"\xff\xfea", "half a character"),
            (b"\xff\xfe\x00\xd8", "half a character"),
        ] {
            let refused = Encoded::read(bytes).unwrap_err();
            assert!(refused.what.contains(told), "{refused}");
        }
        assert!(Encoded::read(b"<?xml version='1.0' encoding='UTF-8'?><a/>").is_ok());
    }
}
