//! The fields of a document.
//!
//! A photo has a slot; a file that failed has none. What must be found again exactly is indexed
//! (`path`, `hash`, `slot`); what filters and comparing with the disk need is in columns; what is said
//! about the photo is text; and everything together is kept as the `record`.

use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

use super::words;

/// What a document is about.
pub(crate) mod kind {
    /// A photo.
    pub(crate) const PHOTO: &str = "photo";
    /// A file that could not be indexed.
    pub(crate) const FAILURE: &str = "failure";
}

/// The catalogue's fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub(crate) kind: Field,
    pub(crate) slot: Field,
    pub(crate) path: Field,
    pub(crate) hash: Field,
    pub(crate) record: Field,
    pub(crate) bytes: Field,
    pub(crate) modified: Field,
    pub(crate) beside: Field,
    pub(crate) likeness: Field,
    /// Seconds since 1970 by the clock of the place, if a date is known.
    pub(crate) date: Field,
    pub(crate) latitude: Field,
    pub(crate) longitude: Field,
    pub(crate) width: Field,
    pub(crate) height: Field,
    pub(crate) title: Field,
    pub(crate) tags: Field,
    pub(crate) description: Field,
    pub(crate) captions: Field,
    pub(crate) keywords: Field,
    pub(crate) place: Field,
    pub(crate) camera: Field,
    pub(crate) author: Field,
    /// The file's name, and the folders above it.
    pub(crate) file: Field,
    pub(crate) folder: Field,
    /// The ending of the file's name, in lower case.
    pub(crate) ending: Field,
}

/// Names of the columns that comparing with the disk reads.
pub(crate) mod column {
    pub(crate) const SLOT: &str = "slot";
    pub(crate) const BYTES: &str = "bytes";
    pub(crate) const MODIFIED: &str = "modified";
    pub(crate) const BESIDE: &str = "beside";
    pub(crate) const LIKENESS: &str = "likeness";
}

/// The schema, and where its fields are.
pub(crate) fn schema() -> (Schema, Fields) {
    let mut builder = Schema::builder();
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(words::NAME)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let text = TextOptions::default().set_indexing_options(indexing);
    let fields = Fields {
        kind: builder.add_text_field("kind", STRING),
        slot: builder.add_u64_field(column::SLOT, INDEXED | FAST | STORED),
        path: builder.add_bytes_field("path", INDEXED | STORED),
        hash: builder.add_bytes_field("hash", INDEXED),
        record: builder.add_bytes_field("record", STORED),
        bytes: builder.add_u64_field(column::BYTES, FAST),
        modified: builder.add_i64_field(column::MODIFIED, FAST),
        beside: builder.add_u64_field(column::BESIDE, FAST),
        likeness: builder.add_u64_field(column::LIKENESS, FAST),
        date: builder.add_i64_field("date", FAST),
        latitude: builder.add_f64_field("latitude", FAST),
        longitude: builder.add_f64_field("longitude", FAST),
        width: builder.add_u64_field("width", FAST),
        height: builder.add_u64_field("height", FAST),
        title: builder.add_text_field("title", text.clone()),
        tags: builder.add_text_field("tags", text.clone()),
        description: builder.add_text_field("description", text.clone()),
        captions: builder.add_text_field("captions", text.clone()),
        keywords: builder.add_text_field("keywords", text.clone()),
        place: builder.add_text_field("place", text.clone()),
        camera: builder.add_text_field("camera", text.clone()),
        author: builder.add_text_field("author", text.clone()),
        file: builder.add_text_field("file", text.clone()),
        folder: builder.add_text_field("folder", text),
        ending: builder.add_text_field("ending", STRING),
    };
    (builder.build(), fields)
}
