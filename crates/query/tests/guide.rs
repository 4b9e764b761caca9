//! What the guide says about the language is so.

use rebus_query::{FIELDS, Query};

fn section() -> Option<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../GUIDE.md");
    let guide = std::fs::read_to_string(path).ok()?;
    let (_, section) = guide.split_once("\n## The language of the search box\n")?;
    Some(section.split("\n## ").next().unwrap_or_default().to_owned())
}

#[test]
fn every_query_of_the_table_reads() {
    let section = section().expect("the guide has a section about the language");
    let mut queries = 0;
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cell = row.split(" | ").next().unwrap();
        for query in cell.split('`').skip(1).step_by(2) {
            let read = Query::parse(query).map_err(|error| error.pointed(query));
            assert!(read.is_ok_and(|query| !query.is_empty()), "{query}");
            queries += 1;
        }
    }
    assert!(queries >= 40, "{queries}");
}

#[test]
fn every_field_is_in_the_table() {
    let section = section().expect("the guide has a section about the language");
    for field in FIELDS {
        assert!(section.contains(&format!("{}:", field.name)), "{}", field.name);
    }
}

#[test]
fn the_mistake_is_shown_as_the_guide_shows_it() {
    let section = section().expect("the guide has a section about the language");
    let typed = "dogs camra:nikon";
    assert!(section.contains(&Query::parse(typed).unwrap_err().pointed(typed)));
}
