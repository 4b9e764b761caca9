//! Listening, connections, and the end.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use rebus_collection::Progress;
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::guard::access;
use crate::guard::rate::Peer;
use crate::library::Library;
use crate::routes;
use crate::settings::Settings;
use crate::shared::Shared;
use crate::work::{Queue, work};

/// How often it looks whether it shall end.
const PULSE: Duration = Duration::from_millis(100);
/// How long requests at hand may take once it shall end.
const FAREWELL: Duration = Duration::from_secs(5);
/// How often it looks whether the index has changed.
const LOOK: Duration = Duration::from_secs(2);
/// The most bytes of a request's head.
const HEAD_BYTES: usize = 32 << 10;

/// What a server has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Served {
    /// Requests that it answered.
    pub requests: u64,
}

/// A server that listens already, and answers once it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    link: String,
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// If the settings are not safe, or the address cannot be had.
    pub fn bind(settings: Settings, library: Library) -> Result<Self> {
        settings.check()?;
        let failed = |source| Error::Listen { address: settings.address, source };
        let listener = TcpListener::bind(settings.address).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let (shared, key) = Shared::new(settings, library)?;
        let path = key.map_or_else(|| "/".to_owned(), |key| access::link(&key));
        let link = format!("http://{}{path}", reachable(address));
        Ok(Self { listener, address, shared: Arc::new(shared), link })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser. With a token it is good for once.
    pub fn link(&self) -> &str {
        &self.link
    }

    /// Answers until `progress` is interrupted; then finishes the requests at hand.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn run(self, progress: &dyn Progress) -> Result<Served> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_io()
            .enable_time()
            .thread_name("rebus-serve")
            // Searches wait for one of `working` places; the rest is reading small files.
            .max_blocking_threads(self.shared.settings.limits.working + 16)
            .build()
            .map_err(|source| Error::Start { source })?;
        let shared = Arc::clone(&self.shared);
        let ended = runtime.block_on(self.answer(progress));
        runtime.shutdown_timeout(FAREWELL);
        ended.map(|()| Served { requests: shared.metrics.requests() })
    }

    async fn answer(self, progress: &dyn Progress) -> Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)
            .map_err(|source| Error::Start { source })?;
        let limits = &self.shared.settings.limits;
        let places = Arc::new(Semaphore::new(limits.connections));
        let router = routes::router(Arc::clone(&self.shared));
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(HEAD_BYTES);
        let graceful = GracefulShutdown::new();
        let refreshing = tokio::spawn(refresh(Arc::clone(&self.shared)));
        while !progress.interrupted() {
            // The place comes first: what does not fit waits outside.
            let next = async {
                let place = Arc::clone(&places).acquire_owned().await;
                (place, listener.accept().await)
            };
            let Ok((place, accepted)) = tokio::time::timeout(PULSE, next).await else { continue };
            let Ok((stream, peer)) = accepted else {
                // No more files may be open, or the client left at once: neither ends the server.
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let router = TowerToHyperService::new(router.clone());
            let service = service_fn(move |request: hyper::Request<Incoming>| {
                let mut request = request.map(Body::new);
                request.extensions_mut().insert(Peer(peer));
                router.call(request)
            });
            let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(async move {
                // A client that breaks off is no concern of ours.
                let _ = connection.await;
                drop(place);
            });
        }
        drop(listener);
        refreshing.abort();
        let _ = tokio::time::timeout(FAREWELL, graceful.shutdown()).await;
        Ok(())
    }
}

/// Takes up what other processes commit.
async fn refresh(shared: Arc<Shared>) {
    loop {
        let looked = work(&shared, Queue::Thinking, |shared| {
            // A damaged commit leaves the last good one in force.
            Ok(shared.library.index().refresh().map(drop)?)
        });
        if let Err(problem) = looked.await {
            problem.report(shared.settings.report);
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// An address that a browser on this machine can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address {
        SocketAddr::V4(v4) if v4.ip().is_unspecified() => ([127, 0, 0, 1], v4.port()).into(),
        SocketAddr::V6(v6) if v6.ip().is_unspecified() => {
            SocketAddr::new(std::net::Ipv6Addr::LOCALHOST.into(), v6.port())
        }
        other => other,
    }
}
