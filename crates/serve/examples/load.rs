//! Asks a running server steadily, as many people would, and says how it did.
//!
//!     cargo run --release -p rebus-serve --example load -- 127.0.0.1:8117 PHOTO [RATE [SECONDS]]
//!
//! Of a hundred requests seventy are thumbnails, eighteen searches, five items, five similar photos,
//! and two send PHOTO. Each is due at its own time, whatever the others do, so that waiting counts.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "it is run by hand"
)]

#[path = "../tests/http/mod.rs"]
mod http;

use std::net::SocketAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use http::Client;

const QUERIES: [&str; 8] = [
    "a%20dog%20on%20the%20beach",
    "snow",
    "two%20children%20playing",
    "red%20car%20-street",
    "boat%20at%20sunset",
    "zxqv",
    "orientation:portrait%20tree",
    "",
];
/// Connections.
const CLIENTS: usize = 32;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let usage = "load ADDRESS PHOTO [RATE [SECONDS]]";
    let address: SocketAddr = arguments.next().and_then(|text| text.parse().ok()).expect(usage);
    let photo = std::fs::read(arguments.next().expect(usage)).expect("the photo cannot be read");
    let rate: f64 = arguments.next().map_or(200.0, |text| text.parse().expect(usage));
    let seconds: f64 = arguments.next().map_or(60.0, |text| text.parse().expect(usage));

    let stats =
        Client::connect(address).and_then(|mut it| it.ask("GET", "/api/v1/stats", &[], b""));
    let stats: serde_json::Value =
        serde_json::from_slice(&stats.expect("no server").body).expect("no figures");
    let photos = stats["photos"].as_u64().expect("no photos").max(1);
    let memory = || memory(address);
    let before = memory();

    let due = AtomicU64::new(0);
    let total = (rate * seconds) as u64;
    let times: Mutex<Vec<(&'static str, Duration, u16)>> = Mutex::default();
    let broken = AtomicU64::new(0);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| {
                let mut client = Client::connect(address).ok();
                loop {
                    let number = due.fetch_add(1, Ordering::Relaxed);
                    if number >= total {
                        break;
                    }
                    let at = begun + Duration::from_secs_f64(number as f64 / rate);
                    std::thread::sleep(at.saturating_duration_since(Instant::now()));
                    let kind =
                        [70, 88, 93, 98].iter().take_while(|&&end| number % 100 >= end).count();
                    let id = number.wrapping_mul(2_654_435_761) % photos;
                    let (name, method, path, body) = match kind {
                        0 => ("thumbnail", "GET", format!("/api/v1/thumbnails/{id}"), &[][..]),
                        1 => {
                            let query = QUERIES[number as usize % QUERIES.len()];
                            let path = format!("/api/v1/search?q={query}&limit=120&facets=true");
                            ("search", "GET", path, &[][..])
                        }
                        2 => ("item", "GET", format!("/api/v1/items/{id}?q=dog"), &[][..]),
                        3 => ("similar", "GET", format!("/api/v1/similar/{id}?limit=12"), &[][..]),
                        _ if number.is_multiple_of(2) => {
                            ("upload", "POST", "/api/v1/similar".into(), &photo[..])
                        }
                        _ => ("upload", "POST", "/api/v1/annotate".into(), &photo[..]),
                    };
                    if client.is_none() {
                        client = Client::connect(address).ok();
                    }
                    let kind = [("content-type", "image/jpeg")];
                    let headers = if method == "POST" { &kind[..] } else { &[] };
                    match client.as_mut().map(|it| it.ask(method, &path, headers, body)) {
                        Some(Ok(answer)) => {
                            times.lock().unwrap().push((name, at.elapsed(), answer.status));
                        }
                        _ => {
                            broken.fetch_add(1, Ordering::Relaxed);
                            client = None;
                        }
                    }
                }
            });
        }
    });
    let took = begun.elapsed().as_secs_f64();
    let mut times = times.into_inner().unwrap();
    let wrong = times.iter().filter(|(_, _, status)| *status != 200).count();
    println!("{} requests in {took:.1} s, {:.0}/s", times.len(), times.len() as f64 / took);
    println!("not answered with 200: {wrong}; broken off: {}", broken.load(Ordering::Relaxed));
    times.sort_unstable_by_key(|(name, time, _)| (*name, *time));
    for name in ["thumbnail", "search", "item", "similar", "upload"] {
        let of: Vec<Duration> =
            times.iter().filter(|(other, ..)| *other == name).map(|(_, time, _)| *time).collect();
        let at =
            |share: f64| of.get((of.len() as f64 * share) as usize).copied().unwrap_or_default();
        println!(
            "{name:>10}: {:>6} p50 {:>7.1} ms  p99 {:>7.1} ms  worst {:>7.1} ms",
            of.len(),
            at(0.5).as_secs_f64() * 1e3,
            at(0.99).as_secs_f64() * 1e3,
            of.last().copied().unwrap_or_default().as_secs_f64() * 1e3
        );
    }
    println!("memory of the server: {:.0} MB before, {:.0} MB after", before, memory());
    std::process::exit(i32::from(wrong > 0 || broken.load(Ordering::Relaxed) > 0));
}

/// What the server says of its own memory, in megabytes.
fn memory(address: SocketAddr) -> f64 {
    let answer = Client::connect(address).and_then(|mut it| it.ask("GET", "/metrics", &[], b""));
    let text = String::from_utf8(answer.expect("no metrics").body).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("process_resident_memory_bytes "));
    line.and_then(|bytes| bytes.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}
