//! Secrets: the token that clients show, and the key of the link that is good for once.

use std::fmt;
use std::sync::Mutex;

use crate::error::{Error, Result};

/// The fewest characters of a token that somebody chose: fewer could be guessed.
const SHORTEST: usize = 16;

/// A secret. It is never printed by accident, and compared in a time that says nothing.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// A token that somebody chose.
    ///
    /// # Errors
    /// If it is too short, or has characters that do not go into a header.
    pub fn new(secret: &str) -> Result<Self> {
        let fits = secret.len() >= SHORTEST && secret.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(secret.to_owned())) } else { Err(Error::Token { shortest: SHORTEST }) }
    }

    /// A new one of 128 random bits.
    ///
    /// # Errors
    /// If the system gives no randomness.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|source| Error::NoRandomness { what: source.to_string() })?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// Whether it is the same. The hashes are compared, whose comparison takes as long wherever
    /// they differ, and what is compared tells nothing of the secret.
    pub fn is(&self, shown: &str) -> bool {
        blake3::hash(self.0.as_bytes()) == blake3::hash(shown.as_bytes())
    }

    /// The secret itself, to be shown to the person at the terminal.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

/// The key of a link that is good for once.
#[derive(Debug)]
pub(crate) struct OnceKey(Mutex<Option<Token>>);

impl OnceKey {
    pub(crate) fn new(key: Token) -> Self {
        Self(Mutex::new(Some(key)))
    }

    /// Whether this is the key and nobody has used it; now it is used. A wrong one changes nothing.
    pub(crate) fn take(&self, shown: &str) -> bool {
        self.0.lock().is_ok_and(|mut key| key.take_if(|key| key.is(shown)).is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_different_and_hidden() {
        let (a, b) = (Token::random().unwrap(), Token::random().unwrap());
        assert_eq!(a.reveal().len(), 32);
        assert!(a.is(a.reveal()) && !a.is(b.reveal()) && !a.is(""));
        assert!(!format!("{a:?}").contains(a.reveal()));
        assert!(Token::new("short").is_err());
        assert!(Token::new("with a space and more of it").is_err());
        assert!(Token::new("correct-horse-battery").is_ok());
    }

    #[test]
    fn a_key_is_good_for_once() {
        let token = Token::random().unwrap();
        let key = OnceKey::new(token.clone());
        assert!(!key.take("no"));
        assert!(key.take(token.reveal()));
        assert!(!key.take(token.reveal()));
    }
}
