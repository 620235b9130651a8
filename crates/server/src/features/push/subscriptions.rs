//! Browsers that get pushes.

use crate::features::push::queue;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::ids::Id;
use kith_db::{Db, Reader, Row, Sql, Tx, params, sql};
use serde::Serialize;

const LOAD: Sql = sql!(
    "select session_hash, endpoint, public_key, auth, shows_text, created_at from push_subscriptions
     where member_id = $1"
);
const FIND: Sql = sql!(
    "select session_hash, endpoint, public_key, auth, shows_text, created_at from push_subscriptions
     where member_id = $1 and session_hash = $2"
);
const SAVE: Sql = sql!(
    "insert into push_subscriptions
       (member_id, session_hash, endpoint, public_key, auth, shows_text, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (member_id, session_hash) do update set endpoint = excluded.endpoint,
       public_key = excluded.public_key, auth = excluded.auth, shows_text = excluded.shows_text"
);
const DELETE: Sql =
    sql!("delete from push_subscriptions where member_id = $1 and session_hash = $2");
const DELETE_ALL: Sql = sql!("delete from push_subscriptions where member_id = $1");

/// A browser that gets pushes.
#[derive(Debug, Clone)]
pub(super) struct Subscription {
    /// Hash of the cookie of the browser's session.
    pub(super) session_hash: String,
    /// URL of the browser's push service.
    pub(super) endpoint: String,
    /// The browser's public key, in base64url.
    pub(super) public_key: String,
    /// The browser's secret, in base64url.
    pub(super) auth: String,
    /// Whether pushes contain the text of posts.
    pub(super) shows_text: bool,
    created_at: Millis,
}

impl Subscription {
    pub(super) fn new(
        session_hash: String,
        endpoint: String,
        (public_key, auth): (String, String),
        shows_text: bool,
        created_at: Millis,
    ) -> Self {
        Self { session_hash, endpoint, public_key, auth, shows_text, created_at }
    }

    /// Saves the subscription of a session; replaces an earlier one.
    pub(super) async fn save(&self, tx: &Tx, member: Id) -> kith_db::Result<()> {
        let row = params![
            member.0,
            &self.session_hash,
            &self.endpoint,
            &self.public_key,
            &self.auth,
            i64::from(self.shows_text),
            self.created_at,
        ];
        tx.exec(&SAVE, row).await.map(drop)
    }
}

fn read(row: &Row<'_>) -> kith_db::Result<Subscription> {
    Ok(Subscription {
        session_hash: row.text(0)?,
        endpoint: row.text(1)?,
        public_key: row.text(2)?,
        auth: row.text(3)?,
        shows_text: row.int(4)? == 1,
        created_at: row.int(5)?,
    })
}

/// Loads the browsers that get pushes to a member.
pub(super) async fn load(db: &Reader<'_>, member: Id) -> kith_db::Result<Vec<Subscription>> {
    db.all(&LOAD, params![member.0], read).await
}

/// Finds the subscription of a session.
pub(super) async fn find(
    db: &Reader<'_>,
    member: Id,
    session_hash: &str,
) -> kith_db::Result<Option<Subscription>> {
    db.opt(&FIND, params![member.0, session_hash], read).await
}

/// Deletes the subscription of a session.
pub(super) async fn delete(db: &Db, member: Id, session_hash: &str) -> kith_db::Result<()> {
    db.exec(&DELETE, params![member.0, session_hash]).await.map(drop)
}

/// A browser that gets pushes, for the export of an account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PushDevice {
    endpoint: String,
    shows_text: bool,
    since: String,
}

/// Lists the browsers that get pushes to a member.
pub async fn list_devices(db: &Reader<'_>, member: Id) -> kith_db::Result<Vec<PushDevice>> {
    let device = |found: Subscription| PushDevice {
        since: rfc3339(found.created_at),
        endpoint: found.endpoint,
        shows_text: found.shows_text,
    };
    Ok(load(db, member).await?.into_iter().map(device).collect())
}

/// Deletes a member's subscriptions and row in the queue, and returns the count of rows.
pub async fn erase(tx: &Tx, member: Id) -> kith_db::Result<u64> {
    let subscriptions = tx.exec(&DELETE_ALL, params![member.0]).await?;
    Ok(subscriptions + queue::delete(tx, member).await?)
}
