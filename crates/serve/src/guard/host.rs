//! By which name we are called, and from which page.
//!
//! A page elsewhere can let its own name point to this machine (DNS rebinding): then its requests
//! carry that name as `Host`. Addresses cannot be pointed elsewhere, so they and `localhost` are
//! fine, other names only if they are listed. A page elsewhere can also send requests here without
//! reading the answer, and they carry its `Origin` or `Sec-Fetch-Site`.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::shared::Shared;

/// Lets our own page, and programs, through.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    match look(&shared.settings.hosts, request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => {
            shared.metrics.refused("origin");
            problem.into_response()
        }
    }
}

fn look(hosts: &[String], method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}"));
    let mut said = headers.get_all(header::HOST).iter();
    let host = match (said.next().and_then(|host| host.to_str().ok()), said.next()) {
        (Some(host), None) => host,
        _ => return Err(Problem::bad("a request has one Host header")),
    };
    if !is_ours(host, hosts) {
        let message = format!("this server is not called {host}");
        return Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, message)
            .hint("use its address, or start it with --allow-host"));
    }
    let elsewhere = || {
        Problem::new(StatusCode::FORBIDDEN, "a page elsewhere may not ask")
            .hint("open the server's own page")
    };
    match text("origin") {
        Some(origin) if origin.strip_prefix("http://") != Some(host) => return Err(elsewhere()),
        _ => {}
    }
    // Following a link to the page is fine: the page elsewhere sees nothing of it.
    let followed = *method == Method::GET && text("sec-fetch-mode") == Some("navigate");
    match text("sec-fetch-site") {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if followed => Ok(()),
        Some(_) => Err(elsewhere()),
    }
}

/// Whether a `Host` is an address, `localhost`, or a name that was listed; with any port, because
/// a tunnel may have another.
fn is_ours(host: &str, hosts: &[String]) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => match rest.split_once(']') {
            Some((inside, after)) if is_port(after) => return inside.parse::<IpAddr>().is_ok(),
            _ => return false,
        },
        None => match host.split_once(':') {
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            Some(_) => return false,
            None => host,
        },
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok()
        || hosts.iter().any(|ours| ours.eq_ignore_ascii_case(name))
}

fn is_port(text: &str) -> bool {
    text.is_empty()
        || text.strip_prefix(':').is_some_and(|port| port.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn addresses_and_listed_names_are_ours() {
        let listed = ["nas.local".to_owned()];
        for host in [
            "localhost",
            "LOCALHOST:8117",
            "127.0.0.1:1",
            "[::1]:8117",
            "192.168.1.7",
            "NAS.local:80",
        ] {
            assert!(is_ours(host, &listed), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:80",
            "[::1",
            "[evil]:80",
            "[::1]evil",
            "localhost:80:90",
            "localhost:evil",
            "other.local",
        ] {
            assert!(!is_ours(host, &listed), "{host}");
        }
    }

    #[test]
    fn pages_elsewhere_are_refused() {
        let ask = |method: &Method, headers: &[(&'static str, &str)]| {
            let mut map = HeaderMap::new();
            map.insert("host", "127.0.0.1:8117".parse().unwrap());
            for (name, value) in headers {
                map.insert(HeaderName::from_static(name), value.parse().unwrap());
            }
            look(&[], method, &map).is_ok()
        };
        assert!(ask(&Method::GET, &[]), "a program");
        assert!(ask(&Method::POST, &[("origin", "http://127.0.0.1:8117")]), "our own page");
        assert!(ask(&Method::GET, &[("sec-fetch-site", "same-origin")]));
        assert!(ask(
            &Method::GET,
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]
        ));
        for origin in
            ["http://evil.example", "https://127.0.0.1:8117", "null", "http://127.0.0.1:9999", ""]
        {
            assert!(!ask(&Method::POST, &[("origin", origin)]), "{origin}");
            assert!(!ask(&Method::GET, &[("origin", origin)]), "{origin}");
        }
        assert!(!ask(&Method::GET, &[("sec-fetch-site", "cross-site")]), "a picture on their page");
        assert!(!ask(&Method::GET, &[("sec-fetch-site", "same-site")]), "another port");
        assert!(!ask(
            &Method::POST,
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]
        ));
    }
}
