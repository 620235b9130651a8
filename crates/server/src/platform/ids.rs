//! 64-bit ids that sort by time: 41 bits of milliseconds, 10 of node, 12 of sequence.

use crate::platform::clock::{Clock, EPOCH, LATEST, Millis};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

const NODE_BITS: u32 = 10;
const SEQUENCE_BITS: u32 = 12;

/// Milliseconds of the last id.
const LAST: Millis = LATEST - EPOCH;

/// Nodes that may make ids at once.
pub const NODES: i64 = 1 << NODE_BITS;
/// Makes the ids of commands that run beside a server on one SQLite file.
pub const COMMAND_NODE: i64 = NODES - 1;

/// An id for descriptions.
pub(crate) const EXAMPLE: &str = "247513998712340480";

/// The id of a row. On the wire it is an opaque string: JavaScript's numbers are too short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub i64);

impl Id {
    /// The id that no row has.
    pub const NONE: Self = Self(0);

    /// Reads a wire id. Text that no id was ever written as names no row.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let digits = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        Self(if digits { text.parse().unwrap_or(0) } else { 0 })
    }

    /// When the row was made.
    #[must_use]
    pub const fn time(self) -> Millis {
        (self.0 >> (NODE_BITS + SEQUENCE_BITS)) + EPOCH
    }

    /// The smallest id of a moment, for ranges by time.
    #[must_use]
    pub const fn first_at(time: Millis) -> i64 {
        let since = if time > EPOCH { time - EPOCH } else { 0 };
        since << (NODE_BITS + SEQUENCE_BITS)
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

/// Reads an optional id: absent, null and empty are none; other text names some row or no row.
pub(crate) fn maybe<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Id>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text
        .filter(|text| !text.is_empty())
        .map(|text| Id::parse(&text)))
}

impl PartialSchema for Id {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("An opaque id."))
            .min_length(Some(1))
            .max_length(Some(19))
            .examples([serde_json::json!(EXAMPLE)])
            .into()
    }
}

impl ToSchema for Id {}

/// Makes ids; one source a process.
#[derive(Debug)]
pub struct Ids {
    clock: Clock,
    node: i64,
    /// The last id's time and sequence, without the node.
    last: AtomicI64,
}

impl Ids {
    /// A source for one node; no two processes may share a number at once.
    #[must_use]
    pub const fn new(clock: Clock, node: i64) -> Self {
        Self {
            clock,
            node,
            last: AtomicI64::new(0),
        }
    }

    /// The next id: larger than every one before, even when the clock steps back.
    pub fn next(&self) -> Id {
        let now = (self.clock.now() - EPOCH).clamp(0, LAST) << SEQUENCE_BITS;
        let step = |last: i64| Some(now.max(last + 1));
        let last = match self
            .last
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, step)
        {
            Ok(last) | Err(last) => now.max(last + 1),
        };
        let sequence = last & ((1 << SEQUENCE_BITS) - 1);
        Id(((last >> SEQUENCE_BITS) << (NODE_BITS + SEQUENCE_BITS))
            | (self.node << SEQUENCE_BITS)
            | sequence)
    }
}

const TAKE: kith_db::Sql = kith_db::sql!(
    "insert into leases (name, holder, expires_at) values ($1, $2, $3)
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where leases.expires_at < $4 or leases.holder = excluded.holder
     returning name"
);

const TAKEN: kith_db::Sql = kith_db::sql!("select name, expires_at from leases");

/// How long a node keeps its number without renewing it.
const LEASE: Millis = 60_000;
/// Numbers that are taken in turn before others are taken at all: each that was a server's leaves a row.
const TURN: i64 = 64;
const NAME: &str = "node:";

/// A process's node number and the name it holds it under.
#[derive(Debug, Clone)]
pub struct NodeLease {
    /// 0 to 1022.
    pub node: i64,
    holder: String,
}

impl NodeLease {
    /// Keeps the number for another minute; false when another process took it meanwhile.
    pub async fn renew(&self, db: &kith_db::Db) -> kith_db::Result<bool> {
        let Some(now) = db.server_time().await? else {
            return Ok(true);
        };
        db.write(Lease {
            node: self.node,
            holder: self.holder.clone(),
            now,
        })
        .await
    }
}

/// Takes (or keeps) one node number for a process.
struct Lease {
    node: i64,
    holder: String,
    /// By the database's clock: one machine's, when it is wrong, must take no number that a server holds.
    now: Millis,
}

impl kith_db::Write for Lease {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<bool> {
        let name = format!("{NAME}{}", self.node);
        let bound = kith_db::params![&name, &self.holder, self.now + LEASE, self.now];
        Ok(tx.opt(&TAKE, bound, |_| Ok(())).await?.is_some())
    }
}

/// A node number that no other process on this database holds.
///
/// SQLite has one server at a time: it is `alone` and needs no lease.
pub async fn lease(db: &kith_db::Db, alone: i64) -> kith_db::Result<NodeLease> {
    let holder = crate::platform::crypto::encode(&crate::platform::crypto::random());
    let Some(now) = db.server_time().await? else {
        return Ok(NodeLease {
            node: alone,
            holder,
        });
    };
    let taken = db.all(&TAKEN, &[], |row| Ok((row.text(0)?, row.int(1)?)));
    for node in free(&taken.await?, now, alone == COMMAND_NODE) {
        if db
            .write(Lease {
                node,
                holder: holder.clone(),
                now,
            })
            .await?
        {
            return Ok(NodeLease { node, holder });
        }
    }
    Err(kith_db::Error::Unavailable(format!(
        "all {COMMAND_NODE} node numbers are taken"
    )))
}

/// Numbers whose leases have ended, oldest first. After a minute without the database all have, and the last are of
/// servers about to renew them. Commands begin at the other end, so that starting servers get their own.
fn free(taken: &[(String, Millis)], now: Millis, is_command: bool) -> Vec<i64> {
    let number = |name: &str| name.strip_prefix(NAME)?.parse().ok();
    let ends = taken
        .iter()
        .filter_map(|(name, end)| Some((number(name)?, *end)));
    let ends: HashMap<i64, Millis> = ends.collect();
    let end = |node: i64| ends.get(&node).copied().unwrap_or(0);
    let mut free: Vec<i64> = (0..COMMAND_NODE).filter(|node| end(*node) < now).collect();
    free.sort_by_key(|&node| {
        let place = if is_command {
            COMMAND_NODE - 1 - node
        } else {
            node
        };
        (place / TURN, end(node), place)
    });
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: node-number
    #[test]
    fn a_number_that_a_server_may_renew_is_taken_last() {
        let lease = |(node, end): (i64, Millis)| (format!("{NAME}{node}"), end);
        let first = |leases: &[(i64, Millis)], is_command| {
            let leases: Vec<_> = leases.iter().copied().map(lease).collect();
            free(&leases, 100, is_command)[0]
        };
        assert_eq!(first(&[], false), 0);
        assert_eq!(first(&[], true), 1022);
        assert_eq!(first(&[(0, 100), (1022, 160)], false), 1);
        assert_eq!(first(&[(0, 100), (1022, 160)], true), 1021);
        // All are over.
        assert_eq!(first(&[(0, 90)], false), 1);
        let mut all: Vec<(i64, Millis)> = (0..TURN).map(|node| (node, 90)).collect();
        all[7].1 = 40;
        assert_eq!(first(&all, false), 7);
        let lived: Vec<_> = (0..TURN).map(|node| (node, 160)).collect();
        assert_eq!(first(&lived, false), TURN);
    }

    /// proves: wire-ids
    #[test]
    fn ids_rise_and_carry_their_time() {
        let clock = Clock::manual(EPOCH + 5_000);
        let ids = Ids::new(clock.clone(), 3);
        let mut last = Id(0);
        for _ in 0..10_000 {
            let id = ids.next();
            assert!(id > last);
            last = id;
        }
        assert!((5_000..5_010).contains(&(last.time() - EPOCH)));
        clock.set(-4_000);
        assert!(ids.next() > last);
        // A clock that is beyond what 41 bits hold makes no negative ids, nor the same one twice.
        clock.set(200 * 365 * crate::platform::clock::DAY);
        let late = ids.next();
        assert!(late > last && ids.next() > late);
    }

    #[test]
    fn other_text_names_no_row() {
        for text in [
            "",
            "0",
            "007",
            "-1",
            "+5",
            "1.5",
            "abc",
            "99999999999999999999",
            " 1",
        ] {
            assert_eq!(Id::parse(text), Id::NONE, "{text}");
        }
        assert_eq!(Id::parse("42"), Id(42));
    }
}
