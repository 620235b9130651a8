//! The same request again: a key that a client makes up answers its first result for a day.

use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use axum::http::HeaderMap;
use kith_db::{Sql, Tx, params, sql};

/// How long a repeated request answers the first result.
const REPEAT: Millis = DAY;

const REMEMBER: Sql = sql!(
    "insert into idempotency_keys (member_id, key, post_id, made_at) values ($1, $2, $3, $4)
     on conflict (member_id, key) do update set post_id = excluded.post_id, made_at = excluded.made_at
     where idempotency_keys.made_at <= $5
     returning post_id"
);
const REMEMBERED: Sql =
    sql!("select post_id from idempotency_keys where member_id = $1 and key = $2");
const PURGE: Sql = sql!(
    "delete from idempotency_keys where (member_id, key) in (
       select member_id, key from idempotency_keys where made_at <= $1 order by made_at limit $2)
       and made_at <= $1"
);
const CORRECT: Sql =
    sql!("update idempotency_keys set post_id = $3 where member_id = $1 and key = $2");

/// Deletes keys that are free again, at most `most`, and answers how many.
pub async fn purge_keys(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    tx.exec(&PURGE, params![now - REPEAT, most]).await
}

/// A request that may come twice.
#[derive(Debug, Clone)]
pub(super) struct Request {
    /// What the client calls it, if it does.
    key: Option<String>,
    member: Id,
    now: Millis,
}

impl Request {
    /// A member's request, by its `Idempotency-Key`.
    pub(super) fn of(member: Id, headers: &HeaderMap, now: Millis) -> Result<Self> {
        let key = match headers.get("idempotency-key").map(|value| value.to_str()) {
            None => None,
            Some(Ok(key)) if is_key(key) => Some(key.to_owned()),
            Some(_) => return Err(bad_key()),
        };
        Ok(Self { key, member, now })
    }

    /// Whether it may have been made before.
    pub(super) const fn may_repeat(&self) -> bool {
        self.key.is_some()
    }

    /// The post that this request made before; if it made none, it makes `post` now.
    pub(super) async fn first_answer(&self, tx: &Tx, post: Id) -> kith_db::Result<Option<Id>> {
        let Some(key) = &self.key else {
            return Ok(None);
        };
        let bound = params![self.member.0, key, post.0, self.now, self.now - REPEAT];
        if tx.opt(&REMEMBER, bound, |_| Ok(())).await?.is_some() {
            return Ok(None);
        }
        let bound = params![self.member.0, key];
        let first = tx.one(&REMEMBERED, bound, |row| row.int(0)).await?;
        Ok(Some(Id(first)))
    }

    /// Notes that the request answers another post than the one it came to make.
    pub(super) async fn answers(&self, tx: &Tx, post: Id) -> kith_db::Result<()> {
        if let Some(key) = &self.key {
            tx.exec(&CORRECT, params![self.member.0, key, post.0])
                .await?;
        }
        Ok(())
    }
}

fn is_key(text: &str) -> bool {
    (1..=100).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

pub(super) fn bad_key() -> ApiError {
    let sentence = "The Idempotency-Key must be 1 to 100 plain characters.";
    ApiError::malformed("bad_idempotency_key", sentence)
}
