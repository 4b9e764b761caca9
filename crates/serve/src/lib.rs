//! An index as a page, and over HTTP.
//!
//! It is for looking at one's photos in a browser, and for programs that ask over the network. It is
//! not for finding or describing photos (`rebus-index` does), nor for the open internet: there is no
//! encryption, and one token for all.
//!
//! ```
//! use rebus_collection::Progress;
//! use rebus_index::Index;
//! use rebus_serve::{Library, Result, Served, Server, Settings, Sight};
//!
//! /// Serves an index, by a model that it has, until `progress` says that it is interrupted.
//! fn serve(index: Index, sight: Sight, progress: &dyn Progress) -> Result<Served> {
//!     let server = Server::bind(Settings::default(), Library::new(index, sight))?;
//!     assert!(server.link().starts_with("http://127.0.0.1:"));
//!     server.run(progress)
//! }
//! ```
//!
//! # The way through
//!
//! [`Server`] listens and hands requests to the `routes`, past the `guard`s: headers, where a request
//! comes from, how often, how many, who. `api` has a file a thing that can be asked for; each does
//! its `work` in a queue, on the [`Library`]. `page` serves the files of the page, which are in the
//! folder `page` beside `src`: `search.js` is where to begin there, `grid.js` shows any number of
//! photos. [`OPENAPI`] describes the interface, and a test holds it against [`routes`].

mod api;
mod error;
mod guard;
mod library;
mod lines;
mod metrics;
mod page;
mod problem;
mod routes;
mod server;
mod settings;
mod shared;
mod thumbnails;
mod token;
mod upload;
mod work;

pub use error::{Error, Result};
pub use library::{Library, Sight};
pub use routes::{OPENAPI, routes};
pub use server::{Served, Server};
pub use settings::{Access, Coordinates, Limits, PORT, Settings};
pub use token::Token;
