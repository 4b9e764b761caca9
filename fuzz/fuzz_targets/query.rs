//! Any text as a query: read or refused with its place, and printed as a query that reads the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rebus_query::Query;

fuzz_target!(|typed: &str| {
    match Query::parse(typed) {
        Ok(query) => {
            let printed = query.to_string();
            // Long forms of short signs may make a query too long.
            if printed.len() <= Query::MAX_BYTES {
                assert_eq!(Query::parse(&printed).as_ref(), Ok(&query), "{printed}");
            }
        }
        Err(error) => {
            let span = error.span();
            assert!(typed.get(span.start..span.end).is_some());
            assert!(error.pointed(typed).contains('^'));
        }
    }
});
