//! One file a format. Each implements [`Format`](crate::format::Format) and stands in
//! [`FORMATS`](crate::format::FORMATS).

pub(crate) mod coco;
pub(crate) mod corel5k;
pub(crate) mod div400;
pub(crate) mod flickr;
pub(crate) mod folder;
pub(crate) mod karpathy;
pub(crate) mod table;
pub(crate) mod webdataset;
