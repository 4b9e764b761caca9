//! The server as its clients see it, friends and others.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../http/mod.rs"]
mod http;
mod schema;
mod world;

use std::io::Cursor;
use std::time::Duration;

use image::ImageFormat;
use rebus_serve::{Access, Coordinates, Limits, OPENAPI, Settings, Token, routes};
use serde_json::{Value, json};

use crate::http::Answer;
use crate::world::{PICTURES, Running, made};

fn json_of(answer: &Answer) -> Value {
    serde_json::from_slice(&answer.body)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&answer.body)))
}

/// A drawn picture that is not in the world.
fn stranger() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = rebus_collection::synth::specimen(99, 3).picture;
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

const PICTURE: (&str, &str) = ("content-type", "image/png");
const JSON: (&str, &str) = ("content-type", "application/json");

#[test]
fn pages_and_their_headers() {
    let server = Running::start(Settings::default());
    for path in ["/", "/review", "/judge", "/style.css", "/page/search.js", "/icon.svg"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 200, "{path}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("x-frame-options"), Some("DENY"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cross-origin-resource-policy"), Some("same-origin"));
        let tag = answer.header("etag").unwrap();
        let again = server.ask("GET", path, &[("if-none-match", tag)], b"");
        assert_eq!(again.status, 304, "{path}");
    }
}

#[test]
fn a_query_finds_the_right_pictures() {
    let server = Running::start(Settings::default());
    let found = json_of(&server.get("/api/v1/search?q=dog&limit=5&all=true"));
    let results = found["results"].as_array().unwrap();
    assert!(!results.is_empty(), "{found}");
    let right = results.iter().filter(|result| {
        let name = result["name"].as_str().unwrap();
        made().keywords(name).iter().any(|word| word == "dog")
    });
    assert!(right.count() * 2 > results.len(), "{found}");
    assert!(found["matches"].as_u64().unwrap() < PICTURES, "there is a cut-off");

    let relevance = |value: &Value| value["relevance"].as_f64().unwrap();
    assert!(results.windows(2).all(|pair| relevance(&pair[0]) >= relevance(&pair[1])));
    // The second page goes on where the first ended.
    let all = json_of(&server.get("/api/v1/search?q=dog&all=true&limit=100"));
    let second = json_of(&server.get("/api/v1/search?q=dog&all=true&limit=50&offset=50"));
    assert_eq!(all["results"].as_array().unwrap()[50..], *second["results"].as_array().unwrap());
    assert_eq!(all["matches"], found["matches"], "what does not match is not counted");

    // Without a query all photos are there, and can be filtered by what is written about them.
    let browsed = json_of(&server.get("/api/v1/search?facets=true&limit=3"));
    assert_eq!(browsed["matches"], PICTURES);
    assert!(browsed["results"][0].get("relevance").is_none());
    assert_eq!(browsed["facets"]["counted"], PICTURES);
    let years = &browsed["facets"]["fields"][0];
    assert_eq!(years["values"][0]["value"], "2019");
    let term = years["values"][0]["term"].as_str().unwrap();
    let filtered = json_of(&server.get(&format!("/api/v1/search?q={term}")));
    assert_eq!(filtered["matches"], years["values"][0]["count"]);
}

#[test]
fn nonsense_is_no_match_and_mistakes_are_shown() {
    let server = Running::start(Settings::default());
    let none = json_of(&server.get("/api/v1/search?q=zxqv"));
    assert_eq!(none["matches"], 0);
    assert_eq!(none["unknown_words"][0]["word"], "zxqv");
    let wrong = server.get("/api/v1/search?q=dog%20date:2019-13");
    assert_eq!(wrong.status, 400);
    let error = &json_of(&wrong)["error"];
    let span = error["span"].as_array().unwrap();
    assert!(span[0].as_u64().unwrap() >= 4, "{error}");
    for path in ["/api/v1/search?limit=many", "/api/v1/search?sort=up", "/api/v1/search?limit=0"] {
        assert_eq!(server.get(path).status, 400, "{path}");
    }
}

#[test]
fn every_route_is_described_and_every_answer_fits() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let mut described: Vec<(String, String)> = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        described.extend(methods.as_object().unwrap().keys().map(|m| (m.clone(), path.clone())));
    }
    let mut there: Vec<(String, String)> =
        routes().map(|(method, path)| (method.to_owned(), path.to_owned())).collect();
    described.sort();
    there.sort();
    assert_eq!(described, there);

    let server = Running::start(Settings::default());
    let picture = stranger();
    let judgement =
        json!({ "query": "dog", "judged": [{ "id": 0, "relevant": true }] }).to_string();
    let correction = json!({ "id": 1, "accepted": ["kite"], "rejected": ["dog"] }).to_string();
    for (method, path) in routes() {
        let asked = path.replace("{id}", "3");
        let asked = match path {
            "/api/v1/search" => "/api/v1/search?q=dog&facets=true".to_owned(),
            "/api/v1/items/{id}" => "/api/v1/items/3?q=dog%20-cat".to_owned(),
            _ => asked,
        };
        let (headers, body): (&[_], &[u8]) = match (method, path) {
            ("post", "/api/v1/similar" | "/api/v1/annotate") => (&[PICTURE], &picture),
            ("post", "/api/v1/judgements") => (&[JSON], judgement.as_bytes()),
            ("post", "/api/v1/corrections") => (&[JSON], correction.as_bytes()),
            ("post", "/sign-in") => {
                (&[("content-type", "application/x-www-form-urlencoded")], b"token=x")
            }
            _ => (&[], b""),
        };
        let answer = server.ask(&method.to_uppercase(), &asked, headers, body);
        let responses = &document["paths"][path][method]["responses"];
        let response = responses.get(answer.status.to_string());
        let response = response.unwrap_or_else(|| {
            panic!("{path}: {} {}", answer.status, String::from_utf8_lossy(&answer.body))
        });
        let Some(content) = response.get("content").and_then(Value::as_object) else { continue };
        let kind = answer.header("content-type").unwrap().split(';').next().unwrap().to_owned();
        let schema = content.get(&kind).unwrap_or_else(|| panic!("{path}: {kind}"));
        if kind == "application/json" {
            let place = format!("{method} {path}");
            schema::check(&json_of(&answer), &schema["schema"], &document, &place).unwrap();
        }
    }
    // Problems too.
    for (status, path) in
        [(404, "/api/v1/items/99999"), (400, "/api/v1/search?q=date:x"), (404, "/x")]
    {
        let answer = server.get(path);
        assert_eq!(answer.status, status, "{path}");
        let schema = &document["components"]["schemas"]["Problem"];
        schema::check(&json_of(&answer), schema, &document, path).unwrap();
    }
}

#[test]
fn streams_have_everything() {
    let server = Running::start(Settings::default());
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let items = server.get("/api/v1/items");
    assert_eq!(items.header("content-type"), Some("application/x-ndjson"));
    let lines = String::from_utf8(items.body).unwrap();
    assert_eq!(lines.lines().count() as u64, PICTURES);
    for line in lines.lines() {
        let item: Value = serde_json::from_str(line).unwrap();
        let schema = &document["components"]["schemas"]["Item"];
        schema::check(&item, schema, &document, "item").unwrap();
    }
    let all: Vec<&str> = lines.lines().collect();
    let some = String::from_utf8(server.get("/api/v1/items?limit=2&offset=1").body).unwrap();
    assert_eq!(some.lines().collect::<Vec<_>>(), all[1..3]);
    assert_eq!(server.get("/api/v1/items?limt=2").status, 400);
    let accept = [("accept", "application/x-ndjson")];
    let found = server.ask("GET", "/api/v1/search?q=dog&all=true", &accept, b"");
    let lines = String::from_utf8(found.body).unwrap();
    let mut lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let head = lines.next().unwrap();
    assert!(head["matches"].as_u64().unwrap() < PICTURES);
    assert_eq!(lines.count() as u64, PICTURES);
}

#[test]
fn a_photo_is_not_among_those_like_it() {
    let server = Running::start(Settings::default());
    let like = |more: &str| json_of(&server.get(&format!("/api/v1/similar/3?{more}")));
    let ids = |found: &Value| -> Vec<u64> {
        found["results"].as_array().unwrap().iter().map(|hit| hit["id"].as_u64().unwrap()).collect()
    };
    let all = like("all=true&limit=1000");
    assert_eq!(ids(&all).len() as u64, PICTURES - 1);
    assert!(!ids(&all).contains(&3));
    // It takes no place on a page, and is no match that is counted.
    assert_eq!(ids(&like("all=true&limit=4")), ids(&all)[..4]);
    assert_eq!(ids(&like("all=true&limit=4&offset=4")), ids(&all)[4..8]);
    let matches = like("limit=1000");
    assert_eq!(matches["matches"].as_u64().unwrap() as usize, ids(&matches).len());
    assert_eq!(like("min_relevance=0")["matches"], PICTURES - 1);
}

#[test]
fn pages_elsewhere_get_nothing() {
    let server = Running::start(Settings::default());
    let port = server.address.port();
    for host in ["evil.example", "evil.example:8117", "127.0.0.1.evil.example", ""] {
        let answer = server.ask("GET", "/api/v1/stats", &[("host", host)], b"");
        assert!(matches!(answer.status, 400 | 421), "{host}: {}", answer.status);
        assert!(answer.header("access-control-allow-origin").is_none());
    }
    assert_eq!(server.ask("GET", "/api/v1/stats", &[("host", "localhost")], b"").status, 200);
    for origin in ["http://evil.example", "null", "http://localhost:1"] {
        for (method, path) in [("GET", "/api/v1/stats"), ("POST", "/api/v1/judgements")] {
            let answer = server.ask(method, path, &[("origin", origin), JSON], b"");
            assert_eq!(answer.status, 403, "{origin} {method}");
        }
    }
    let ours = format!("http://127.0.0.1:{port}");
    assert_eq!(server.ask("GET", "/api/v1/stats", &[("origin", &ours)], b"").status, 200);
    let embedded = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")];
    assert_eq!(server.ask("GET", "/api/v1/thumbnails/0", &embedded, b"").status, 403);
}

#[test]
fn a_token_is_needed_where_it_is_set() {
    let token = Token::random().unwrap();
    let settings = Settings { access: Access::Token(token.clone()), ..Settings::default() };
    let server = Running::start(settings);
    for path in
        ["/", "/review", "/page/search.js", "/api/v1/search", "/api/v1/thumbnails/0", "/metrics"]
    {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
    assert_eq!(server.get("/style.css").status, 200, "the sign-in page needs it");
    let bearer = format!("Bearer {}", token.reveal());
    assert_eq!(server.ask("GET", "/api/v1/stats", &[("authorization", &bearer)], b"").status, 200);
    let wrong = format!("Bearer {}x", token.reveal());
    assert_eq!(server.ask("GET", "/api/v1/stats", &[("authorization", &wrong)], b"").status, 401);

    // The link is good for once.
    let path = server.link.split_once(&server.address.to_string()).unwrap().1.to_owned();
    let welcome = server.get(&path);
    assert_eq!((welcome.status, welcome.header("location")), (303, Some("/")));
    let cookie = welcome.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(token.reveal()), "the cookie is another secret");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(server.ask("GET", "/", &[("cookie", cookie)], b"").status, 200);
    assert_eq!(server.get(&path).status, 401);

    let form = ("content-type", "application/x-www-form-urlencoded");
    let body = format!("token={}", token.reveal());
    assert_eq!(server.ask("POST", "/sign-in", &[form], body.as_bytes()).status, 303);
    assert_eq!(server.ask("POST", "/sign-in", &[form], b"token=guess").status, 401);
}

#[test]
fn nothing_but_photos_of_the_index_is_served() {
    let server = Running::start(Settings::default());
    let secret = made().folder.path().join("secret.txt");
    std::fs::write(&secret, "not for you").unwrap();
    for path in [
        "/api/v1/photo/../../../../etc/passwd",
        "/api/v1/photo/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/api/v1/thumbnails/..%2f..%2fsecret.txt",
        "/api/v1/photo/-1",
        "/api/v1/photo/99999999999999",
        "/api/v1/photo/4294967295",
        "/page/../../Cargo.toml",
        "/page/%2e%2e/Cargo.toml",
        "//etc/passwd",
        "/api/v1/items/%00",
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("not for you"));
    }
    // An example must be a photo of the index: no path is opened.
    for like in [secret.display().to_string(), "/etc/passwd".into(), "../secret.txt".into()] {
        let answer = server.get(&format!("/api/v1/search?q=like:{}", like.replace('/', "%2F")));
        assert_eq!(answer.status, 400, "{like}");
    }
    let photo = server.get("/api/v1/photo/0");
    assert_eq!(photo.header("content-type"), Some("image/jpeg"));
    assert!(photo.body.starts_with(&[0xff, 0xd8, 0xff]));
    assert!(!photo.body.windows(4).any(|bytes| bytes == b"Exif"));
}

#[test]
fn thumbnails_are_made_once() {
    let server = Running::start(Settings::default());
    let first = server.get("/api/v1/thumbnails/5");
    assert_eq!(first.status, 200);
    assert_eq!(first.header("content-type"), Some("image/jpeg"));
    let again = server.get("/api/v1/thumbnails/5");
    assert_eq!(first.body, again.body);
    let tag = again.header("etag").unwrap().to_owned();
    assert_eq!(
        server.ask("GET", "/api/v1/thumbnails/5", &[("if-none-match", &tag)], b"").status,
        304
    );
    let small = image::load_from_memory(&again.body).unwrap();
    assert!(small.width().max(small.height()) <= 440);
}

#[test]
fn bombs_and_heaps_are_refused() {
    let limits = Limits { upload_bytes: 1 << 20, upload_pixels: 1_000_000, ..Limits::default() };
    let server = Running::start(Settings { limits, ..Settings::default() });
    for path in ["/api/v1/similar", "/api/v1/annotate"] {
        let send = |bytes: &[u8]| server.ask("POST", path, &[PICTURE], bytes);
        assert_eq!(send(&stranger()).status, 200, "an honest one");
        // A header that claims 60,000 x 60,000 pixels.
        let mut bomb = stranger();
        bomb[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
        let begun = std::time::Instant::now();
        assert!(matches!(send(&bomb).status, 413 | 415));
        assert!(begun.elapsed() < Duration::from_secs(10), "before decoding");
        let mut large = Cursor::new(Vec::new());
        image::RgbImage::new(1200, 1200).write_to(&mut large, ImageFormat::Png).unwrap();
        assert_eq!(send(large.get_ref()).status, 413, "too many pixels");
        assert_eq!(send(&vec![0xff; (1 << 20) + 1]).status, 413, "too many bytes");
        assert_eq!(send(b"").status, 400);
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
        assert_eq!(send(svg).status, 415);
        assert_eq!(send(&stranger()[..200]).status, 415, "a torn one");
    }
    let long = json!({ "query": "x".repeat(1 << 20), "judged": [] }).to_string();
    assert_eq!(server.ask("POST", "/api/v1/judgements", &[JSON], long.as_bytes()).status, 413);
    assert_eq!(server.get("/api/v1/health").status, 200, "it is still there");
}

#[test]
fn where_photos_were_taken_is_told_only_if_asked() {
    let told = |coordinates| {
        let server = Running::start(Settings { coordinates, ..Settings::default() });
        let item = json_of(&server.get(&format!("/api/v1/items/{}", made().placed())));
        let stream = String::from_utf8(server.get("/api/v1/items").body).unwrap();
        (item["coordinates"].clone(), stream.contains("latitude"))
    };
    assert_eq!(told(Coordinates::Hidden), (Value::Null, false));
    let (shown, streamed) = told(Coordinates::Shown);
    assert!((shown["latitude"].as_f64().unwrap() - 48.2).abs() < 0.01, "{shown}");
    assert!(streamed);
}

#[test]
fn too_many_requests_are_turned_away() {
    let limits = Limits { per_second: 0.01, burst: 20.0, ..Limits::default() };
    let server = Running::start(Settings { limits, ..Settings::default() });
    let answers: Vec<u16> = (0..40).map(|_| server.get("/api/v1/health").status).collect();
    assert!(answers[..20].iter().all(|&status| status == 200));
    assert!(answers[22..].iter().filter(|&&status| status == 429).count() >= 15, "{answers:?}");

    let limits = Limits { in_flight: 0, ..Limits::default() };
    let server = Running::start(Settings { limits, ..Settings::default() });
    let busy = server.get("/api/v1/health");
    assert_eq!((busy.status, busy.header("retry-after")), (503, Some("1")));
}

#[test]
fn a_slow_client_is_left() {
    let limits = Limits {
        head: Duration::from_millis(300),
        request: Duration::from_millis(300),
        ..Limits::default()
    };
    let server = Running::start(Settings { limits, ..Settings::default() });
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\nx-slow:").unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap();
    assert!(!String::from_utf8_lossy(&rest).contains("200 OK"));

    let mut stream = std::net::TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    stream
        .write_all(
            b"POST /api/v1/similar HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9999\r\n\r\nfew",
        )
        .unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 504");
}

#[test]
fn judgements_and_corrections_are_kept() {
    let server = Running::start(Settings::default());
    let judged: Vec<Value> =
        (0..10).map(|id| json!({ "id": id, "relevant": id % 2 == 0 })).collect();
    let body = json!({ "query": "sheep on a hill", "judged": judged }).to_string();
    let answer = json_of(&server.ask("POST", "/api/v1/judgements", &[JSON], body.as_bytes()));
    assert_eq!(answer["precision"][2], json!({ "k": 10, "value": 0.5 }));
    let all = json_of(&server.get("/api/v1/judgements"));
    let queries = all["queries"].as_array().unwrap();
    assert!(queries.iter().any(|one| one["query"] == "sheep on a hill"), "{all}");

    let body = json!({ "id": 7, "accepted": ["kite"], "rejected": ["submarine"] }).to_string();
    let answer = server.ask("POST", "/api/v1/corrections", &[JSON], body.as_bytes());
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let annotation = json_of(&server.get("/api/v1/annotate/7"));
    assert_eq!(annotation["reviewed"], true);
    let kite = annotation["keywords"].as_array().unwrap().iter().find(|one| one["word"] == "kite");
    assert_eq!(kite.unwrap()["decision"], "accepted");
    let unknown = json!({ "id": 99_999, "accepted": ["x"] }).to_string();
    assert_eq!(server.ask("POST", "/api/v1/corrections", &[JSON], unknown.as_bytes()).status, 404);
}

#[test]
fn it_ends_when_asked_and_metrics_count() {
    let server = Running::start(Settings::default());
    server.get("/api/v1/health");
    server.get("/nowhere");
    let metrics = String::from_utf8(server.get("/metrics").body).unwrap();
    let has =
        |line: &str| assert!(metrics.lines().any(|found| found.starts_with(line)), "{metrics}");
    has("rebus_requests_total{route=\"/api/v1/health\",status=\"200\"} 1");
    has("rebus_requests_total{route=\"other\",status=\"404\"} 1");
    has(&format!("rebus_photos {PICTURES}"));
    server.stop();
}
