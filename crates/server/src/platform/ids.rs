//! 64-bit ids that sort by time: 41 bits of milliseconds, 10 of node, 12 of sequence.

use crate::platform::clock::{Clock, EPOCH, LATEST, Millis};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
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
pub(crate) const EXAMPLE: &str = "247513998712340480";

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
pub(crate) fn deserialize_option<'de, D: Deserializer<'de>>(
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

const ACQUIRE: kith_db::Sql = kith_db::sql!(
    "insert into leases (name, holder, expires_at) values ($1, $2, $3)
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where leases.expires_at < $4 or leases.holder = excluded.holder
     returning name"
);

const ALL_LEASES: kith_db::Sql = kith_db::sql!("select name, expires_at from leases");

/// Lifetime of a lease without renewal, in milliseconds.
const LEASE_TTL: Millis = 60_000;
/// Size of the blocks in which node numbers are reused, to bound the rows of expired leases.
const ROTATION: i64 = 64;
/// Prefix of the row names of node leases.
const LEASE_PREFIX: &str = "node:";

/// Lease of a node number by this process.
#[derive(Debug, Clone)]
pub struct NodeLease {
    /// Node number: 0 to 1022, or [`COMMAND_NODE`] for a command on SQLite.
    pub node: i64,
    holder: String,
}

impl NodeLease {
    /// Renews the lease for a minute. Returns false if another process has acquired the number.
    pub async fn renew(&self, db: &kith_db::Db) -> kith_db::Result<bool> {
        let Some(now) = db.server_time().await? else {
            return Ok(true);
        };
        db.write(AcquireLease { node: self.node, holder: self.holder.clone(), now }).await
    }
}

/// Acquires or renews the lease of a node number.
struct AcquireLease {
    node: i64,
    holder: String,
    /// Database time: a wrong local clock must not expire the lease of a running server.
    now: Millis,
}

impl kith_db::Write for AcquireLease {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<bool> {
        let name = format!("{LEASE_PREFIX}{}", self.node);
        let bound = kith_db::params![&name, &self.holder, self.now + LEASE_TTL, self.now];
        Ok(tx.opt(&ACQUIRE, bound, |_| Ok(())).await?.is_some())
    }
}

/// Leases a node number that no other process on this database holds.
///
/// On SQLite, which has one server at a time, returns `sqlite_node` without a lease. Fails with
/// [`kith_db::Error::Unavailable`] if all numbers are leased.
pub async fn acquire_lease(db: &kith_db::Db, sqlite_node: i64) -> kith_db::Result<NodeLease> {
    let holder = crate::platform::crypto::encode(&crate::platform::crypto::random_bytes());
    let Some(now) = db.server_time().await? else {
        return Ok(NodeLease { node: sqlite_node, holder });
    };
    let leases = db.all(&ALL_LEASES, &[], |row| Ok((row.text(0)?, row.int(1)?)));
    for node in free_nodes(&leases.await?, now, sqlite_node == COMMAND_NODE) {
        if db.write(AcquireLease { node, holder: holder.clone(), now }).await? {
            return Ok(NodeLease { node, holder });
        }
    }
    Err(kith_db::Error::Unavailable(format!("all {COMMAND_NODE} node numbers are taken")))
}

/// Lists node numbers that were never leased or whose leases expired, oldest expiry first: after an outage of a minute
/// all are expired, and the newest belong to servers that are about to renew. Commands start from the highest number.
fn free_nodes(leases: &[(String, Millis)], now: Millis, is_command: bool) -> Vec<i64> {
    let parse_node = |name: &str| name.strip_prefix(LEASE_PREFIX)?.parse().ok();
    let expiries = leases.iter().filter_map(|(name, expiry)| Some((parse_node(name)?, *expiry)));
    let expiries: HashMap<i64, Millis> = expiries.collect();
    let expiry = |node: i64| expiries.get(&node).copied().unwrap_or(0);
    let mut free: Vec<i64> = (0..COMMAND_NODE).filter(|node| expiry(*node) < now).collect();
    free.sort_by_key(|&node| {
        let order = if is_command { COMMAND_NODE - 1 - node } else { node };
        (order / ROTATION, expiry(node), order)
    });
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: node-number
    #[test]
    fn a_number_that_a_server_may_renew_is_leased_last() {
        let lease = |(node, end): (i64, Millis)| (format!("{LEASE_PREFIX}{node}"), end);
        let first = |leases: &[(i64, Millis)], is_command| {
            let leases: Vec<_> = leases.iter().copied().map(lease).collect();
            free_nodes(&leases, 100, is_command)[0]
        };
        assert_eq!(first(&[], false), 0);
        assert_eq!(first(&[], true), 1022);
        assert_eq!(first(&[(0, 100), (1022, 160)], false), 1);
        assert_eq!(first(&[(0, 100), (1022, 160)], true), 1021);
        // All leases are expired.
        assert_eq!(first(&[(0, 90)], false), 1);
        let mut all: Vec<(i64, Millis)> = (0..ROTATION).map(|node| (node, 90)).collect();
        all[7].1 = 40;
        assert_eq!(first(&all, false), 7);
        let active: Vec<_> = (0..ROTATION).map(|node| (node, 160)).collect();
        assert_eq!(first(&active, false), ROTATION);
    }

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
        clock.shift_wall(200 * 365 * crate::platform::clock::DAY);
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
