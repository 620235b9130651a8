//! Idempotency keys: a request repeated with the same key within a day returns the first result.

use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use axum::http::HeaderMap;
use kith_db::{Sql, Tx, params, sql};

/// TTL of an idempotency key.
const KEY_TTL: Millis = DAY;

const CLAIM: Sql = sql!(
    "insert into idempotency_keys (member_id, key, post_id, made_at) values ($1, $2, $3, $4)
     on conflict (member_id, key) do update set post_id = excluded.post_id, made_at = excluded.made_at
     where idempotency_keys.made_at <= $5
     returning post_id"
);
const FIND: Sql = sql!("select post_id from idempotency_keys where member_id = $1 and key = $2");
const PURGE: Sql = sql!(
    "delete from idempotency_keys where (member_id, key) in (
       select member_id, key from idempotency_keys where made_at <= $1 order by made_at limit $2)
       and made_at <= $1"
);
const REPLACE: Sql =
    sql!("update idempotency_keys set post_id = $3 where member_id = $1 and key = $2");

/// Deletes at most `limit` expired keys, and returns the count.
pub async fn purge_keys(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE, params![now - KEY_TTL, limit]).await
}

/// A request with an optional idempotency key.
#[derive(Debug, Clone)]
pub(super) struct IdempotentRequest {
    /// The `Idempotency-Key` header.
    key: Option<String>,
    member: Id,
    now: Millis,
}

impl IdempotentRequest {
    /// Reads the `Idempotency-Key` header. Errors when it is malformed.
    pub(super) fn from_headers(member: Id, headers: &HeaderMap, now: Millis) -> Result<Self> {
        let key = match headers.get("idempotency-key").map(|value| value.to_str()) {
            None => None,
            Some(Ok(key)) if is_valid_key(key) => Some(key.to_owned()),
            Some(_) => return Err(bad_key()),
        };
        Ok(Self { key, member, now })
    }

    /// Whether the request has a key and may be a repetition.
    pub(super) const fn may_repeat(&self) -> bool {
        self.key.is_some()
    }

    /// Claims the key for `post`, or returns the post of the first request with this key.
    pub(super) async fn claim_or_find(&self, tx: &Tx, post: Id) -> kith_db::Result<Option<Id>> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let bound = params![self.member.0, key, post.0, self.now, self.now - KEY_TTL];
        if tx.opt(&CLAIM, bound, |_| Ok(())).await?.is_some() {
            return Ok(None);
        }
        let bound = params![self.member.0, key];
        let first = tx.one(&FIND, bound, |row| row.int(0)).await?;
        Ok(Some(Id(first)))
    }

    /// Replaces the post that the key was claimed for.
    pub(super) async fn replace_result(&self, tx: &Tx, post: Id) -> kith_db::Result<()> {
        if let Some(key) = &self.key {
            tx.exec(&REPLACE, params![self.member.0, key, post.0]).await?;
        }
        Ok(())
    }
}

fn is_valid_key(text: &str) -> bool {
    (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

pub(super) fn bad_key() -> ApiError {
    let message = "The Idempotency-Key must be 1 to 100 plain characters.";
    ApiError::malformed("bad_idempotency_key", message)
}
