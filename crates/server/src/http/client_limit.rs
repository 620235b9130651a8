//! Limits concurrent requests or connections per member or client network.
//!
//! Members are counted separately from their network, so that other clients of a school cannot lock them
//! out. Connections of trusted proxies are not counted, because all clients share them.

use crate::platform::ids::Id;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

/// Maximum connections of one network, and maximum requests for pages, files and images.
pub(crate) const MAX_PER_NETWORK: usize = 256;

/// Number of permits held, by key.
#[derive(Debug, Default)]
pub struct KeyedLimit(Mutex<HashMap<Key, usize>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Member(Id),
    Network(IpAddr),
}

/// Permit of one request or connection.
#[derive(Debug)]
pub(crate) struct KeyedPermit {
    limit: Arc<KeyedLimit>,
    key: Key,
}

impl KeyedLimit {
    /// Acquires a permit for a network; `None` if it has `max` already.
    pub(crate) fn acquire_network(
        self: &Arc<Self>,
        network: IpAddr,
        max: usize,
    ) -> Option<KeyedPermit> {
        self.acquire(Key::Network(network), max)
    }

    /// Acquires a permit for a member; `None` if the member has `max` already.
    pub(crate) fn acquire_member(self: &Arc<Self>, member: Id, max: usize) -> Option<KeyedPermit> {
        self.acquire(Key::Member(member), max)
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
    pub(crate) fn key_count(&self) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: busy-behind-proxy, limit-connections
    #[test]
    fn connections_are_limited_per_network() {
        let limit = Arc::new(KeyedLimit::default());
        let acquire = |address: &str| limit.acquire_network(address.parse().unwrap(), 2);
        let one = std::iter::from_fn(|| acquire("192.0.2.1")).collect::<Vec<_>>();
        assert_eq!(one.len(), 2);
        let other = acquire("2001:db8::");
        assert!(other.is_some());
        drop(one);
        assert!(acquire("192.0.2.1").is_some());
        drop(other);
        assert_eq!(limit.key_count(), 0, "unused keys are removed");
    }
}
