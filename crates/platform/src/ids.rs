//! 64-bit ids that sort by time: 41 bits of milliseconds, 10 of node, 12 of sequence.

use crate::clock::{Clock, EPOCH, LATEST, Millis};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::atomic::{AtomicI64, Ordering};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

const NODE_BITS: u32 = 10;
const SEQUENCE_BITS: u32 = 12;

/// Timestamp of the last possible id, in milliseconds since the epoch.
const LAST: Millis = LATEST - EPOCH;

/// Number of nodes that can generate ids concurrently.
pub const MAX_NODES: i64 = 1 << NODE_BITS;
/// Node number of commands that run beside a server on one SQLite file.
pub const COMMAND_NODE: i64 = MAX_NODES - 1;

/// Example id for the OpenAPI document.
pub const EXAMPLE: &str = "247513998712340480";

/// Id of a row. JSON carries it as an opaque string, because JavaScript numbers have only 53 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub i64);

impl Id {
    /// Id that no row has.
    pub const NONE: Self = Self(0);

    /// Parses an id from the API. Any text that is not a canonical id becomes [`Id::NONE`].
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let is_number = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        Self(if is_number { text.parse().unwrap_or(0) } else { 0 })
    }

    /// Returns the creation time of the row.
    #[must_use]
    pub const fn time(self) -> Millis {
        (self.0 >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH
    }

    /// Returns the smallest id of a millisecond, for range queries by time.
    #[must_use]
    pub const fn first_at(time: Millis) -> i64 {
        let elapsed = if time > EPOCH { time - EPOCH } else { 0 };
        elapsed << (NODE_BITS + SEQUENCE_BITS)
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::parse(&String::deserialize(deserializer)?))
    }
}

/// Deserializes an optional id: absent, null and empty become `None`.
pub fn deserialize_option<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Id>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text.filter(|text| !text.is_empty()).map(|text| Id::parse(&text)))
}

impl PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Opaque id."))
            .min_length(Some(1))
            .max_length(Some(19))
            .examples([serde_json::json!(EXAMPLE)])
            .into()
    }
}

impl ToSchema for Id {}

/// Id generator, one per process.
#[derive(Debug)]
pub struct IdGenerator {
    clock: Clock,
    node: i64,
    /// Time and sequence of the last id, without the node.
    last: AtomicI64,
}

impl IdGenerator {
    /// Creates the generator of a node. Two running processes must not share a node number.
    #[must_use]
    pub const fn new(clock: Clock, node: i64) -> Self {
        Self { clock, node, last: AtomicI64::new(0) }
    }

    /// Generates an id that is larger than all before, even when the clock steps back.
    pub fn next(&self) -> Id {
        let now = (self.clock.now() - EPOCH).clamp(0, LAST) << SEQUENCE_BITS;
        let step = |last: i64| Some(now.max(last + 1));
        let last = match self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step) {
            Ok(last) | Err(last) => now.max(last + 1),
        };
        let sequence = last & ((1 << SEQUENCE_BITS) - 1);
        Id(((last >> SEQUENCE_BITS) << (NODE_BITS + SEQUENCE_BITS))
            | (self.node << SEQUENCE_BITS)
            | sequence)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: wire-ids
    #[test]
    fn ids_increase_and_contain_their_time() {
        let clock = Clock::manual(EPOCH + 5_000);
        let ids = IdGenerator::new(clock.clone(), 3);
        let mut last = Id(0);
        for _ in 0..10_000 {
            let id = ids.next();
            assert!(id > last);
            last = id;
        }
        assert!((5_000..5_010).contains(&(last.time() - EPOCH)));
        clock.shift_wall(-4_000);
        assert!(ids.next() > last);
        // A clock past 41 bits must not yield negative or duplicate ids.
        clock.shift_wall(200 * 365 * crate::clock::DAY);
        let late = ids.next();
        assert!(late > last && ids.next() > late);
    }

    #[test]
    fn invalid_text_parses_to_no_id() {
        for text in ["", "0", "007", "-1", "+5", "1.5", "abc", "99999999999999999999", " 1"] {
            assert_eq!(Id::parse(text), Id::NONE, "{text}");
        }
        assert_eq!(Id::parse("42"), Id(42));
    }
}
