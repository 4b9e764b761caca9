//! The stemmer against another implementation (`reference/porter.py`), and what must hold for any
//! word.

#![allow(clippy::unwrap_used)] // tests

use proptest::prelude::*;
use rebus_text::porter::{Variant, stem};

#[test]
fn stems_agree() {
    let rows: Vec<[String; 3]> =
        serde_json::from_str(include_str!("reference/porter.json")).unwrap();
    assert!(rows.len() > 400);
    for [word, published, revised] in rows {
        assert_eq!(stem(&word, Variant::Published), published, "{word}");
        assert_eq!(stem(&word, Variant::Revised), revised, "{word}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_stem_is_never_longer_by_more_than_a_letter(
        word in prop_oneof![any::<String>(), "[a-z]{0,12}(ed|ing|ies|ational|iveness|y|ll|e)?"]
    ) {
        for variant in [Variant::Published, Variant::Revised] {
            let stem = stem(&word, variant);
            prop_assert!(stem.len() <= word.len() + 1);
            prop_assert_eq!(stem.is_empty(), word.is_empty());
        }
    }
}
