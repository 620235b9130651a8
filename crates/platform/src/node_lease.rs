//! Leases of node numbers, which ids contain, so that no two processes on a PostgreSQL database share one.

use crate::clock::Millis;
use crate::crypto;
use crate::ids::COMMAND_NODE;
use kith_db::{Db, Sql, Tx, Write, params, sql};
use std::collections::HashMap;

const ACQUIRE: Sql = sql!(
    "insert into leases (name, holder, expires_at) values ($1, $2, $3)
     on conflict (name) do update set holder = excluded.holder, expires_at = excluded.expires_at
     where leases.expires_at < $4 or leases.holder = excluded.holder
     returning name"
);

const ALL_LEASES: Sql = sql!("select name, expires_at from leases");

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
    pub async fn renew(&self, db: &Db) -> kith_db::Result<bool> {
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

impl Write for AcquireLease {
    type Out = bool;
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<bool> {
        let name = format!("{LEASE_PREFIX}{}", self.node);
        let bound = params![&name, &self.holder, self.now + LEASE_TTL, self.now];
        Ok(tx.opt(&ACQUIRE, bound, |_| Ok(())).await?.is_some())
    }
}

/// Leases a node number that no other process on this database holds.
///
/// On SQLite, which has one server at a time, returns `sqlite_node` without a lease. Fails with
/// [`kith_db::Error::Unavailable`] if all numbers are leased.
pub async fn acquire_lease(db: &Db, sqlite_node: i64) -> kith_db::Result<NodeLease> {
    let holder = crypto::encode(&crypto::random_bytes());
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
}
