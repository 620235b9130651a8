//! HTTP layer for the features: connections, middleware, extractors, pagination, errors, OpenAPI document.

pub mod byte_range;
pub mod client_ip;
pub mod client_limit;
pub mod concurrency_limit;
pub mod cookies;
pub mod error;
pub mod extract;
pub mod fallback;
pub(crate) mod language;
pub mod message;
pub mod middleware;
pub mod openapi;
pub mod pagination;
pub(crate) mod server;
pub mod static_assets;
pub mod text_limits;
