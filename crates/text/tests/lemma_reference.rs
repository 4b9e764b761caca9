//! Lemmas by an installed WordNet against NLTK's (`reference/morphy.py`), and what must hold for any
//! word.

#![allow(clippy::unwrap_used, clippy::print_stdout)] // tests

use proptest::prelude::*;
use rebus_text::lemma::{Lemmatiser, PartOfSpeech, installed_folder};

type Row = (String, Vec<String>, Vec<String>, Vec<String>, Vec<String>);

#[test]
fn lemmas_agree_where_wordnet_is_installed() {
    let Some(folder) = installed_folder() else {
        println!("skipped: WordNet is not installed");
        return;
    };
    let lemmatiser = Lemmatiser::wordnet(&folder).unwrap();
    let rows: Vec<Row> = serde_json::from_str(include_str!("reference/morphy.json")).unwrap();
    for (word, noun, verb, adjective, adverb) in rows {
        for (kind, theirs) in PartOfSpeech::ALL.into_iter().zip([noun, verb, adjective, adverb]) {
            let ours = lemmatiser.lemma(&word, kind);
            // NLTK has the form itself first even where it is an exception (men); we then say man.
            let known = ours.as_ref().is_none_or(|ours| theirs.contains(ours));
            let first = theirs.first() == ours.as_ref() || theirs.first() == Some(&word);
            assert!(
                known && first && ours.is_none() == theirs.is_empty(),
                "{word} {kind:?}: {ours:?}, not {theirs:?}"
            );
        }
    }
    assert_eq!(lemmatiser.lemma("men", PartOfSpeech::Noun).as_deref(), Some("man"));
    for (word, lemma) in [
        ("dogs", "dog"),
        ("running", "run"),
        ("his", "his"),
        ("is", "be"),
        ("windows", "window"),
        ("building", "building"),
        ("skate-boards", "skate-board"),
        ("-", "-"),
        ("sunglasses", "sunglasses"),
        ("xyzzy", "xyzzy"),
    ] {
        assert_eq!(lemmatiser.lemma_of(word), lemma);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_builtin_table_takes_any_word(
        word in prop_oneof![any::<String>(), "[a-z]{0,8}(s|es|ies|ed|ied|ing|er|est|men|eed)", "[a-zé]{0,4}-[a-z]{0,6}s"]
    ) {
        let lemmatiser = Lemmatiser::builtin();
        for kind in PartOfSpeech::ALL {
            let lemma = lemmatiser.lemma(&word, kind);
            prop_assert_eq!(lemma.map(|lemma| lemma.is_empty()), Some(word.is_empty()));
        }
        prop_assert_eq!(lemmatiser.lemma_of(&word).is_empty(), word.is_empty());
    }
}
