//! What must hold of a photo: the leaves of a filter.

use std::fmt;

use serde::Serialize;

use crate::date::DateRange;
use crate::marks;
use crate::place::Near;

/// A list of names, of which a photo has one.
macro_rules! names {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $text:literal $(| $other:literal)*,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum $name { $($(#[$about])* $variant,)+ }

        impl $name {
            /// The names that a query may use.
            pub const NAMES: &[&str] = &[$($text),+];

            /// The name in a query.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }

            /// What a name says, in any case.
            pub fn named(name: &str) -> Option<Self> {
                match name.to_ascii_lowercase().as_str() {
                    $($text $(| $other)* => Some(Self::$variant),)+
                    _ => None,
                }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

names! {
    /// A part of what was written about a photo.
    TextField {
        /// Make and model of the camera.
        Camera = "camera",
        /// The name of the place.
        Place = "place",
        /// The title.
        Title = "title",
        /// Tags and keywords.
        Tag = "tag",
        /// The longer description.
        Description = "description",
        /// Captions.
        Caption = "caption",
        /// Who made it.
        Author = "author",
        /// The folder in which it lies, and those above.
        Folder = "folder",
        /// The name of the file.
        Name = "name",
    }
}

names! {
    /// The kind of a picture's file.
    Kind {
        /// JPEG.
        Jpeg = "jpeg" | "jpg",
        /// PNG.
        Png = "png",
        /// WebP.
        Webp = "webp",
        /// GIF.
        Gif = "gif",
        /// BMP.
        Bmp = "bmp",
        /// TIFF.
        Tiff = "tiff" | "tif",
    }
}

names! {
    /// How a picture stands, as it is meant to be seen.
    Orientation {
        /// Higher than wide.
        Portrait = "portrait",
        /// Wider than high.
        Landscape = "landscape",
        /// As wide as high.
        Square = "square",
    }
}

names! {
    /// Something that may be known about a photo, or not.
    Known {
        /// At least one caption.
        Caption = "caption" | "captions",
        /// A description.
        Description = "description",
        /// At least one tag or keyword.
        Keywords = "keywords" | "keyword" | "tags" | "tag",
        /// A title.
        Title = "title",
        /// When it was taken.
        Date = "date",
        /// Where it was taken, in degrees.
        Gps = "gps",
        /// Where it was taken, by name.
        Place = "place",
        /// The camera.
        Camera = "camera",
        /// Who made it.
        Author = "author",
    }
}

/// A number of pixels, from the least to the most, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub struct Pixels {
    /// No fewer than this.
    pub least: Option<u32>,
    /// No more than this.
    pub most: Option<u32>,
}

impl Pixels {
    /// Whether a number lies between.
    pub fn contains(&self, number: u32) -> bool {
        self.least.is_none_or(|least| least <= number)
            && self.most.is_none_or(|most| number <= most)
    }

    /// What `width:` takes: `2000`, `>2000`, `>=2000`, `<2000`, `<=2000`, `1000..2000`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let number = |text: &str| {
            let text = text.trim().trim_end_matches("px").trim_end();
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            plain.then(|| text.parse::<u32>().ok()).flatten()
        };
        let (least, most) = if let Some((least, most)) = text.split_once("..") {
            let end = |text: &str| match text.trim() {
                "" => Some(None),
                text => number(text).map(Some),
            };
            (end(least)?, end(most)?)
        } else if let Some(text) = text.strip_prefix(">=").or_else(|| text.strip_prefix('≥')) {
            (Some(number(text)?), None)
        } else if let Some(text) = text.strip_prefix("<=").or_else(|| text.strip_prefix('≤')) {
            (None, Some(number(text)?))
        } else if let Some(text) = text.strip_prefix('>') {
            (Some(number(text)?.checked_add(1)?), None)
        } else if let Some(text) = text.strip_prefix('<') {
            (None, Some(number(text)?.checked_sub(1)?))
        } else {
            let number = number(text.strip_prefix('=').unwrap_or(text))?;
            (Some(number), Some(number))
        };
        let ordered = least.zip(most).is_none_or(|(least, most)| least <= most);
        (ordered && (least.is_some() || most.is_some())).then_some(Self { least, most })
    }
}

impl fmt::Display for Pixels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (Some(least), Some(most)) if least == most => write!(f, "{least}"),
            (Some(least), Some(most)) => write!(f, "{least}..{most}"),
            (Some(least), None) => write!(f, ">={least}"),
            (None, most) => write!(f, "<={}", most.unwrap_or(u32::MAX)),
        }
    }
}

/// One thing that must hold of a photo.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Condition {
    /// These words stand one after the other in something that was written about the photo.
    Phrase(String),
    /// All of these words stand in what was written about the photo, in any order. Only what is
    /// left out is asked for in this way, so it is found within [`Filter::Not`](crate::Filter).
    Words(String),
    /// These words stand in one field.
    Text {
        /// The field.
        field: TextField,
        /// The words.
        text: String,
    },
    /// It was taken around a point.
    Near(Near),
    /// It was taken on one of these days.
    Taken(DateRange),
    /// It is so many pixels wide.
    Width(Pixels),
    /// It is so many pixels high.
    Height(Pixels),
    /// The kind of its file.
    Kind(Kind),
    /// How it stands.
    Orientation(Orientation),
    /// Something is known about it.
    Has(Known),
}

/// As it is written in a query.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Phrase(text) => write_quoted(f, text),
            Self::Words(text) => write!(f, "({text})"),
            Self::Text { field, text } => {
                write!(f, "{field}:")?;
                write_value(f, text)
            }
            Self::Near(near) => write!(f, "near:{near}"),
            Self::Taken(range) => write!(f, "date:{range}"),
            Self::Width(pixels) => write!(f, "width:{pixels}"),
            Self::Height(pixels) => write!(f, "height:{pixels}"),
            Self::Kind(kind) => write!(f, "type:{kind}"),
            Self::Orientation(orientation) => write!(f, "orientation:{orientation}"),
            Self::Has(known) => write!(f, "has:{known}"),
        }
    }
}

/// A value behind a colon, in quotes where it needs them.
pub(crate) fn write_value(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    let plain = text.starts_with(char::is_alphanumeric)
        && text.chars().all(|c| c.is_alphanumeric() || "-_./\\,'&#@:".contains(c));
    if plain { f.write_str(text) } else { write_quoted(f, text) }
}

/// In quotes; a quotation mark within stands twice.
fn write_quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    use fmt::Write;
    f.write_char('"')?;
    for c in text.chars() {
        if marks::is_quote(c) {
            f.write_char(c)?;
        }
        f.write_char(c)?;
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_pixels() {
        for (text, want) in [
            ("2000", "2000"),
            ("2000px", "2000"),
            (">2000", ">=2001"),
            (">=2000", ">=2000"),
            ("≥2000", ">=2000"),
            ("<2000", "<=1999"),
            ("<= 2000 px", "<=2000"),
            ("1000..2000", "1000..2000"),
            ("1000..", ">=1000"),
            ("..2000", "<=2000"),
        ] {
            let pixels = Pixels::parse(text).map(|pixels| pixels.to_string());
            assert_eq!(pixels.as_deref(), Some(want), "{text}");
        }
        for text in ["", "wide", "<0", ">4294967295", "2000..1000", "..", "-5", "1e3", ">", "2k"] {
            assert_eq!(Pixels::parse(text), None, "{text}");
        }
        assert!(Pixels { least: Some(5), most: None }.contains(5));
        assert!(!Pixels { least: None, most: Some(5) }.contains(6));
    }

    #[test]
    fn names_in_any_case() {
        assert_eq!(Kind::named("JPG"), Some(Kind::Jpeg));
        assert_eq!(Known::named("Tags"), Some(Known::Keywords));
        assert_eq!(Orientation::named("tall"), None);
    }
}
