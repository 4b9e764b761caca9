//! The tokeniser against recorded answers of the original (`reference/ptb.py`), and what must hold
//! for any text.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // tests

use proptest::prelude::*;
use rebus_text::ptb::{Case, Ptb, Punctuation};
use serde::Deserialize;

#[derive(Deserialize)]
struct Row {
    sentence: String,
    all: Vec<String>,
    captions: Vec<String>,
}

#[test]
fn awkward_sentences_agree() {
    let rows: Vec<Row> = serde_json::from_str(include_str!("reference/ptb.json")).unwrap();
    let sentences: Vec<&str> = rows.iter().map(|row| row.sentence.as_str()).collect();
    let all = Ptb::new(Punctuation::Keep, Case::Lower).batch(&sentences);
    let captions = Ptb::captions().batch(&sentences);
    for ((row, all), captions) in rows.iter().zip(all).zip(captions) {
        assert_eq!(all, row.all, "{}", row.sentence);
        assert_eq!(captions, row.captions, "{}", row.sentence);
    }
}

#[test]
fn an_initial_at_the_end_depends_on_the_next_line() {
    let tokens = Ptb::captions().batch(&["vitamin C.", "The man", "vitamin C.", "dogs"]);
    assert_eq!(tokens[0], ["vitamin", "c"]);
    assert_eq!(tokens[2], ["vitamin", "c."]);
    assert_eq!(Ptb::captions().tokens("vitamin C."), ["vitamin", "c."]);
}

#[test]
fn case_and_punctuation_are_choices() {
    let keep = Ptb::new(Punctuation::Keep, Case::Keep);
    assert_eq!(keep.tokens("\"Hi\", (Al)."), ["``", "Hi", "''", ",", "-LRB-", "Al", "-RRB-", "."]);
    assert_eq!(Ptb::captions().tokens("\"Hi\", [Al]."), ["hi", "-lsb-", "al", "-rsb-"]);
}

/// Text made of what tokenisers stumble over.
fn awkward() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "The",
        "don't",
        "'s",
        "n't",
        "'",
        "\"",
        "`",
        "’",
        "“",
        ".",
        "...",
        "-",
        "--",
        "/",
        "<",
        ">",
        "<b x=\"",
        "&",
        "&amp;",
        "&#",
        "@",
        "#",
        "$",
        "(",
        ")",
        "5",
        "1/2",
        "+",
        ":",
        ")",
        "U.S.",
        "etc.",
        "No.",
        "http://",
        "www.",
        ".com",
        "é",
        "\u{ad}",
        "\u{a0}",
        "½",
        "人",
        "\u{1f600}",
        "\n",
        "\r",
        "\t",
        " ",
        "\u{301}",
        "\u{2028}",
        "\0",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_text_gives_tokens_in_order_and_in_bounds(text in prop_oneof![any::<String>(), awkward()]) {
        for tokeniser in [Ptb::captions(), Ptb::new(Punctuation::Keep, Case::Keep)] {
            let mut last = 0;
            for token in tokeniser.located(&text) {
                prop_assert!(!token.text.is_empty());
                prop_assert!(!token.text.contains([' ', '\n', '\t']));
                prop_assert!(token.span.start >= last && token.span.start < token.span.end);
                prop_assert!(text.get(token.span.clone()).is_some());
                last = token.span.start;
            }
        }
    }

    #[test]
    fn a_batch_of_any_texts_has_a_line_each(
        texts in prop::collection::vec(prop_oneof![any::<String>(), awkward()], 0..5)
    ) {
        prop_assert_eq!(Ptb::captions().batch(&texts).len(), texts.len());
    }

    /// Tokens joined by blanks are tokenised into themselves when they are plain words.
    #[test]
    fn plain_words_stay(words in prop::collection::vec("[a-z]{7,12}", 0..8)) {
        prop_assert_eq!(Ptb::captions().tokens(&words.join(" ")), words);
    }
}

#[test]
fn a_long_run_without_blanks_takes_no_ages() {
    for piece in ["a,", "%", "a'", "a.", "1-", "<a ", "a@", "(", "&#", "a!", "http://a"] {
        let text = piece.repeat(40_000 / piece.len());
        assert!(!Ptb::new(Punctuation::Keep, Case::Lower).tokens(&text).is_empty());
    }
}
