//! What the server has done so far, as Prometheus reads it.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

use crate::problem::Cause;
use crate::shared::Shared;

/// Upper bounds of the buckets of times, in seconds.
const BOUNDS: [f64; 9] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10.0];

/// The requests of one route.
#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

/// All counters. Their labels come from our own tables, so their number is bounded.
#[derive(Debug)]
pub(crate) struct Metrics {
    started: Instant,
    requests: Mutex<BTreeMap<(String, u16), u64>>,
    times: Mutex<BTreeMap<String, Times>>,
    refused: Mutex<BTreeMap<&'static str, u64>>,
    thumbnails: AtomicU64,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        Self {
            started: Instant::now(),
            requests: Mutex::default(),
            times: Mutex::default(),
            refused: Mutex::default(),
            thumbnails: AtomicU64::new(0),
        }
    }

    /// A request was turned away.
    pub(crate) fn refused(&self, why: &'static str) {
        if let Ok(mut refused) = self.refused.lock() {
            *refused.entry(why).or_default() += 1;
        }
    }

    /// A thumbnail was made, as opposed to found.
    pub(crate) fn thumbnail(&self) {
        self.thumbnails.fetch_add(1, Ordering::Relaxed);
    }

    /// How long the server has been there.
    pub(crate) fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    /// How many requests were answered.
    pub(crate) fn requests(&self) -> u64 {
        self.requests.lock().map_or(0, |requests| requests.values().sum())
    }

    fn answered(&self, route: &str, status: u16, took: Duration) {
        if let Ok(mut requests) = self.requests.lock() {
            *requests.entry((route.to_owned(), status)).or_default() += 1;
        }
        if let Ok(mut times) = self.times.lock() {
            let times = times.entry(route.to_owned()).or_default();
            let seconds = took.as_secs_f64();
            times.count += 1;
            times.seconds += seconds;
            for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
                *bucket += u64::from(seconds <= bound);
            }
        }
    }

    /// The text that Prometheus reads; `photos` are in the index.
    fn text(&self, photos: usize) -> String {
        let mut text = String::new();
        let mut head = |name: &str, kind: &str, help: &str, lines: &mut String| {
            let _ = write!(text, "# HELP {name} {help}\n# TYPE {name} {kind}\n{lines}");
            lines.clear();
        };
        let mut lines = String::new();
        if let Ok(requests) = self.requests.lock() {
            for ((route, status), count) in &*requests {
                let _ = writeln!(
                    lines,
                    "rebus_requests_total{{route=\"{route}\",status=\"{status}\"}} {count}"
                );
            }
        }
        head("rebus_requests_total", "counter", "Requests answered.", &mut lines);
        if let Ok(times) = self.times.lock() {
            for (route, times) in &*times {
                let name = "rebus_request_seconds";
                for (count, bound) in times.buckets.iter().zip(BOUNDS) {
                    let _ = writeln!(
                        lines,
                        "{name}_bucket{{route=\"{route}\",le=\"{bound}\"}} {count}"
                    );
                }
                let Times { count, seconds, .. } = times;
                let _ = writeln!(lines, "{name}_bucket{{route=\"{route}\",le=\"+Inf\"}} {count}");
                let _ = writeln!(lines, "{name}_sum{{route=\"{route}\"}} {seconds}");
                let _ = writeln!(lines, "{name}_count{{route=\"{route}\"}} {count}");
            }
        }
        head("rebus_request_seconds", "histogram", "Time from head to answer.", &mut lines);
        if let Ok(refused) = self.refused.lock() {
            for (why, count) in &*refused {
                let _ = writeln!(lines, "rebus_refused_total{{why=\"{why}\"}} {count}");
            }
        }
        head("rebus_refused_total", "counter", "Requests turned away.", &mut lines);
        let made = self.thumbnails.load(Ordering::Relaxed);
        let _ = writeln!(lines, "rebus_thumbnails_made_total {made}");
        head("rebus_thumbnails_made_total", "counter", "Thumbnails made.", &mut lines);
        let _ = writeln!(lines, "rebus_photos {photos}");
        head("rebus_photos", "gauge", "Photos in the index.", &mut lines);
        let _ = writeln!(lines, "rebus_uptime_seconds {:.3}", self.uptime().as_secs_f64());
        head("rebus_uptime_seconds", "gauge", "Time since the start.", &mut lines);
        if let Some(bytes) = resident() {
            let _ = writeln!(lines, "process_resident_memory_bytes {bytes}");
            head("process_resident_memory_bytes", "gauge", "Memory in use.", &mut lines);
        }
        text
    }
}

/// The memory of this process, where the system tells it in a file.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

/// Counts a request. What has no route of ours counts under one name.
pub(crate) async fn count(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or_else(|| "other".to_owned(), |path| path.as_str().to_owned());
    let begun = Instant::now();
    let mut response = next.run(request).await;
    if let Some(Cause(cause)) = response.extensions_mut().remove() {
        (shared.settings.report)(&format!("{route}: {cause}"));
    }
    shared.metrics.answered(&route, response.status().as_u16(), begun.elapsed());
    response
}

/// `GET /metrics`.
pub(crate) async fn show(State(shared): State<Arc<Shared>>) -> Response {
    let text = shared.metrics.text(shared.library.index().len());
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_and_buckets_add_up() {
        let metrics = Metrics::new();
        metrics.answered("/api/v1/search", 200, Duration::from_millis(3));
        metrics.answered("/api/v1/search", 400, Duration::from_millis(30));
        metrics.refused("rate");
        let text = metrics.text(7);
        for line in [
            "rebus_requests_total{route=\"/api/v1/search\",status=\"200\"} 1",
            "rebus_request_seconds_bucket{route=\"/api/v1/search\",le=\"0.005\"} 1",
            "rebus_request_seconds_bucket{route=\"/api/v1/search\",le=\"+Inf\"} 2",
            "rebus_refused_total{why=\"rate\"} 1",
            "rebus_photos 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert!(text.ends_with('\n'));
    }
}
