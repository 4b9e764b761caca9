//! A picture and all that is known about it.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The id as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl<T: Into<Arc<str>>> From<T> for $name {
            fn from(id: T) -> Self {
                Self(id.into())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// The name of an item, stable across runs: a file name, or what the data set calls it.
    ItemId
}
text_id! {
    /// The name of a caption, such as `1000268201_693b08cb0e.jpg#0`.
    CaptionId
}
text_id! {
    /// The name of a topic: a query that somebody else wrote down and judged.
    TopicId
}

/// Where an item's picture lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ImageSource {
    /// The collection speaks about the picture, but the picture is not at hand.
    #[default]
    Absent,
    /// A file of its own.
    File(PathBuf),
    /// The bytes themselves (archives, tables).
    Bytes(Arc<[u8]>),
}

/// BLAKE3 of the picture's bytes: the key of every cache, and how moved files are recognised.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// The hash of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({self})")
    }
}

impl std::str::FromStr for ContentHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut hash = [0; 32];
        let pairs = text.as_bytes().as_chunks::<2>().0;
        let digit = |byte: u8| char::from(byte).to_digit(16);
        if text.len() != 64 {
            return Err(format!("a hash has 64 digits, not {}", text.len()));
        }
        for (to, &[high, low]) in hash.iter_mut().zip(pairs) {
            let both = digit(high).zip(digit(low));
            let (high, low) = both.ok_or_else(|| format!("`{text}` is no hash"))?;
            *to = (high * 16 + low) as u8;
        }
        Ok(Self(hash))
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for ContentHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Width and height in pixels, as the picture is meant to be seen (after orientation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

/// What people and cameras wrote about a picture.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Metadata {
    /// A short title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Free tags, in the order they were given, without repeats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// A longer description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When it was taken: `YYYY-MM-DD`, optionally with `THH:MM:SS` and an offset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The name of the place, if one was written down.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Degrees north and east.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coordinates: Option<Coordinates>,
    /// Make and model of the camera.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<String>,
    /// Who made the picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Terms of use, or the address of their text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
}

impl Metadata {
    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Fills what is missing here from `other`; what is here already stays. Tags are united.
    pub fn fill_from(&mut self, other: Self) {
        fn fill<T>(mine: &mut Option<T>, theirs: Option<T>) {
            if mine.is_none() {
                *mine = theirs;
            }
        }
        fill(&mut self.title, other.title);
        fill(&mut self.description, other.description);
        fill(&mut self.date, other.date);
        fill(&mut self.place, other.place);
        fill(&mut self.coordinates, other.coordinates);
        fill(&mut self.camera, other.camera);
        fill(&mut self.author, other.author);
        fill(&mut self.licence, other.licence);
        for tag in other.tags {
            if !self.tags.contains(&tag) {
                self.tags.push(tag);
            }
        }
    }
}

/// A point on the globe.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Coordinates {
    /// Degrees north, -90 to 90.
    pub latitude: f64,
    /// Degrees east, -180 to 180.
    pub longitude: f64,
}

impl Coordinates {
    /// A point, if it lies on the globe and is not 0, 0: that is what receivers and data sets write
    /// that do not know where they are.
    pub fn known(latitude: f64, longitude: f64) -> Option<Self> {
        let on_globe = latitude.abs() <= 90.0 && longitude.abs() <= 180.0;
        let known = latitude != 0.0 || longitude != 0.0;
        (on_globe && known).then_some(Self { latitude, longitude })
    }
}

/// A region token of a picture, as the relevance models see it (Corel5k's "blobs").
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blob {
    /// The number of the region's cluster.
    pub token: u32,
    /// How many regions of the picture fall into it; `None` where the source only says "present".
    pub count: Option<u32>,
}

/// One picture of a collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The item's stable name.
    pub id: ItemId,
    /// Where the picture is.
    pub image: ImageSource,
    /// The hash of its bytes, once they have been read.
    pub hash: Option<ContentHash>,
    /// The picture's size, once its header has been read.
    pub size: Option<Size>,
    /// What people and cameras wrote about it.
    pub metadata: Metadata,
    /// Keywords from a controlled list, in the source's order.
    pub keywords: Vec<String>,
    /// Region tokens, where the source has them.
    pub blobs: Vec<Blob>,
    /// Number of regions of the picture, which may exceed the tokens of known count.
    pub regions: Option<u32>,
}

impl Item {
    /// An item about which only its name is known.
    pub fn new(id: impl Into<ItemId>) -> Self {
        Self {
            id: id.into(),
            image: ImageSource::Absent,
            hash: None,
            size: None,
            metadata: Metadata::default(),
            keywords: Vec::new(),
            blobs: Vec::new(),
            regions: None,
        }
    }
}

/// A sentence that somebody wrote about an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caption {
    /// The caption's stable name.
    pub id: CaptionId,
    /// The item it describes.
    pub item: ItemId,
    /// The sentence, as written.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_read_as_it_is_written() {
        let hash = ContentHash::of(b"a picture");
        assert_eq!(hash.to_string().parse(), Ok(hash));
        let json = serde_json::to_string(&hash).unwrap();
        assert_eq!(serde_json::from_str::<ContentHash>(&json).unwrap(), hash);
        assert!("abc".parse::<ContentHash>().is_err());
        assert!("x".repeat(64).parse::<ContentHash>().is_err());
    }
}
