//! How often one address may ask: a bucket an address, filled at a steady rate.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use axum::extract::{Extension, Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use rustc_hash::FxHashMap;

use crate::problem::Problem;
use crate::shared::Shared;

/// Who is at the other end of the connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Addresses that are remembered; full buckets are forgotten first, then all.
const MOST_ADDRESSES: usize = 4096;

#[derive(Debug, Clone, Copy)]
struct Bucket {
    left: f64,
    seen: Instant,
}

/// The buckets of all addresses.
#[derive(Debug)]
pub(crate) struct Rate {
    per_second: f64,
    burst: f64,
    buckets: Mutex<FxHashMap<IpAddr, Bucket>>,
}

impl Rate {
    pub(crate) fn new(per_second: f64, burst: f64) -> Self {
        Self { per_second, burst, buckets: Mutex::default() }
    }

    /// Takes one from the bucket of an address, if there is one in it.
    fn take(&self, from: IpAddr, now: Instant) -> bool {
        let Ok(mut buckets) = self.buckets.lock() else { return false };
        let filled = |bucket: &Bucket| {
            let since = now.saturating_duration_since(bucket.seen).as_secs_f64();
            (bucket.left + since * self.per_second).min(self.burst)
        };
        if buckets.len() >= MOST_ADDRESSES && !buckets.contains_key(&from) {
            buckets.retain(|_, bucket| filled(bucket) < self.burst);
            if buckets.len() >= MOST_ADDRESSES {
                buckets.clear();
            }
        }
        let bucket = buckets.entry(from).or_insert(Bucket { left: self.burst, seen: now });
        let left = filled(bucket);
        *bucket = Bucket { left: if left >= 1.0 { left - 1.0 } else { left }, seen: now };
        left >= 1.0
    }
}

/// Refuses an address that asks too often.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    Extension(Peer(peer)): Extension<Peer>,
    request: Request,
    next: Next,
) -> Response {
    if shared.rate.take(peer.ip(), Instant::now()) {
        return next.run(request).await;
    }
    shared.metrics.refused("rate");
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "too many requests from this address")
        .hint("wait a second")
        .into_response()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_burst_then_a_steady_rate() {
        let rate = Rate::new(10.0, 5.0);
        let (a, b) = (IpAddr::from([127, 0, 0, 1]), IpAddr::from([127, 0, 0, 2]));
        let start = Instant::now();
        assert_eq!((0..20).filter(|_| rate.take(a, start)).count(), 5);
        assert!(rate.take(b, start), "others are not touched");
        let later = start + Duration::from_millis(250);
        assert_eq!((0..20).filter(|_| rate.take(a, later)).count(), 2);
    }

    #[test]
    fn memory_is_bounded() {
        let rate = Rate::new(1.0, 5.0);
        let now = Instant::now();
        for n in 0..20_000_u32 {
            rate.take(IpAddr::from(n.to_be_bytes()), now);
        }
        assert!(rate.buckets.lock().unwrap().len() <= MOST_ADDRESSES);
    }
}
