//! Numbers of things, in words.

/// So many of a thing: "1 item", "2 items", "3 queries", "4 classes".
pub fn counted(count: u64, thing: &str) -> String {
    match thing.strip_suffix("ry") {
        _ if count == 1 => format!("{count} {thing}"),
        Some(stem) => format!("{count} {stem}ries"),
        None if thing.ends_with('s') => format!("{count} {thing}es"),
        None => format!("{count} {thing}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_more() {
        let all =
            [counted(1, "item"), counted(0, "item"), counted(2, "query"), counted(1, "query")];
        assert_eq!(all, ["1 item", "0 items", "2 queries", "1 query"]);
    }
}
