//! Tests of [`super::merge`]: examples by hand, and properties over documents of many shapes.

use proptest::prelude::*;

use super::super::inverse;
use super::*;
use crate::photo::xmp::metadata;

const RDF: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

fn words(words: &[&str]) -> Additions {
    Additions {
        keywords: words.iter().map(|&word| word.to_owned()).collect(),
        ..Additions::default()
    }
}

fn merged(text: &str, additions: &Additions) -> String {
    String::from_utf8(merge(Some(text.as_bytes()), additions).unwrap().bytes).unwrap()
}

/// The document without what the edits put in, and with what they took away.
fn without_edits(merged: &Merged) -> String {
    let text = String::from_utf8(merged.bytes.clone()).unwrap();
    apply(text.trim_start_matches('\u{feff}'), &inverse(&merged.edits)).unwrap()
}

#[test]
fn a_new_sidecar_as_people_would_write_it() {
    let additions = Additions {
        keywords: vec!["dog".into(), " wet  snow ".into(), "AC/DC".into(), "Dog".into()],
        description: Some("A dog & a <cat>.".into()),
        ..Additions::default()
    };
    let merged = merge(None, &additions).unwrap();
    let text = String::from_utf8(merged.bytes).unwrap();
    assert_eq!(
        text,
        r#"<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="rebus">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about=""
    xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:digiKam="http://www.digikam.org/ns/1.0/"
    xmlns:lr="http://ns.adobe.com/lightroom/1.0/">
   <dc:subject>
    <rdf:Bag>
     <rdf:li>dog</rdf:li>
     <rdf:li>wet snow</rdf:li>
     <rdf:li>AC/DC</rdf:li>
    </rdf:Bag>
   </dc:subject>
   <digiKam:TagsList>
    <rdf:Seq>
     <rdf:li>dog</rdf:li>
     <rdf:li>wet snow</rdf:li>
    </rdf:Seq>
   </digiKam:TagsList>
   <lr:hierarchicalSubject>
    <rdf:Bag>
     <rdf:li>dog</rdf:li>
     <rdf:li>wet snow</rdf:li>
     <rdf:li>AC/DC</rdf:li>
    </rdf:Bag>
   </lr:hierarchicalSubject>
   <dc:description>
    <rdf:Alt>
     <rdf:li xml:lang="x-default">A dog &amp; a &lt;cat&gt;.</rdf:li>
    </rdf:Alt>
   </dc:description>
  </rdf:Description>
 </rdf:RDF>
</x:xmpmeta>
"#
    );
    let (read, trouble) = metadata(&text);
    assert!(trouble.is_none());
    assert_eq!(read.tags, ["dog", "wet snow", "AC/DC"]);
    assert_eq!(read.description.as_deref(), Some("A dog & a <cat>."));
}

#[test]
fn lists_grow_where_they_are() {
    let text = format!(
        "\u{feff}<!-- head --><r:RDF xmlns:r='{RDF}' xmlns:my='urn:my'>\r\n\
         \t<r:Description my:x='1' xmlns:d='http://purl.org/dc/elements/1.1/'/>\r\n\
         \t<r:Description>\r\n\
         \t\t<d:subject xmlns:d='http://purl.org/dc/elements/1.1/'>\r\n\
         \t\t\t<r:Bag>\r\n\
         \t\t\t\t<r:li>Sea</r:li><!-- why -->\r\n\
         \t\t\t</r:Bag>\r\n\
         \t\t</d:subject>\r\n\
         \t</r:Description>\r\n</r:RDF><?pi?>\r\n"
    );
    let merged = merge(Some(text.as_bytes()), &words(&["sea", "dog"])).unwrap();
    assert_eq!(without_edits(&merged), text.trim_start_matches('\u{feff}'));
    let after = String::from_utf8(merged.bytes).unwrap();
    assert!(after.starts_with("\u{feff}<!-- head -->") && after.ends_with("<?pi?>\r\n"));
    assert!(
        after.contains("\t\t\t\t<r:li>Sea</r:li>\r\n\t\t\t\t<r:li>dog</r:li><!-- why -->"),
        "{after}"
    );
    // The new lists go into the first description, which had no end tag.
    assert!(after.contains(
        "dc/elements/1.1/'>\r\n\t <digiKam:TagsList xmlns:digiKam=\"http://www.digikam.org/ns/1.0/\">"
    ), "{after}");
    assert!(after.contains("</lr:hierarchicalSubject>\r\n\t</r:Description>\r\n"), "{after}");
}

#[test]
fn odd_forms_keep_their_values() {
    let document = |attributes: &str, inside: &str| {
        format!(
            "<x><RDF xmlns='{RDF}'><Description xmlns:dc='http://purl.org/dc/elements/1.1/' \
             {attributes}>{inside}</Description></RDF></x>"
        )
    };
    for (text, tags) in [
        (document("dc:subject='a, b' dc:title='t'", ""), vec!["a, b", "dog"]),
        (document("", "<dc:subject>plain<!-- c --></dc:subject>"), vec!["plain", "dog"]),
        (document("", "<dc:subject/>"), vec!["dog"]),
        (document("", "<dc:subject> </dc:subject>"), vec!["dog"]),
        (document("", "<dc:subject><Bag/></dc:subject>"), vec!["dog"]),
        (document("", "<dc:subject><Bag></Bag></dc:subject>"), vec!["dog"]),
        (document("", "<dc:subject><Seq><li>x</li></Seq></dc:subject>"), vec!["x", "dog"]),
    ] {
        let after = merged(&text, &words(&["dog"]));
        let read = metadata(&after);
        assert!(read.1.is_none(), "{after}");
        assert_eq!(read.0.tags, tags, "{after}");
        assert_eq!(merged(&after, &words(&["dog"])), after);
        assert_eq!(text.contains("dc:title"), read.0.title.is_some());
    }
}

#[test]
fn a_description_is_only_filled_in() {
    let document = |inside: &str| {
        format!(
            "<rdf:RDF xmlns:rdf='{RDF}'><rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'>\
             {inside}</rdf:Description></rdf:RDF>"
        )
    };
    let additions = Additions { description: Some("New.".into()), ..Additions::default() };
    for (inside, expected) in [
        ("", "New."),
        ("<dc:description/>", "New."),
        (
            "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'/></rdf:Alt></dc:description>",
            "New.",
        ),
        (
            "<dc:description><rdf:Alt><rdf:li xml:lang='x-default'> </rdf:li></rdf:Alt></dc:description>",
            "New.",
        ),
        ("<dc:description><rdf:Alt></rdf:Alt></dc:description>", "New."),
        ("<dc:description>Old.</dc:description>", "Old."),
        (
            "<dc:description><rdf:Alt><rdf:li xml:lang='de'>Alt.</rdf:li></rdf:Alt></dc:description>",
            "Alt.",
        ),
    ] {
        let text = document(inside);
        let after = merged(&text, &additions);
        assert_eq!(metadata(&after).0.description.as_deref(), Some(expected), "{after}");
        assert_eq!(after == text, expected != "New.", "{after}");
        assert_eq!(merged(&after, &additions), after);
    }
    let attribute = format!(
        "<rdf:RDF xmlns:rdf='{RDF}'><rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/' \
         dc:description='Old.'/></rdf:RDF>"
    );
    assert_eq!(merged(&attribute, &additions), attribute);
}

#[test]
fn where_there_is_no_description_yet() {
    for text in [
        format!("<rdf:RDF xmlns:rdf='{RDF}'/>"),
        format!("<a:RDF xmlns:a='{RDF}'>\n</a:RDF>"),
        format!("<dc:RDF xmlns:dc='{RDF}'></dc:RDF>"),
        format!("<x>\n <rdf:RDF xmlns:rdf='{RDF}'/>\n</x>"),
    ] {
        let after = merged(&text, &words(&["dog"]));
        let (read, trouble) = metadata(&after);
        assert!(trouble.is_none(), "{after}");
        assert_eq!(read.tags, ["dog"], "{after}");
        assert_eq!(merged(&after, &words(&["dog"])), after);
    }
}

#[test]
fn what_cannot_be_added_to_is_refused() {
    let document = |inside: &str| {
        format!(
            "<rdf:RDF xmlns:rdf='{RDF}'><rdf:Description xmlns:dc='http://purl.org/dc/elements/1.1/'>\
             {inside}</rdf:Description></rdf:RDF>"
        )
    };
    for (text, told) in [
        ("<x/>".to_owned(), "no rdf:RDF"),
        (document("<dc:subject rdf:resource='urn:x'/>"), "dc:subject is a reference"),
        (document("<dc:subject><rdf:Bag/><rdf:Bag/></dc:subject>"), "a structure"),
        (document("<dc:subject rdf:parseType='Resource'/>"), "structure"),
        (document("<dc:subject>"), "not well-formed"),
    ] {
        let refused = merge(Some(text.as_bytes()), &words(&["dog"])).unwrap_err();
        assert!(refused.what.contains(told), "{refused}");
    }
}

#[test]
fn what_the_photo_carries_goes_along_into_an_empty_sidecar() {
    let additions = Additions { inherited: vec!["old".into()], ..words(&["dog"]) };
    let tags = |bytes: &[u8]| metadata(std::str::from_utf8(bytes).unwrap()).0.tags;
    let new = merge(None, &additions).unwrap();
    assert_eq!(tags(&new.bytes), ["old", "dog"]);
    assert!(merge(Some(&new.bytes), &additions).unwrap().added.is_empty());
    let other = merge(None, &words(&["sea"])).unwrap();
    assert_eq!(tags(&merge(Some(&other.bytes), &additions).unwrap().bytes), ["sea", "dog"]);
    let nothing = Additions { inherited: vec!["old".into()], ..Additions::default() };
    assert!(merge(None, &nothing).unwrap().added.is_empty());
}

#[test]
fn in_utf_16_too() {
    let text = format!("\u{feff}<rdf:RDF xmlns:rdf='{RDF}'/>");
    let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let merged = merge(Some(&bytes), &words(&["\u{e9}t\u{e9}"])).unwrap();
    let units: Vec<u16> =
        merged.bytes.as_chunks::<2>().0.iter().map(|&two| u16::from_be_bytes(two)).collect();
    let after = String::from_utf16(&units).unwrap();
    assert_eq!(metadata(&after).0.tags, ["\u{e9}t\u{e9}"]);
}

/// Documents as programs write them and as they do not.
fn document() -> impl Strategy<Value = String> {
    let keyword = || prop_oneof!["[a-c]", "[A-C]", "[a-c]/[a-c]", "[a-c]\\|[a-c]"];
    let list = move |name: &'static str| {
        let items = prop::collection::vec(keyword(), 0..4);
        (items, 0..7u8, prop_oneof![Just(""), Just("\n   "), Just("\r\n\t")]).prop_map(
            move |(items, form, space)| {
                let li: String =
                    items.iter().map(|item| format!("{space}<r:li>{item}</r:li>")).collect();
                let first = items.first().cloned().unwrap_or_default();
                match form {
                    0 => (String::new(), String::new()),
                    1 => (format!(" {name}='{first}'"), String::new()),
                    2 => (String::new(), format!("{space}<{name}>{first}</{name}>")),
                    3 => (String::new(), format!("{space}<{name}/>")),
                    4 => (String::new(), format!("{space}<{name}><r:Seq>{li}</r:Seq></{name}>")),
                    5 => {
                        (String::new(), format!("{space}<{name}><r:Bag/></{name}><!-- {name} -->"))
                    }
                    _ => (
                        String::new(),
                        format!("{space}<{name}>{space}<r:Bag>{li}{space}</r:Bag></{name}>"),
                    ),
                }
            },
        )
    };
    let other = prop_oneof![
        Just(""),
        Just("<my:x a='1'>t<my:y/></my:x>"),
        Just("\n <!-- <d:subject/> -->"),
        Just("<?my d:subject?>"),
        Just("<my:s><r:Description><d:subject>no</d:subject></r:Description></my:s>"),
        Just("<![CDATA[<d:subject>]]>"),
    ];
    let spaces = "xmlns:d='http://purl.org/dc/elements/1.1/' xmlns:k='http://www.digikam.org/ns/1.0/' \
        xmlns:l='http://ns.adobe.com/lightroom/1.0/' xmlns:my='urn:my'";
    let parts = (
        list("d:subject"),
        list("k:TagsList"),
        list("l:hierarchicalSubject"),
        prop_oneof![
            Just(""),
            Just("<d:description>Old</d:description>"),
            Just("<d:description><r:Alt><r:li xml:lang='x-default'/></r:Alt></d:description>")
        ],
        other,
        any::<bool>(),
        prop_oneof![Just(""), Just("\n "), Just("\r\n\t")],
    );
    parts.prop_map(move |(subject, tags, paths, description, other, split, space)| {
        let middle = if split {
            format!("{space}</r:Description>{space}<r:Description{}>", tags.0)
        } else {
            String::new()
        };
        let late = if split { "" } else { &tags.0 };
        format!(
            "<?xpacket begin=''?>{space}<x:xmpmeta xmlns:x='adobe:ns:meta/'>{space}\
             <r:RDF xmlns:r='{RDF}' {spaces}>{space}<r:Description r:about=''{}{}{late}>{other}{}\
             {description}{middle}{}{}{space}</r:Description>{space}</r:RDF></x:xmpmeta>{space}",
            subject.0, paths.0, subject.1, tags.1, paths.1
        )
    })
}

proptest! {
    #[test]
    fn reading_back_gives_the_union_and_the_rest_is_as_it_was(
        text in document(),
        keywords in prop::collection::vec("[a-f&<> ]{0,3}", 0..5),
        sentence in prop::option::of("[ a-z.\u{e9}]{0,9}"),
    ) {
        let additions = Additions {
            keywords: keywords.clone(),
            description: sentence.clone(),
            ..Additions::default()
        };
        let once = merge(Some(text.as_bytes()), &additions).unwrap();
        let after = String::from_utf8(once.bytes.clone()).unwrap();
        let (old, trouble) = metadata(&text);
        prop_assert!(trouble.is_none());
        let (new, trouble) = metadata(&after);
        prop_assert!(trouble.is_none(), "{after}");
        // Every tag that was there is there, and every keyword, in whatever case.
        let lower: Vec<String> = new.tags.iter().map(|tag| tag.to_lowercase()).collect();
        for tag in &old.tags {
            prop_assert!(new.tags.contains(tag), "{tag} of\n{text}\nis lost in\n{after}");
        }
        let asked: Vec<String> = keywords.iter().filter_map(|word| tidy(word)).collect();
        for word in &asked {
            prop_assert!(lower.contains(&word.to_lowercase()), "{word}: {after}");
        }
        for tag in &new.tags {
            prop_assert!(old.tags.contains(tag) || asked.contains(tag), "{tag}: {after}");
        }
        let expected = old.description.clone().or(sentence.as_deref().and_then(tidy));
        prop_assert_eq!(&new.description, &expected);
        prop_assert_eq!(&new.title, &old.title);
        // Nothing but what was put in is different.
        prop_assert_eq!(&without_edits(&once), &text);
        for edit in &once.edits {
            let attribute = edit.old.trim_start();
            prop_assert!(
                edit.old.is_empty() || edit.old == "/>" || attribute.starts_with("d:subject=")
                    || attribute.starts_with("k:TagsList=")
                    || attribute.starts_with("l:hierarchicalSubject="),
                "{edit:?}"
            );
        }
        // Twice is the same as once.
        let twice = merge(Some(&once.bytes), &additions).unwrap();
        prop_assert!(twice.added.is_empty() && twice.bytes == once.bytes, "{after}");
    }

    #[test]
    fn what_was_added_can_be_taken_out_again(
        text in document(),
        keywords in prop::collection::vec("[a-f]{1,2}", 1..5),
    ) {
        let additions = Additions { keywords, description: Some("New".into()), ..Additions::default() };
        let once = merge(Some(text.as_bytes()), &additions).unwrap();
        let left = super::super::take_out::take_out(&once.bytes, &once.added).unwrap();
        let left = String::from_utf8(left).unwrap();
        let ((old, _), (new, trouble)) = (metadata(&text), metadata(&left));
        prop_assert!(trouble.is_none(), "{left}");
        prop_assert_eq!(new, old, "{}", left);
    }

    #[test]
    fn no_bytes_bring_it_down(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = merge(Some(&bytes), &words(&["dog"]));
    }

    #[test]
    fn cut_short_it_is_refused_or_whole(text in document(), cut in 0.0..1.0f64) {
        let mut end = (text.len() as f64 * cut) as usize;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        if let Ok(merged) = merge(Some(&text.as_bytes()[..end]), &words(&["dog"])) {
            prop_assert!(Tree::read(&String::from_utf8(merged.bytes).unwrap()).is_ok());
            prop_assert!(text[end..].trim().is_empty());
        }
    }
}

#[test]
fn a_list_of_paths_that_is_new_takes_over_the_subjects_that_are_there() {
    let before =
        merge(None, &Additions { keywords: vec!["Tigers".into()], ..Additions::default() });
    let before = String::from_utf8(before.unwrap().bytes).unwrap();
    // As a program leaves it that knows plain keywords only.
    let end = before.find("</dc:subject>").unwrap() + "</dc:subject>".len();
    let close = before.rfind("</rdf:Description>").unwrap();
    let plain = format!("{}{}", &before[..end], &before[close..]);
    assert!(!plain.contains("<digiKam:TagsList>"), "{plain}");
    let keywords = vec!["feline".into(), "tigers".into()];
    let merged =
        merge(Some(plain.as_bytes()), &Additions { keywords, ..Additions::default() }).unwrap();
    let after = String::from_utf8(merged.bytes).unwrap();
    assert_eq!(after.matches(">Tigers<").count(), 3, "{after}");
    assert_eq!(after.matches(">tigers<").count(), 0, "{after}");
    assert_eq!(after.matches(">feline<").count(), 3, "{after}");
    assert_eq!(apply(&after, &inverse(&merged.edits)).unwrap(), plain);
}
