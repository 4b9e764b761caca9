//! Why a server could not be started.

use std::net::SocketAddr;

/// What can go wrong before the first request.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// Other machines could ask, and no token is set.
    #[error("{address} can be reached by other machines, which needs a token")]
    Unguarded {
        /// The address.
        address: SocketAddr,
    },
    /// A token that would not hold.
    #[error("a token has at least {shortest} characters, without spaces")]
    Token {
        /// The fewest characters.
        shortest: usize,
    },
    /// The system gives no random numbers.
    #[error("no random numbers for a token: {what}")]
    NoRandomness {
        /// What the system said.
        what: String,
    },
    /// The threads that answer could not be started.
    #[error("cannot start: {source}")]
    Start {
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    /// What the user can do about it, where we know.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Listen { source, .. } if source.kind() == std::io::ErrorKind::AddrInUse => {
                Some("another program listens there: choose another with --port".into())
            }
            Self::Unguarded { .. } => Some("set a token, or let one be made".into()),
            Self::Token { .. } => Some("leave it out: a good one is made for you".into()),
            _ => None,
        }
    }
}

/// The result of starting a server.
pub type Result<T> = std::result::Result<T, Error>;
