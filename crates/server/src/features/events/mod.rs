//! Live updates: a stream of server-sent events with the numbers that a browser shows.
//!
//! `registry` knows the open streams of this node and marks those that a commit concerns, without a query.
//! A marked `stream` then reads what may have changed and sends what did.

mod dispatch;
mod dto;
mod hash32;
mod registry;
mod routes;
mod state;
mod stream;

pub use dispatch::run_dispatcher;
pub use dto::{EventsQuery, NewPostsEvent, UnreadEvent};
pub use routes::{__path_stream_events, stream_events};
pub use state::EventsState;
