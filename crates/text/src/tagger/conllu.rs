//! CoNLL-U, the files of Universal Dependencies: a word a line, ten columns with tabs between, an
//! empty line behind each sentence. Only the form (column 2) and the universal tag (column 4) are
//! read; ranges such as `1-2` and empty nodes such as `8.1` are passed over.

use std::path::Path;

use super::Tag;
use crate::{Error, Result};

/// A sentence with the tags that people gave it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaggedSentence {
    /// The words as they are written.
    pub words: Vec<String>,
    /// A tag for each word.
    pub tags: Vec<Tag>,
}

/// Reads the sentences of a file.
pub fn read(path: &Path) -> Result<Vec<TaggedSentence>> {
    let text = std::fs::read_to_string(path).map_err(|source| Error::io(path, source))?;
    parse(&text, path)
}

/// Takes the sentences out of a text; `path` is the file that errors name.
pub fn parse(text: &str, path: &Path) -> Result<Vec<TaggedSentence>> {
    let mut sentences = Vec::new();
    let mut sentence = TaggedSentence::default();
    for (at, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            if !sentence.words.is_empty() {
                sentences.push(std::mem::take(&mut sentence));
            }
            continue;
        }
        if line.starts_with('#') {
            continue;
        }
        let mut columns = line.split('\t');
        let (Some(id), Some(form), Some(tag)) = (columns.next(), columns.next(), columns.nth(1))
        else {
            let what = "expected the ten columns of CoNLL-U, with tabs between";
            return Err(Error::format(path, at + 1, what));
        };
        if id.contains(['-', '.']) {
            continue;
        }
        let Some(tag) = Tag::named(tag) else {
            let what = format!("column 4 is {tag:?}, which is no universal tag");
            return Err(Error::format(path, at + 1, what));
        };
        sentence.words.push(form.to_owned());
        sentence.tags.push(tag);
    }
    if !sentence.words.is_empty() {
        sentences.push(sentence);
    }
    Ok(sentences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_tags_and_nothing_else() {
        let text = "# text = Dogs don't.\n1\tDogs\tdog\tNOUN\tNNS\t_\t2\tx\t_\t_\n2-3\tdon't\t_\t_\n\
                    2\tdo\tdo\tAUX\n3\tn't\tnot\tPART\n3.1\tx\tx\tVERB\n\n\n1\tHi\thi\tINTJ";
        let sentences = parse(text, Path::new("x")).unwrap();
        assert_eq!(sentences[0].words, ["Dogs", "do", "n't"]);
        assert_eq!(sentences[0].tags, [Tag::Noun, Tag::Aux, Tag::Part]);
        assert_eq!(sentences[1].tags, [Tag::Intj]);
        for (broken, line) in [("1\tDogs", ":1:"), ("\n1\tDogs\tdog\tNN", ":2:")] {
            let said = parse(broken, Path::new("x")).unwrap_err().to_string();
            assert!(said.contains(line), "{said}");
        }
    }
}
