//! What all requests share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::error::Result;
use crate::guard::access::Door;
use crate::guard::rate::Rate;
use crate::library::Library;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::thumbnails::Thumbnails;
use crate::token::Token;
use crate::work::Queues;

/// Streams at the same time.
const STREAMS: usize = 8;

/// The state of a running server.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) library: Library,
    /// Where a token is needed.
    pub(crate) door: Option<Door>,
    pub(crate) metrics: Metrics,
    pub(crate) rate: Rate,
    /// Places for requests.
    pub(crate) in_flight: Semaphore,
    pub(crate) queues: Queues,
    /// Places for streams, each of which may take long.
    pub(crate) streams: Arc<Semaphore>,
    pub(crate) thumbnails: Thumbnails,
}

impl Shared {
    /// The state, and the key of the link that is good for once, where a token is needed.
    pub(crate) fn new(settings: Settings, library: Library) -> Result<(Self, Option<Token>)> {
        let (door, key) = Door::new(&settings.access)?.unzip();
        let limits = &settings.limits;
        let shared = Self {
            door,
            metrics: Metrics::new(),
            rate: Rate::new(limits.per_second, limits.burst),
            in_flight: Semaphore::new(limits.in_flight),
            queues: Queues::new(limits.working),
            streams: Arc::new(Semaphore::new(STREAMS)),
            thumbnails: Thumbnails::new(library.index().folder().join(rebus_index::THUMBNAILS)),
            library,
            settings,
        };
        Ok((shared, key))
    }
}
