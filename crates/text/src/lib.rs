//! What a text says: tokenisers, normalisation, stop words, stems, lemmas and spelling, as small
//! stages that can be put one behind the other.

pub mod ptb;
