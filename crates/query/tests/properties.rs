//! What holds of every query, whatever is typed.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use rebus_query::{FIELDS, Filter, Node, Query, Weight};

/// Pieces of queries, good and bad, that meet each other in all ways.
fn piece() -> impl Strategy<Value = String> {
    let signs = prop::sample::select(vec![
        "(",
        ")",
        "-",
        "+",
        "\"",
        "“",
        "”",
        "OR",
        "AND",
        "NOT",
        "|",
        ":",
        "..",
        "...",
        "…",
        "–",
        "--",
        "（",
        "）",
        "：",
        "'",
        "’",
        "\\",
        ",",
        ".",
        "2:",
        "0.5:",
        "1000:",
        "0:",
        "0,5:",
        "2019..",
        "..2020",
        "2019",
        "2019-02-30",
        "2019..2018",
        "near:48.2,16.4",
        "near:1,2,3km",
        "within:5km",
        "like:a.jpg",
        "like:\"a b.jpg\"",
        "camera:",
        "camra:x",
        "http://x",
        "12:30",
        "width:>20",
        "has:gps",
        "type:jpg",
        "date:2019",
        "place:\"New York\"",
        "t-shirt",
        "dog's",
        "犬",
        "e\u{301}",
        "\u{200b}",
        "\t",
        "\n",
        "\0",
        "f(x)",
        "photo(1).jpg",
    ]);
    let field = prop::sample::select(FIELDS.iter().map(|field| field.name).collect::<Vec<_>>());
    prop_oneof![
        6 => signs.prop_map(str::to_owned),
        3 => "[a-z]{1,6}",
        2 => (field, "[-(a-z0-9.,>\"]{0,6}").prop_map(|(name, value)| format!("{name}:{value}")),
        1 => "\\PC{0,4}",
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Pieces with and without blanks between.
fn typed() -> impl Strategy<Value = String> {
    prop::collection::vec((piece(), prop::sample::select(vec!["", " ", " "])), 0..16)
        .prop_map(|pieces| pieces.into_iter().map(|(piece, blank)| piece + blank).collect())
}

/// Queries without mistakes.
fn sound() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => "[a-z]{1,5}( [a-z]{1,5}){0,2}",
        1 => Just("\"golden gate\"".to_owned()),
        1 => Just("like:\"my photo.jpg\"".to_owned()),
        1 => prop::sample::select(FIELDS.to_vec()).prop_map(|field| field.example.to_owned()),
        1 => Just("2019-05..2021".to_owned()),
        1 => "[a-z]{1,4}".prop_map(|word| format!("-{word}")),
        1 => "[a-z]{1,4}".prop_map(|word| format!("2.5:{word}")),
    ];
    leaf.prop_recursive(3, 24, 4, |part| {
        prop_oneof![
            2 => prop::collection::vec(part.clone(), 2..4).prop_map(|parts| parts.join(" ")),
            1 => prop::collection::vec(part.clone(), 2..4).prop_map(|parts| parts.join(" + ")),
            2 => prop::collection::vec(part.clone(), 2..3).prop_map(|parts| {
                parts.iter().map(|part| format!("({part})")).collect::<Vec<_>>().join(" OR ")
            }),
            1 => part.clone().prop_map(|part| format!("-({part})")),
            1 => part.prop_map(|part| format!("0.5:({part})")),
        ]
    })
}

fn check(typed: &str) -> Result<(), TestCaseError> {
    match Query::parse(typed) {
        Ok(query) => {
            let printed = query.to_string();
            let again = Query::parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&query), "{:?} prints as {:?}", typed, printed);
            prop_assert_eq!(query.to_string(), printed);
            prop_assert!((1..=Query::MAX_READINGS).contains(&query.readings().len()));
            prop_assert!(is_in_one_form(query.tree()), "{:?}", query);
            for reading in query.readings() {
                prop_assert!(is_simple(&reading.filter), "{:?}", reading.filter);
                prop_assert!(reading.sentence.iter().all(|words| !words.text.trim().is_empty()));
            }
            prop_assert!(serde_json::to_string(&query).is_ok());
        }
        Err(error) => {
            let span = error.span();
            prop_assert!(span.start <= span.end && span.end <= typed.len());
            prop_assert!(typed.is_char_boundary(span.start) && typed.is_char_boundary(span.end));
            let pointed = error.pointed(typed);
            prop_assert!(pointed.lines().count() >= 3 && pointed.contains('^'), "{}", pointed);
        }
    }
    Ok(())
}

/// As the documentation of [`Node`] says.
fn is_in_one_form(tree: &Node) -> bool {
    let parts = |parts: &[Node], same: fn(&Node) -> bool| {
        parts.len() > 1 && parts.iter().all(|part| !same(part) && is_in_one_form(part))
    };
    match tree {
        Node::All(all) if all.is_empty() => true,
        Node::All(all) => {
            let apart = all.windows(2).all(|pair| match pair {
                [Node::Words(a), Node::Words(b)] => a.weight != b.weight,
                _ => true,
            });
            apart && parts(all, |part| matches!(part, Node::All(_)))
        }
        Node::Sum(all) => parts(all, |part| matches!(part, Node::Sum(_))),
        Node::Any(all) => parts(all, |part| matches!(part, Node::Any(_))),
        Node::Not(part) => !matches!(**part, Node::Not(_)) && is_in_one_form(part),
        _ => true,
    }
}

/// No empty alternatives, nothing joined that is alone.
fn is_simple(filter: &Filter) -> bool {
    match filter {
        Filter::All(filters) => filters.len() != 1 && filters.iter().all(is_simple),
        Filter::Any(filters) => filters.len() > 1 && filters.iter().all(is_simple),
        Filter::Not(filter) => is_simple(filter),
        Filter::Is(_) => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn anything_is_read_or_refused_and_printed_as_the_same(typed in typed()) {
        check(&typed)?;
    }

    #[test]
    fn sound_queries_print_as_the_same(typed in sound()) {
        check(&typed)?;
    }

    #[test]
    fn any_text_at_all(typed in any::<String>()) {
        check(&typed)?;
    }

    #[test]
    fn plain_words_are_the_sentence(words in prop::collection::vec("[a-z]{1,8}(-[a-z]{1,3})?", 1..9)) {
        let typed = words.join("  ");
        let query = Query::parse(&typed).unwrap();
        let [reading] = query.readings() else { panic!("{query:?}") };
        prop_assert_eq!(reading.text(), words.join(" "));
        prop_assert_eq!(reading.sentence.len(), 1);
        prop_assert_eq!(reading.sentence[0].weight, Weight::ONE);
        prop_assert!(reading.filter.is_everything());
    }
}

/// The longest queries of every two pieces, open and closed, and deep ones: none takes long.
#[test]
fn hostile_queries_are_fast() {
    let pieces = [
        "(",
        ")",
        "-",
        "\"",
        "“",
        "+",
        "OR ",
        "a OR ",
        "(a ",
        "-(",
        "2:(",
        "a(",
        "like:(",
        ":",
        "..",
        "a ",
        "-a ",
        "2019.. ",
        "x:",
        "(a OR b) ",
        "-(a OR b) ",
        "camera:x OR ",
        "near:1,2 ",
        "1",
        "9:",
        "e\u{301}",
        "(a + ",
        "camra",
        "\"\"",
        "1000:(",
        "((a OR ",
        "within:1 ",
    ];
    let cut = |typed: &str, bytes: usize| typed[..typed.floor_char_boundary(bytes)].to_owned();
    for a in pieces {
        for b in pieces {
            let both = a.to_owned() + b;
            let long = cut(&both.repeat(Query::MAX_BYTES), Query::MAX_BYTES);
            let closed = cut(&long, Query::MAX_BYTES / 2) + &")".repeat(Query::MAX_BYTES / 2);
            let deep = both.repeat(Query::MAX_DEPTH / 2)
                + &"a -b ".repeat(500)
                + &")".repeat(both.matches('(').count() * Query::MAX_DEPTH / 2);
            for typed in [&long, &closed, &deep] {
                let time = || {
                    let start = Instant::now();
                    if let Err(error) = Query::parse(typed) {
                        let _ = error.pointed(typed);
                    }
                    start.elapsed()
                };
                // On a busy machine the quickest of some runs counts.
                let quick = (0..8).any(|_| time() < Duration::from_millis(50));
                assert!(quick, "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn the_examples_of_fields_are_sound() {
    for field in FIELDS {
        let query = Query::parse(field.example).unwrap_or_else(|error| panic!("{error}"));
        assert!(field.example.contains(&format!("{}:", field.name)), "{}", field.name);
        assert!(!query.is_empty());
    }
}
