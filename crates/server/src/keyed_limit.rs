//! How many requests or connections one member or client network has at the same time.
//!
//! A member is counted apart from the network: an office or a school is one network, and nobody in it keeps its members
//! out. The connections of a trusted proxy are not counted, since all of its clients share them.

use crate::client;
use crate::edge::Edge;
use crate::error::{ApiError, Result};
use crate::ids::Id;
use axum::extract::Request;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

/// Connections of one network, and its requests for pages, files and images.
pub(crate) const MAX_PER_NETWORK: usize = 256;
/// API requests of one member: half of what one core works on.
const MAX_PER_MEMBER: usize = 16;
/// API requests of the visitors of one network.
const MAX_PER_VISITORS: usize = 32;
/// `Retry-After` beyond a limit, in seconds.
const RETRY_AFTER: u64 = 2;

/// Counts by key.
#[derive(Debug, Default)]
pub struct KeyedLimit(Mutex<HashMap<Key, usize>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Member(Id),
    Network(IpAddr),
}

/// One request or connection, until it is dropped.
#[derive(Debug)]
pub(crate) struct KeyedPermit {
    limit: Arc<KeyedLimit>,
    key: Key,
}

impl KeyedLimit {
    /// Counts one more of a network, unless it has `max` already.
    pub(crate) fn acquire_network(
        self: &Arc<Self>,
        network: IpAddr,
        max: usize,
    ) -> Option<KeyedPermit> {
        self.acquire(Key::Network(network), max)
    }

    fn acquire(self: &Arc<Self>, key: Key, max: usize) -> Option<KeyedPermit> {
        let mut counts = self.0.lock();
        let count = counts.entry(key).or_default();
        if *count >= max {
            return None;
        }
        *count += 1;
        drop(counts);
        let limit = Arc::clone(self);
        Some(KeyedPermit { limit, key })
    }

    #[cfg(test)]
    pub(crate) fn keys(&self) -> usize {
        self.0.lock().len()
    }
}

impl Drop for KeyedPermit {
    fn drop(&mut self) {
        let mut counts = self.limit.0.lock();
        if let Some(count) = counts.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

/// Counts a request until its response is sent: by member if the session is cached, else by network. 429 beyond.
pub(crate) fn count(app: &Edge, request: &Request) -> Result<Option<KeyedPermit>> {
    if !app.limits.are_on() {
        return Ok(None);
    }
    let is_api = request.uri().path().starts_with("/api/");
    let member = is_api.then(|| (app.cached_member)(request.headers()));
    let network = || client::behind_proxy(app, request.extensions(), request.headers());
    let permit = if let Some(member) = member.flatten() {
        app.api_requests
            .acquire(Key::Member(member), MAX_PER_MEMBER)
    } else if let Some(network) = network() {
        if is_api {
            app.api_requests.acquire_network(network, MAX_PER_VISITORS)
        } else {
            app.file_requests.acquire_network(network, MAX_PER_NETWORK)
        }
    } else {
        return Ok(None);
    };
    permit.map(Some).ok_or_else(|| {
        metrics::counter!("kith_connections_refused_total").increment(1);
        ApiError::too_many(RETRY_AFTER)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: busy-behind-proxy, limit-connections
    #[test]
    fn one_network_leaves_connections_to_others() {
        let limit = Arc::new(KeyedLimit::default());
        let acquire = |address: &str| limit.acquire_network(address.parse().unwrap(), 2);
        let one = std::iter::from_fn(|| acquire("192.0.2.1")).collect::<Vec<_>>();
        assert_eq!(one.len(), 2);
        let other = acquire("2001:db8::");
        assert!(other.is_some());
        drop(one);
        assert!(acquire("192.0.2.1").is_some());
        drop(other);
        assert_eq!(limit.keys(), 0, "unused keys are removed");
    }
}
