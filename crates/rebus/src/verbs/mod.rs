//! One file a verb: its flags, and the one call behind it.

mod agree;
mod annotate;
mod bench;
mod caption_score;
mod check;
mod compare;
mod completions;
mod convert;
mod duplicates;
mod eval;
mod eval_index;
mod eval_keywords;
mod eval_model;
mod eval_probabilities;
mod eval_semantic;
mod index;
mod inspect;
mod inspect_verbs;
mod man;
mod model;
mod reproduce;
mod search;
mod serve;
mod similar;
mod synth;
mod text;
mod train;
mod try_out;
mod words;

use clap::Subcommand;

pub(crate) use search::point_at_minus;

use crate::output::Outcome;

/// Lists the verbs: their modules' `Args`, the subcommands, and where each is run.
macro_rules! verbs {
    ($($module:ident :: $name:ident),* $(,)?) => {
        /// What can be asked of rebus.
        #[derive(Subcommand)]
        #[expect(clippy::large_enum_variant, reason = "there is one of it, made once")]
        pub(crate) enum Verb {
            $($name($module::$name),)*
        }

        impl Verb {
            /// Does what was asked.
            pub(crate) fn run(self) -> anyhow::Result<Outcome> {
                match self {
                    $(Self::$name(verb) => verb.run(),)*
                }
            }
        }
    };
}

verbs! {
    agree::Agree,
    annotate::Annotate,
    bench::Bench,
    caption_score::CaptionScore,
    check::Check,
    compare::Compare,
    completions::Completions,
    convert::Convert,
    duplicates::Duplicates,
    eval::Eval,
    index::Index,
    inspect::Inspect,
    man::Man,
    model::Model,
    reproduce::Reproduce,
    search::Search,
    serve::Serve,
    similar::Similar,
    synth::Synth,
    text::Text,
    train::Train,
    try_out::Try,
    words::Words,
}
