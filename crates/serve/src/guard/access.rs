//! Who may ask, where a token is needed: programs show it as `Authorization: Bearer`, browsers get
//! a cookie for it, from a link that is good for once or from the form of the sign-in page.
//!
//! The cookie holds another secret than the token, is invisible to scripts, and is never sent by a
//! page elsewhere.

use std::sync::Arc;

use axum::Form;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use crate::page;
use crate::problem::Problem;
use crate::settings::Access;
use crate::shared::Shared;
use crate::token::{OnceKey, Token};

/// The cookie's name, and the parameter of the link that is good for once.
const COOKIE: &str = "rebus-session";
const PARAMETER: &str = "key";

/// The secrets of a running server.
#[derive(Debug)]
pub(crate) struct Door {
    token: Token,
    session: Token,
    once: OnceKey,
}

impl Door {
    /// A door, and the key of its link; none where anybody may ask.
    pub(crate) fn new(access: &Access) -> crate::Result<Option<(Self, Token)>> {
        let Access::Token(token) = access else { return Ok(None) };
        let key = Token::random()?;
        let door = Self {
            token: token.clone(),
            session: Token::random()?,
            once: OnceKey::new(key.clone()),
        };
        Ok(Some((door, key)))
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
        let bearer = headers.get(header::AUTHORIZATION).and_then(text);
        let bearer = bearer.as_deref().and_then(|value| value.strip_prefix("Bearer "));
        if bearer.is_some_and(|shown| self.token.is(shown)) {
            return true;
        }
        headers.get_all(header::COOKIE).iter().filter_map(text).any(|cookies| {
            let mut pairs = cookies.split(';').filter_map(|pair| pair.trim().split_once('='));
            pairs.any(|(name, value)| name == COOKIE && self.session.is(value))
        })
    }

    /// To the page, with the cookie.
    fn welcome(&self) -> Response {
        let cookie = format!(
            "{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000",
            self.session.reveal()
        );
        let mut response = Redirect::to("/").into_response();
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// The path of the link that is good for once.
pub(crate) fn link(key: &Token) -> String {
    format!("/?{PARAMETER}={}", key.reveal())
}

/// Lets through who has the token, and what the sign-in page needs.
pub(crate) async fn check(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(door) = &shared.door else { return next.run(request).await };
    let path = request.uri().path();
    let key = request.uri().query().and_then(|query| {
        query.split('&').find_map(|pair| pair.strip_prefix(PARAMETER)?.strip_prefix('='))
    });
    match key {
        Some(key) if path == "/" && door.once.take(key) => return door.welcome(),
        _ => {}
    }
    if door.knows(request.headers()) || page::is_public(path) {
        return next.run(request).await;
    }
    shared.metrics.refused("token");
    if path.starts_with("/api/") || path == "/metrics" {
        return Problem::new(StatusCode::UNAUTHORIZED, "this server needs its token")
            .hint("send it as `Authorization: Bearer TOKEN`")
            .into_response();
    }
    (StatusCode::UNAUTHORIZED, page::sign_in()).into_response()
}

/// What the form of the sign-in page sends.
#[derive(Deserialize)]
pub(crate) struct SignIn {
    token: String,
}

/// Takes the token from the sign-in page.
pub(crate) async fn sign_in(
    State(shared): State<Arc<Shared>>,
    Form(SignIn { token }): Form<SignIn>,
) -> Response {
    match &shared.door {
        None => Redirect::to("/").into_response(),
        Some(door) if door.token.is(token.trim()) => door.welcome(),
        Some(_) => {
            shared.metrics.refused("token");
            (StatusCode::UNAUTHORIZED, page::sign_in()).into_response()
        }
    }
}
