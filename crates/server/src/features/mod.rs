//! The features, each with its handlers, its SQL and its cache. A feature uses the stores and caches of
//! those above it in this list.

pub mod recommendation_reason;

pub mod account;
pub mod announcements;
pub mod auth;
pub mod client_errors;
pub mod digest;
pub mod events;
pub mod invites;
pub mod mailer;
pub mod media;
pub mod members;
pub mod moderation;
pub mod notifications;
pub mod posts;
pub mod push;
pub mod relationships;
pub mod sessions;
pub mod settings;
pub mod tags;
pub mod waitlist;

#[cfg(test)]
mod watched_columns;
