//! A tokeniser and the stages behind it, as one thing that can be run, shown and named.

use std::sync::Arc;

use crate::porter::{PorterStemmer, Variant};
use crate::ptb::{Case, Ptb, Punctuation};
use crate::stage::{BreakHyphens, LowerCase, Stage, StripSigns};
use crate::stop_words::StopWords;
use crate::words;

/// How a text becomes tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokeniser {
    /// Penn-Treebank style, as the caption measures use it.
    Ptb(Ptb),
    /// Plain words.
    Words,
}

impl Tokeniser {
    /// What it is called, on the command line too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ptb(_) => "ptb",
            Self::Words => "words",
        }
    }

    /// The tokens of a text.
    pub fn tokens(self, text: &str) -> Vec<String> {
        match self {
            Self::Ptb(ptb) => ptb.tokens(text),
            Self::Words => words::tokens(text),
        }
    }
}

/// What a step made of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The tokeniser or stage.
    pub name: &'static str,
    /// The tokens behind it.
    pub tokens: Vec<String>,
}

/// A tokeniser and stages.
///
/// ```
/// use rebus_text::Analysis;
///
/// let stemmed = Analysis::ranking_task_stemmed();
/// assert_eq!(stemmed.tokens("Two well-dressed men are running."), ["two", "well", "dress", "men", "run"]);
/// ```
#[derive(Debug, Clone)]
pub struct Analysis {
    tokeniser: Tokeniser,
    stages: Vec<Arc<dyn Stage>>,
}

impl Analysis {
    /// Only a tokeniser, to add stages to.
    pub fn new(tokeniser: Tokeniser) -> Self {
        Self { tokeniser, stages: Vec::new() }
    }

    /// What the caption measures use: Penn-Treebank tokens in lower case without punctuation.
    pub fn captions() -> Self {
        Self::new(Tokeniser::Ptb(Ptb::captions()))
    }

    /// The ranking-task paper's preprocessing for BLEU (section 4.2.2): tokenise, break up
    /// hyphenated words, strip what is not alphanumeric, lower-case. The paper tokenises with
    /// OpenNLP, whose rules are also the Treebank's; ours stand in for them.
    pub fn ranking_task() -> Self {
        Self::new(Tokeniser::Ptb(Ptb::new(Punctuation::Keep, Case::Keep)))
            .then(BreakHyphens)
            .then(StripSigns)
            .then(LowerCase)
    }

    /// The ranking-task paper's preprocessing for ROUGE and for the filter BLEU_pre: that for BLEU,
    /// then stop words are removed and words stemmed with Porter's algorithm.
    pub fn ranking_task_stemmed() -> Self {
        Self::ranking_task().then(StopWords).then(PorterStemmer(Variant::Published))
    }

    /// With one more stage at the end.
    #[must_use]
    pub fn then(self, stage: impl Stage + 'static) -> Self {
        self.then_shared(Arc::new(stage))
    }

    /// With one more stage at the end, which others may use too.
    #[must_use]
    pub fn then_shared(mut self, stage: Arc<dyn Stage>) -> Self {
        self.stages.push(stage);
        self
    }

    /// The names of the tokeniser and the stages, in order.
    pub fn names(&self) -> Vec<&'static str> {
        let stages = self.stages.iter().map(|stage| stage.name());
        std::iter::once(self.tokeniser.name()).chain(stages).collect()
    }

    /// The tokens behind the last stage.
    pub fn tokens(&self, text: &str) -> Vec<String> {
        let tokens = self.tokeniser.tokens(text);
        self.stages.iter().fold(tokens, |tokens, stage| stage.apply(tokens))
    }

    /// The tokens of many texts, each seen with the next where the tokeniser does so.
    pub fn batch<S: AsRef<str>>(&self, texts: &[S]) -> Vec<Vec<String>> {
        let all = match self.tokeniser {
            Tokeniser::Ptb(ptb) => ptb.batch(texts),
            Tokeniser::Words => texts.iter().map(|text| words::tokens(text.as_ref())).collect(),
        };
        let staged = |tokens| self.stages.iter().fold(tokens, |tokens, stage| stage.apply(tokens));
        all.into_iter().map(staged).collect()
    }

    /// What every step makes of a text.
    pub fn steps(&self, text: &str) -> Vec<Step> {
        let mut tokens = self.tokeniser.tokens(text);
        let mut steps = vec![Step { name: self.tokeniser.name(), tokens: tokens.clone() }];
        for stage in &self.stages {
            tokens = stage.apply(tokens);
            steps.push(Step { name: stage.name(), tokens: tokens.clone() });
        }
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_way_by_hand() {
        let text = "The man's T-shirt (a red one) doesn't fit; it's 3.5 sizes too small!";
        assert_eq!(
            Analysis::ranking_task().tokens(text).join(" "),
            "the man s t shirt a red one does nt fit it s 35 sizes too small"
        );
        assert_eq!(
            Analysis::ranking_task_stemmed().tokens(text).join(" "),
            "man shirt red on fit 35 size small"
        );
    }

    #[test]
    fn steps_end_where_tokens_do() {
        let analysis = Analysis::ranking_task_stemmed();
        let steps = analysis.steps("Two dogs are running");
        assert_eq!(analysis.names(), ["ptb", "hyphens", "strip", "lower", "stop-words", "stem"]);
        assert_eq!(
            steps.last().map(|step| step.tokens.clone()),
            Some(analysis.tokens("Two dogs are running"))
        );
    }
}
