//! Where the server listens, whom it answers, and how much it takes upon itself.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use crate::Token;
use crate::error::{Error, Result};

/// The port, unless another is asked for.
pub const PORT: u16 = 8117;

/// All that can be set.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where it listens; port 0 takes any free one.
    pub address: SocketAddr,
    /// Who may ask.
    pub access: Access,
    /// Names by which it may be called, beside addresses and `localhost`. A page elsewhere can make
    /// a name of its own point here, so a name that is not listed is refused.
    pub hosts: Vec<String>,
    /// Whether it tells where photos were taken to a few metres.
    pub coordinates: Coordinates,
    /// What it takes upon itself.
    pub limits: Limits,
    /// Where it says what went wrong inside, which clients are not told.
    pub report: fn(&str),
}

/// Who may ask.
#[derive(Debug, Clone)]
pub enum Access {
    /// Anybody on this machine.
    Anybody,
    /// Who has the token.
    Token(Token),
}

/// Whether degrees north and east are given. Names of places are words like others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coordinates {
    /// They are left out of every answer.
    Hidden,
    /// They are given.
    Shown,
}

/// What the server takes upon itself before it refuses.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The most bytes of a picture that is sent.
    pub upload_bytes: usize,
    /// The most pixels of a picture that is sent; its header is asked before anything is decoded.
    pub upload_pixels: u64,
    /// How long a request may take, its body and its place in the queue included.
    pub request: Duration,
    /// How long a client may take to send a request's head, or stay away between two requests.
    pub head: Duration,
    /// Requests that are answered at the same time.
    pub in_flight: usize,
    /// Connections that are open at the same time.
    pub connections: usize,
    /// Requests a second of one address, over some time.
    pub per_second: f64,
    /// Requests of one address in a burst.
    pub burst: f64,
    /// Searches, pictures and other work for the processor at the same time.
    pub working: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            upload_bytes: 32 << 20,
            upload_pixels: 60_000_000,
            request: Duration::from_secs(30),
            head: Duration::from_secs(30),
            in_flight: 256,
            connections: 512,
            // A page that scrolls asks for hundreds of thumbnails at once.
            per_second: 400.0,
            burst: 2_000.0,
            working: cores.max(2),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT),
            access: Access::Anybody,
            hosts: Vec::new(),
            coordinates: Coordinates::Hidden,
            limits: Limits::default(),
            report: |_| {},
        }
    }
}

impl Settings {
    /// Refuses what is not safe.
    ///
    /// # Errors
    /// If others than this machine could ask without a token.
    pub fn check(&self) -> Result<()> {
        match self.access {
            Access::Anybody if !self.address.ip().is_loopback() => {
                Err(Error::Unguarded { address: self.address })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_need_a_token() {
        let mut settings = Settings::default();
        assert!(settings.check().is_ok());
        settings.address = "0.0.0.0:80".parse().unwrap();
        assert!(settings.check().is_err());
        settings.access = Access::Token(Token::random().unwrap());
        assert!(settings.check().is_ok());
    }
}
