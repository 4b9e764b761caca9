//! One file a format. Each implements [`Format`](crate::format::Format) and stands in
//! [`FORMATS`](crate::format::FORMATS).

pub(crate) mod table;
pub(crate) mod webdataset;
