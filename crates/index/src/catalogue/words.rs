//! How texts in the catalogue become words: lower case, without accents, as Porter stems.

use rebus_text::porter::{Variant, stem};
use tantivy::tokenizer::{
    AsciiFoldingFilter, LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, Token,
    TokenFilter, TokenStream, Tokenizer,
};

/// What the schema calls it.
pub(crate) const NAME: &str = "words";

/// No word is longer.
const LONGEST: usize = 64;

pub(crate) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST))
        .filter(LowerCaser)
        .filter(AsciiFoldingFilter)
        .filter(Porter)
        .build()
}

#[derive(Clone)]
struct Porter;

impl TokenFilter for Porter {
    type Tokenizer<T: Tokenizer> = Stems<T>;

    fn transform<T: Tokenizer>(self, tokenizer: T) -> Stems<T> {
        Stems(tokenizer)
    }
}

#[derive(Clone)]
struct Stems<T>(T);

impl<T: Tokenizer> Tokenizer for Stems<T> {
    type TokenStream<'a> = StemStream<T::TokenStream<'a>>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> Self::TokenStream<'a> {
        StemStream(self.0.token_stream(text))
    }
}

struct StemStream<S>(S);

impl<S: TokenStream> TokenStream for StemStream<S> {
    fn advance(&mut self) -> bool {
        let more = self.0.advance();
        if more {
            let token = self.0.token_mut();
            token.text = stem(&token.text, Variant::Revised);
        }
        more
    }

    fn token(&self) -> &Token {
        self.0.token()
    }

    fn token_mut(&mut self) -> &mut Token {
        self.0.token_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_stems_without_accents() {
        let mut analyzer = analyzer();
        let mut stream = analyzer.token_stream("Zwei CAFÉS, dogs running-home IMG_2041.jpg");
        let mut words = Vec::new();
        while stream.advance() {
            words.push(stream.token().text.clone());
        }
        assert_eq!(words, ["zwei", "cafe", "dog", "run", "home", "img", "2041", "jpg"]);
    }
}
