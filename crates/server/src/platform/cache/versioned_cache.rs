//! A bounded place for what was read, each with the stamp it is good for.

use crate::platform::cache::{Memory, Slot, Stamp};
use foldhash::fast::RandomState;
use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{Equivalent, OptionsBuilder, Weighter};
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts of a cache with their own locks and shares of the room, so a part for each of many cores would keep less.
const SHARDS: usize = 8;

/// What can stand on a shelf.
pub trait Remembered {
    /// What it depends on.
    fn slots(&self) -> &[Slot];
    /// The bytes it takes, roughly.
    fn bytes(&self) -> usize;
}

struct Kept<V> {
    stamp: Stamp,
    value: Arc<V>,
}

impl<V> Clone for Kept<V> {
    fn clone(&self) -> Self {
        Self {
            stamp: self.stamp,
            value: Arc::clone(&self.value),
        }
    }
}

/// Values by their keys; not asked while memory is off. What was used least goes when there is no room.
pub struct Shelf<K, V: Remembered> {
    memory: Arc<Memory>,
    name: &'static str,
    cache: Cache<K, Kept<V>, Bytes, RandomState>,
    hits: AtomicU64,
    misses: AtomicU64,
}

impl<K, V: Remembered> std::fmt::Debug for Shelf<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Shelf").field(&self.name).finish()
    }
}

#[derive(Clone)]
struct Bytes;

impl<K, V: Remembered> Weighter<K, Kept<V>> for Bytes {
    fn weight(&self, _: &K, kept: &Kept<V>) -> u64 {
        // The slot in the table, the count beside the value, what the allocator adds.
        (kept.value.bytes() + 120) as u64
    }
}

impl<K: Eq + Hash, V: Remembered> Shelf<K, V> {
    /// An empty cache: its metrics name, how many values are expected, and the bytes that they may take together.
    #[must_use]
    pub fn new(memory: &Arc<Memory>, name: &'static str, expected: usize, room: u64) -> Self {
        let options = OptionsBuilder::new()
            .estimated_items_capacity(expected)
            .weight_capacity(room)
            .shards(if expected < SHARDS { 1 } else { SHARDS })
            .build()
            .unwrap_or_else(|_| unreachable!("both capacities are given"));
        Self {
            memory: Arc::clone(memory),
            name,
            cache: Cache::with_options(
                options,
                Bytes,
                RandomState::default(),
                DefaultLifecycle::default(),
            ),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
        }
    }

    /// A value that is still good; nobody counts that somebody asked.
    pub fn peek<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        let kept = self.memory.is_on().then(|| self.cache.peek(key));
        self.good(kept.flatten()).map(|kept| kept.value)
    }

    fn good(&self, kept: Option<Kept<V>>) -> Option<Kept<V>> {
        kept.filter(|kept| kept.stamp == self.memory.stamp(kept.value.slots()))
    }

    /// A value that is still good.
    pub fn get<Q: Hash + Equivalent<K> + ?Sized>(&self, key: &Q) -> Option<Arc<V>> {
        if !self.memory.is_on() {
            return None;
        }
        let kept = self.good(self.cache.get(key));
        let counter = if kept.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        kept.map(|kept| kept.value)
    }

    /// Keeps a value that was read after the stamp of its slots was taken.
    pub fn put(&self, key: K, stamp: Stamp, value: &Arc<V>) {
        if self.memory.is_on() {
            let value = Arc::clone(value);
            self.cache.insert(key, Kept { stamp, value });
        }
    }

    /// Tells the metrics how well it serves.
    pub fn measure(&self) {
        let counter = |of: &AtomicU64| of.load(Ordering::Relaxed);
        metrics::counter!("kith_memory_hits_total", "of" => self.name)
            .absolute(counter(&self.hits));
        metrics::counter!("kith_memory_misses_total", "of" => self.name)
            .absolute(counter(&self.misses));
        let bytes = u32::try_from(self.cache.weight()).unwrap_or(u32::MAX);
        metrics::gauge!("kith_memory_bytes", "of" => self.name).set(f64::from(bytes));
    }
}
