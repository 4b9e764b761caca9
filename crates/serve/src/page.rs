//! The page: a few files that are part of the program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

/// A file of the page.
struct File {
    /// Where it is served.
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// Whether it is served without a token, for the sign-in page.
    public: bool,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// A row of the table.
macro_rules! file {
    ($path:literal, $kind:expr, $name:literal) => {
        file!($path, $kind, include_bytes!(concat!("../page/", $name)), false)
    };
    ($path:literal, $kind:expr, $name:literal, public) => {
        file!($path, $kind, include_bytes!(concat!("../page/", $name)), true)
    };
    ($path:literal, $kind:expr, $bytes:expr, $public:literal) => {
        File { path: $path, kind: $kind, bytes: $bytes, public: $public }
    };
}

/// A file behind the head that all pages have.
macro_rules! page {
    ($name:literal) => {
        concat!(include_str!("../page/head.html"), include_str!(concat!("../page/", $name)))
            .as_bytes()
    };
}

/// Every file of the page.
static FILES: &[File] = &[
    file!("/", HTML, page!("search.html"), false),
    file!("/review", HTML, page!("review.html"), false),
    file!("/judge", HTML, page!("judge.html"), false),
    file!("/sign-in", HTML, page!("sign-in.html"), true),
    file!("/style.css", STYLE, "style.css", public),
    file!("/icon.svg", SVG, "icon.svg", public),
    file!("/page/api.js", SCRIPT, "api.js"),
    file!("/page/build.js", SCRIPT, "build.js"),
    file!("/page/drop.js", SCRIPT, "drop.js"),
    file!("/page/facets.js", SCRIPT, "facets.js"),
    file!("/page/grid.js", SCRIPT, "grid.js"),
    file!("/page/judge.js", SCRIPT, "judge.js"),
    file!("/page/keys.js", SCRIPT, "keys.js"),
    file!("/page/photo.js", SCRIPT, "photo.js"),
    file!("/page/query.js", SCRIPT, "query.js"),
    file!("/page/review.js", SCRIPT, "review.js"),
    file!("/page/search.js", SCRIPT, "search.js"),
];

/// The paths of the page's files.
pub(crate) fn paths() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|file| file.path)
}

/// Whether a path is served without a token: what the sign-in page needs.
pub(crate) fn is_public(path: &str) -> bool {
    FILES.iter().any(|file| file.public && file.path == path)
}

/// A file of the page, with a tag so that browsers need not load it twice.
pub(crate) fn serve(path: &'static str, headers: &HeaderMap) -> Response {
    let Some(file) = FILES.iter().find(|file| file.path == path) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let tag = format!("\"{}\"", &blake3::hash(file.bytes).to_hex()[..16]);
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known == tag.as_str());
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(header::CONTENT_TYPE, file.kind)], file.bytes).into_response()
    };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The page that asks for the token.
pub(crate) fn sign_in() -> Response {
    serve("/sign-in", &HeaderMap::new())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_asked_of_others_and_nothing_is_inline() {
        for file in FILES {
            let text = std::str::from_utf8(file.bytes).unwrap();
            // The one address that is allowed is a name, not a place: that of SVG.
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for outside in ["http://", "https://", "//cdn", "@import", "eval(", "innerHTML"] {
                assert!(!text.contains(outside), "{}: {outside}", file.path);
            }
            if file.kind == HTML {
                for inline in ["<style", "style=", "onclick=", "onload=", "<script>", "javascript:"]
                {
                    assert!(!text.contains(inline), "{}: {inline}", file.path);
                }
                for once in ["<html lang=\"en\">", "<title>", "</head>", "<body", "</html>"] {
                    assert_eq!(text.matches(once).count(), 1, "{}: {once}", file.path);
                }
            }
        }
    }
}
