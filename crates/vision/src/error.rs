//! What can go wrong between a file and its features.

use std::path::PathBuf;

use rebus_collection::ItemId;

/// Why a picture could not be turned into features.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("{name}: {source}")]
    Io {
        /// The picture's path or name.
        name: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are no picture that we can decode.
    #[error("{name}: cannot be decoded: {what}")]
    Undecodable {
        /// The picture's path or name.
        name: String,
        /// What the decoder said.
        what: String,
    },
    /// The picture has more pixels than we are willing to hold.
    #[error("{name}: {width} x {height} pixels is more than the limit of {limit}")]
    TooLarge {
        /// The picture's path or name.
        name: String,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The most pixels allowed.
        limit: u64,
    },
    /// The collection speaks of the picture but does not have it.
    #[error("{item}: the picture is not at hand")]
    Absent {
        /// The item.
        item: ItemId,
    },
    /// The features kept from earlier cannot be read or written.
    #[error("{name}: {what}")]
    Cache {
        /// The cache's file.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A kernel was given what it cannot compare.
    #[error("kernel {kernel}: {what}")]
    Kernel {
        /// The kernel.
        kernel: String,
        /// What does not fit.
        what: String,
    },
    /// Visual words cannot be made with these settings or from these pictures.
    #[error("visual words: {what}")]
    Words {
        /// What is wrong.
        what: String,
    },
    /// A picture cannot be divided so, or blobs cannot be made from these regions.
    #[error("regions: {what}")]
    Regions {
        /// What is wrong.
        what: String,
    },
    /// A folder of visual words or blobs is damaged.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, naming the tensor or the field.
        what: String,
    },
    /// A network file is damaged, or not what it should be.
    #[error("{name}: {what}")]
    Network {
        /// The network's file.
        name: String,
        /// What is wrong with it, with the tensor's name where it is about one.
        what: String,
    },
    /// There is no network of this name or path here.
    #[error("{name}: {what}")]
    NoNetwork {
        /// What was asked for.
        name: String,
        /// What can be done about it.
        what: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { .. }
            | Self::Interrupted
            | Self::Kernel { .. }
            | Self::Words { .. }
            | Self::Regions { .. } => None,
            Self::Undecodable { .. } => {
                Some("check that the file is a whole JPEG, PNG, WebP, GIF, BMP or TIFF".into())
            }
            Self::TooLarge { .. } => Some("make the picture smaller".into()),
            Self::Absent { .. } => Some("say where the photos are".into()),
            Self::Damaged { .. } => {
                Some("make the vocabulary again, or fetch the folder again".into())
            }
            Self::NoNetwork { .. } => Some("`rebus model list` names those that can be had".into()),
            Self::Network { .. } => Some(
                "an ONNX network that takes pictures as floats, channels first, is needed".into(),
            ),
            Self::Cache { .. } => Some("the cache may be deleted; it is filled again".into()),
        }
    }
}

/// The result of looking at a picture.
pub type Result<T> = std::result::Result<T, Error>;
