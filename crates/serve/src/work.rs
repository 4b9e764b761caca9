//! Work for the processor: off the threads that answer, and only so much at a time.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::problem::Problem;
use crate::shared::Shared;

/// Who waits for whom. Pictures do not hold up searches.
#[derive(Debug)]
pub(crate) struct Queues {
    thinking: Arc<Semaphore>,
    picturing: Arc<Semaphore>,
}

/// A kind of work.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Queue {
    /// Searching, and looking at pictures that are sent.
    Thinking,
    /// Making copies of photos.
    Picturing,
}

impl Queues {
    pub(crate) fn new(places: usize) -> Self {
        let queue = || Arc::new(Semaphore::new(places));
        Self { thinking: queue(), picturing: queue() }
    }
}

/// Does a piece of work when its turn comes. A client that goes away while it waits leaves the
/// queue; the work at hand is finished.
pub(crate) async fn work<T: Send + 'static>(
    shared: &Arc<Shared>,
    queue: Queue,
    job: impl FnOnce(&Shared) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let places = match queue {
        Queue::Thinking => &shared.queues.thinking,
        Queue::Picturing => &shared.queues.picturing,
    };
    let place = Arc::clone(places).acquire_owned().await;
    let shared = Arc::clone(shared);
    let done = tokio::task::spawn_blocking(move || {
        let result = job(&shared);
        drop(place);
        result
    });
    done.await.unwrap_or_else(|_| Err(Problem::ours("something went wrong inside")))
}
