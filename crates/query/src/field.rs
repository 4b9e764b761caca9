//! The fields: what may stand before a colon.

use crate::condition::{Condition, Kind, Known, Orientation, Pixels, TextField};
use crate::date::DateRange;
use crate::error::Problem;
use crate::marks;
use crate::place::{Kilometres, Near};

/// A field of the language, for lists and completions.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Field {
    /// What stands before the colon.
    pub name: &'static str,
    /// What it asks for.
    pub about: &'static str,
    /// One use of it.
    pub example: &'static str,
    pub(crate) takes: Takes,
}

/// How a field's value is read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Takes {
    Text(TextField),
    Place,
    Distance,
    Date,
    Before,
    After,
    Width,
    Height,
    Kind,
    Orientation,
    Known,
    Picture,
}

/// What a field and its value say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    Condition(Condition),
    Within(Kilometres),
    Like(String),
}

/// All fields, in the order in which they are best explained.
pub const FIELDS: &[Field] = &[
    field("title", "words of the title", "title:\"the harbour\"", Takes::Text(TextField::Title)),
    field("tag", "words of a tag or keyword", "tag:holiday", Takes::Text(TextField::Tag)),
    field("keyword", "the same as tag", "keyword:holiday", Takes::Text(TextField::Tag)),
    field(
        "description",
        "words of the description",
        "description:sunset",
        Takes::Text(TextField::Description),
    ),
    field("caption", "words of a caption", "caption:\"two dogs\"", Takes::Text(TextField::Caption)),
    field("author", "who made it", "author:ansel", Takes::Text(TextField::Author)),
    field("camera", "make or model of the camera", "camera:nikon", Takes::Text(TextField::Camera)),
    field("place", "the name of the place, or a point", "place:\"New York\"", Takes::Place),
    field("near", "the same as place", "near:48.2,16.4", Takes::Place),
    field(
        "within",
        "how far around the point of near",
        "near:48.2,16.4 within:5km",
        Takes::Distance,
    ),
    field("folder", "the folder, or one above", "folder:2019/alps", Takes::Text(TextField::Folder)),
    field("name", "the name of the file", "name:IMG_2041", Takes::Text(TextField::Name)),
    field("type", "the kind of the file", "type:jpeg", Takes::Kind),
    field("width", "pixels across", "width:>2000", Takes::Width),
    field("height", "pixels down", "height:1000..2000", Takes::Height),
    field(
        "orientation",
        "portrait, landscape or square",
        "orientation:portrait",
        Takes::Orientation,
    ),
    field("has", "something is known about it", "has:gps", Takes::Known),
    field("date", "when it was taken", "date:2019-05", Takes::Date),
    field("before", "taken before that began", "before:2020", Takes::Before),
    field("after", "taken after that ended", "after:2019-05", Takes::After),
    field("like", "looks like a picture", "like:beach.jpg", Takes::Picture),
];

const fn field(
    name: &'static str,
    about: &'static str,
    example: &'static str,
    takes: Takes,
) -> Field {
    Field { name, about, example, takes }
}

/// Names that other programs use for our fields.
const ELSEWHERE: &[(&str, &str)] = &[
    ("album", "folder"),
    ("by", "author"),
    ("city", "place"),
    ("country", "place"),
    ("creator", "author"),
    ("directory", "folder"),
    ("ext", "type"),
    ("extension", "type"),
    ("file", "name"),
    ("filename", "name"),
    ("filetype", "type"),
    ("format", "type"),
    ("lens", "camera"),
    ("location", "place"),
    ("make", "camera"),
    ("model", "camera"),
    ("month", "date"),
    ("path", "folder"),
    ("photographer", "author"),
    ("similar", "like"),
    ("since", "after"),
    ("subject", "tag"),
    ("taken", "date"),
    ("until", "before"),
    ("when", "date"),
    ("where", "place"),
    ("year", "date"),
];

/// The field of a name, in any case.
pub(crate) fn named(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name.eq_ignore_ascii_case(name))
}

/// The field that was probably meant by a name that is none.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    let name: Vec<char> = name.to_lowercase().chars().collect();
    let elsewhere = ELSEWHERE.iter().find(|(other, _)| other.chars().eq(name.iter().copied()));
    if let Some((_, ours)) = elsewhere {
        return Some(ours);
    }
    // One slip in a short name, two in a long one. Two letters are too few to be near anything.
    let slips = match name.len() {
        0..=2 => return None,
        3..=4 => 1,
        5..=16 => 2,
        _ => return None,
    };
    let distance = |field: &Field| {
        let known: Vec<char> = field.name.chars().collect();
        // What is short is soon something else.
        let allowed = if known.len() <= 4 { 1 } else { slips };
        Some(slips_between(&name, &known)).filter(|&distance| distance <= allowed)
    };
    FIELDS
        .iter()
        .filter_map(|field| Some((distance(field)?, field.name)))
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}

/// Letters to add, to drop, to change, or to swap with the next, from one name to another.
fn slips_between(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = changed.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped { best.min(rows[i - 2][j - 2] + 1) } else { best }
            };
        }
    }
    rows[a.len()][b.len()]
}

/// How the value of a field was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    Bare,
    Quoted,
}

impl Field {
    /// What the field says with a value.
    pub(crate) fn say(&self, value: &str, written: Written) -> Result<Said, Problem> {
        let text = value.trim();
        if text.is_empty() {
            return Err(Problem::EmptyValue { field: self.name, example: self.example });
        }
        let one_of = |names: &'static [&'static str]| Problem::NotAmong {
            field: self.name,
            value: text.to_owned(),
            names,
        };
        let words = |field| {
            let text = match field {
                // Names of files may hold anything.
                TextField::Folder | TextField::Name => text.to_owned(),
                _ => self.words(text, written)?,
            };
            Ok(Condition::Text { field, text })
        };
        let pixels = || {
            Pixels::parse(text)
                .ok_or_else(|| Problem::NoPixels { field: self.name, value: text.to_owned() })
        };
        Ok(Said::Condition(match self.takes {
            Takes::Text(field) => words(field)?,
            Takes::Place => match Near::parse(text) {
                Some(near) => Condition::Near(near?),
                None => words(TextField::Place)?,
            },
            Takes::Distance => {
                let distance = Kilometres::parse(text);
                let problem = || Problem::NoDistance(text.to_owned());
                return Ok(Said::Within(distance.ok_or_else(problem)?));
            }
            Takes::Date => Condition::Taken(DateRange::parse(text)?),
            Takes::Before => Condition::Taken(DateRange::before(text)?),
            Takes::After => Condition::Taken(DateRange::after(text)?),
            Takes::Width => Condition::Width(pixels()?),
            Takes::Height => Condition::Height(pixels()?),
            Takes::Kind => {
                let name = text.trim_start_matches('.');
                Condition::Kind(Kind::named(name).ok_or_else(|| one_of(Kind::NAMES))?)
            }
            Takes::Orientation => Condition::Orientation(
                Orientation::named(text).ok_or_else(|| one_of(Orientation::NAMES))?,
            ),
            Takes::Known => Condition::Has(Known::named(text).ok_or_else(|| one_of(Known::NAMES))?),
            // A path is taken as it is, blanks at its ends included.
            Takes::Picture => return Ok(Said::Like(value.to_owned())),
        }))
    }

    /// A value of words, unless it was meant otherwise.
    fn words(&self, text: &str, written: Written) -> Result<String, Problem> {
        if written == Written::Bare && text.starts_with(marks::is_minus) {
            let value = text.trim_start_matches(marks::is_minus).to_owned();
            return Err(Problem::MinusInValue { field: self.name, value });
        }
        if written == Written::Bare && text.starts_with(marks::is_open) {
            return Err(Problem::GroupAsValue { field: self.name });
        }
        Ok(marks::plain_blanks(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant() {
        for (name, want) in [
            ("camra", Some("camera")),
            ("cmaera", Some("camera")),
            ("Camer", Some("camera")),
            ("tags", Some("tag")),
            ("titel", Some("title")),
            ("dates", Some("date")),
            ("lke", Some("like")),
            ("year", Some("date")),
            ("http", None),
            ("https", None),
            ("mailto", None),
            ("zoom", None),
            ("f", None),
            ("ratio", None),
            ("étage", None),
        ] {
            assert_eq!(meant(name), want, "{name}");
        }
    }

    #[test]
    fn other_programs_names_lead_to_fields() {
        for (other, ours) in ELSEWHERE {
            assert!(named(other).is_none(), "{other}");
            assert!(named(ours).is_some(), "{ours}");
        }
    }
}
