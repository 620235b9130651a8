//! Size-bounded cache whose entries are valid for one version of their slots.

use crate::cache::{CacheVersion, CacheVersions, VersionSlot};
use foldhash::fast::RandomState;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{Equivalent, OptionsBuilder, Weighter};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Independently locked shards. Each has an equal part of the capacity, so one per core would evict large entries.
const SHARDS: usize = 8;

/// A value that can be cached.
pub trait CacheValue {
    /// The version counters that the value depends on.
    fn slots(&self) -> &[VersionSlot];
    /// Approximate size in bytes.
    fn bytes(&self) -> usize;
}

struct CacheEntry<V> {
    version: CacheVersion,
    value: Arc<V>,
}

impl<V> Clone for CacheEntry<V> {
    fn clone(&self) -> Self {
        Self { version: self.version, value: Arc::clone(&self.value) }
    }
}

/// Cache of values by key, evicted by recent use. Lookups miss while the change feed is not current.
pub struct VersionedCache<K, V: CacheValue> {
    versions: Arc<CacheVersions>,
    name: &'static str,
    cache: Cache<K, CacheEntry<V>, ByteWeighter, RandomState>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl<K, V: CacheValue> std::fmt::Debug for VersionedCache<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("VersionedCache").field(&self.name).finish()
    }
}

#[derive(Clone)]
struct ByteWeighter;

impl<K, V: CacheValue> Weighter<K, CacheEntry<V>> for ByteWeighter {
    fn weight(&self, _: &K, entry: &CacheEntry<V>) -> u64 {
        // Includes the table slot, the reference count and the allocator's overhead.
        (entry.value.bytes() + 120) as u64
    }
}

impl<K: Eq + Hash, V: CacheValue> VersionedCache<K, V> {
    /// Creates an empty cache with a label for metrics, the expected number of entries and the capacity in bytes.
    #[must_use]
    pub fn new(
        versions: &Arc<CacheVersions>,
        name: &'static str,
        expected_entries: usize,
        capacity: u64,
    ) -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(expected_entries)
            .weight_capacity(capacity)
            .shards(if expected_entries < SHARDS { 1 } else { SHARDS })
            .build()
            .unwrap_or_else(|_| unreachable!("both capacities are given"));
        Self {
            versions: Arc::clone(versions),
            name,
            cache: Cache::with_options(
                options,
                ByteWeighter,
                RandomState::default(),
                DefaultLifecycle::default(),
            ),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// Returns a valid value without counting a hit or miss.
    pub fn peek<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        let entry = self.versions.is_current().then(|| self.cache.peek(key));
        self.if_valid(entry.flatten()).map(|entry| entry.value)
    }

    fn if_valid(&self, entry: Option<CacheEntry<V>>) -> Option<CacheEntry<V>> {
        entry.filter(|entry| entry.version == self.versions.current_version(entry.value.slots()))
    }

    /// Returns a valid value and counts the hit or miss. While the change feed is not current, nothing is counted.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        if !self.versions.is_current() {
            return None;
        }
        let entry = self.if_valid(self.cache.get(key));
        let counter = if entry.is_some() { &self.hits } else { &self.misses };
        counter.fetch_add(1, Ordering::Relaxed);
        entry.map(|entry| entry.value)
    }

    /// Inserts a value with the version that was read before the query.
    pub fn put(&self, key: K, version: CacheVersion, value: &Arc<V>) {
        if self.versions.is_current() {
            let value = Arc::clone(value);
            self.cache.insert(key, CacheEntry { version, value });
        }
    }

    /// Publishes hits, misses and bytes as metrics.
    pub fn measure(&self) {
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        metrics::counter!("kith_memory_hits_total", "of" => self.name).absolute(load(&self.hits));
        metrics::counter!("kith_memory_misses_total", "of" => self.name)
            .absolute(load(&self.misses));
        let bytes = u32::try_from(self.cache.weight()).unwrap_or(u32::MAX);
        metrics::gauge!("kith_memory_bytes", "of" => self.name).set(f64::from(bytes));
    }
}
