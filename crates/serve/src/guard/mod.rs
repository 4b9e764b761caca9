//! What stands between the network and the routes, from the outside in.
//!
//! 1. every answer carries the headers that keep a browser within bounds ([`headers`]);
//! 2. a request that calls us by a foreign name, or that a page elsewhere sent, is refused
//!    ([`host`]): no web page can read the index;
//! 3. too many requests of one address are refused ([`rate`]), too many at a time are sent away, and
//!    each has its time ([`load`]);
//! 4. who has no token is refused, where one is needed ([`access`]).

pub(crate) mod access;
pub(crate) mod headers;
pub(crate) mod host;
pub(crate) mod load;
pub(crate) mod rate;
