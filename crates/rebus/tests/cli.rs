//! Snapshots of real output: every `tests/cmd/*.trycmd` file is run and compared.
//!
//! A case is a block of commands with what they print and how they end; the folder `NAME.in`
//! beside `NAME.trycmd`, if there is one, is the current folder; where commands write files, the folder
//! `NAME.out` holds what must be there afterwards, and the commands run in a copy. After a wanted
//! change, `TRYCMD=overwrite cargo test -p rebus --test cli` writes the new output; look at the
//! difference before committing it. A verb's cases lie in `VERB.trycmd`, its flaws and errors in
//! `VERB-errors.trycmd`.

#[test]
fn command_output_is_as_recorded() {
    // What was made or fetched by whoever runs the tests must not show, nor be changed.
    let home = concat!(env!("CARGO_TARGET_TMPDIR"), "/home");
    trycmd::TestCases::new()
        .env("NO_COLOR", "1")
        .env("REBUS_DATA", "")
        .env("REBUS_HOME", home)
        .case("tests/cmd/*.trycmd");
}
