//! The members' table: making a member, finding one, keeping the counts.

use crate::features::members::{MemberRef, search_index};
use crate::http::error::{ApiError, Result};
use crate::platform::cache::Topic;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, WatchSpec, params, sql, sql_in};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

const HOLD: Sql = sql!("update members set search_key = search_key where id = $1");
const HOLD_HERE: Sql =
    sql!("update members set search_key = search_key where id = $1 and suspended_at is null");
const INSERT: Sql = sql!(
    "insert into members (id, username, display_name, bio, website, email, role, invited_by,
       follower_count, following_count, post_count, invites_made)
     values ($1, $2, $3, '', '', $4, $5, $6, 0, 0, 0, 0)"
);
const CLAIM_NAME: Sql = sql!("insert into usernames (name, member_id) values ($1, $2)");
const EXISTS: Sql = sql!("select id from members where id = $1 and suspended_at is null");
const FROZEN: Sql = sql!(
    "select id from members where id = $1
     and (invites_frozen_at is not null or suspended_at is not null)"
);
/// A name whose member left is nobody's.
const BY_USERNAME: Sql = sql!("select member_id from usernames where name = $1 and member_id <> 0");
const ANY: Sql = sql!("select id from members order by id limit 1");
const COUNT_FOLLOWERS: Sql =
    sql!("update members set follower_count = follower_count + $2 where id = $1");
const COUNT_FOLLOWING: Sql =
    sql!("update members set following_count = following_count + $2 where id = $1");
const COUNT_POSTS: Sql = sql!("update members set post_count = post_count + $2 where id = $1");
const COUNT_NEW_POST: Sql =
    sql!("update members set post_count = post_count + 1 where id = $1 and suspended_at is null");
const COUNT_INVITES: Sql = sql!("update members set invites_made = invites_made + 1 where id = $1");
// The empty row of a member who left is shown beside tombstones; that of one who is suspended is not.
static REFS: SqlIn = sql_in!(
    "select id, username, display_name, profile_image_url from members
     where id in ($ids) and (suspended_at is null or username = 'deleted')"
);
static ALL_REFS: SqlIn =
    sql_in!("select id, username, display_name, profile_image_url from members where id in ($ids)");
const SUSPENDED: Sql =
    sql!("select id from members where suspended_at is not null and username <> 'deleted'");
// Also names that were given up: what was written before still has them.
const SUSPENDED_NAMES: Sql = sql!(
    "select name from members join usernames on member_id = id
     where suspended_at is not null and username <> 'deleted'"
);

/// What memory depends on here.
pub const WATCHES: &[WatchSpec] = &[
    WatchSpec {
        update_of: &[
            "username",
            "display_name",
            "profile_image_url",
            "suspended_at",
        ],
        ..Topic::Member.watch("members", &["id"])
    },
    Topic::Username.watch("usernames", &["name"]),
    // Told without an id: whoever is suspended is in one list.
    WatchSpec {
        update_of: &["username", "suspended_at"],
        when: "row.suspended_at is not null",
        ..Topic::Suspended.watch("members", &[])
    },
];

// The numbers are stored.
/// What a member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Everybody.
    Member = 0,
    /// Removes posts and suspends members.
    Moderator = 1,
    /// Everything.
    Admin = 2,
}

impl Role {
    /// The name of the role behind a stored number.
    #[must_use]
    pub const fn name(stored: i64) -> &'static str {
        Self::of(stored).as_str()
    }

    /// The role that a stored number stands for.
    #[must_use]
    pub const fn of(stored: i64) -> Self {
        match stored {
            1 => Self::Moderator,
            2 => Self::Admin,
            _ => Self::Member,
        }
    }

    /// Its name on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Member => "member",
            Self::Moderator => "moderator",
            Self::Admin => "admin",
        }
    }
}

/// A member to be made.
#[derive(Debug)]
pub struct NewMember<'a> {
    /// Also the time of joining.
    pub id: Id,
    /// Lower case, free.
    pub username: &'a str,
    /// As shown.
    pub display_name: &'a str,
    /// Where login links go.
    pub email: Option<&'a str>,
    /// What they may do.
    pub role: Role,
    /// Whose invite they came with.
    pub invited_by: Option<Id>,
}

/// Stores a member and claims the username.
pub async fn create(tx: &mut Tx, new: &NewMember<'_>) -> kith_db::Result<()> {
    tx.exec(&CLAIM_NAME, params![new.username, new.id.0])
        .await?;
    let bound = params![
        new.id.0,
        new.username,
        new.display_name,
        new.email,
        new.role as i64,
        new.invited_by.map(|id| id.0)
    ];
    tx.exec(&INSERT, bound).await?;
    search_index::index(tx, new.id).await
}

/// Whether nobody has joined yet.
pub async fn is_empty(db: &Reader<'_>) -> kith_db::Result<bool> {
    Ok(db.opt(&ANY, &[], |_| Ok(())).await?.is_none())
}

/// Whether a member is here, inside a transaction.
pub async fn exists(tx: &Tx, member: Id) -> kith_db::Result<bool> {
    is_here(&tx.reader(), member).await
}

/// 401 if a member is suspended or deleted. Each write checks it in its transaction: the session was looked up earlier.
pub async fn ensure_active(tx: &Tx, member: Id) -> Result<()> {
    if exists(tx, member).await? {
        Ok(())
    } else {
        Err(ApiError::unauthorized())
    }
}

/// Whether a member is here: nobody suspended them.
pub async fn is_here(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let found = db.opt(&EXISTS, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Whether nobody can join with a member's codes for now: they are frozen, or the member is suspended.
pub async fn has_frozen_invites(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let found = db.opt(&FROZEN, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Answers 404 for a member who is not here.
pub async fn require(db: &Reader<'_>, member: Id) -> Result<()> {
    if is_here(db, member).await? {
        Ok(())
    } else {
        Err(unknown())
    }
}

/// Whether a text has the form of a username: 3 to 20 of `a-z0-9_`.
pub(super) fn is_username(text: &str) -> bool {
    (3..=20).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The member who holds or held a username; the case does not matter.
pub async fn find_by_username(db: &Reader<'_>, username: &str) -> kith_db::Result<Option<Id>> {
    let name = username.to_ascii_lowercase();
    if !is_username(&name) {
        return Ok(None);
    }
    db.opt(&BY_USERNAME, params![&name], |row| Ok(Id(row.int(0)?)))
        .await
}

/// The same, inside a transaction.
pub async fn resolve(tx: &Tx, username: &str) -> kith_db::Result<Option<Id>> {
    tx.opt(&BY_USERNAME, params![username], |row| Ok(Id(row.int(0)?)))
        .await
}

/// Everybody who is suspended.
pub async fn suspended(db: &Reader<'_>) -> kith_db::Result<Vec<i64>> {
    db.all(&SUSPENDED, &[], |row| row.int(0)).await
}

/// The present and earlier usernames of everybody who is suspended.
pub(super) async fn suspended_names(db: &Reader<'_>) -> kith_db::Result<HashSet<String>> {
    let names = db.all(&SUSPENDED_NAMES, &[], |row| row.text(0)).await?;
    Ok(names.into_iter().collect())
}

/// Names and avatars of members, by id. Who is suspended is left out.
pub async fn refs(db: &Reader<'_>, ids: &[i64]) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let rows = db.all_in(&REFS, &[], ids, member_ref).await?;
    Ok(rows.into_iter().collect())
}

/// Members by id, and one of them also while they are suspended.
pub async fn refs_sparing(
    db: &Reader<'_>,
    spared: Option<Id>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let mut found = refs(db, ids).await?;
    if let Some(Id(spared)) = spared
        && ids.contains(&spared)
        && !found.contains_key(&spared)
    {
        found.extend(all_refs(db, &[spared]).await?);
    }
    Ok(found)
}

/// The same with those who are suspended: for moderators.
pub async fn all_refs(db: &Reader<'_>, ids: &[i64]) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let rows = db.all_in(&ALL_REFS, &[], ids, member_ref).await?;
    Ok(rows.into_iter().collect())
}

/// The same as [`refs`], inside a transaction.
pub async fn refs_in(tx: &Tx, ids: &[i64]) -> kith_db::Result<HashMap<i64, MemberRef>> {
    refs(&tx.reader(), ids).await
}

fn member_ref(row: &Row<'_>) -> kith_db::Result<(i64, MemberRef)> {
    let id = row.int(0)?;
    let member = MemberRef {
        id: Id(id),
        username: row.text(1)?,
        display_name: row.text(2)?,
        profile_image_url: row.opt_text(3)?,
    };
    Ok((id, member))
}

/// Adds `step` to both ends' counts, the smaller id first so that no two transactions wait for each other.
pub async fn count_follow(tx: &Tx, follower: Id, followee: Id, step: i64) -> kith_db::Result<()> {
    let mut counts = [(follower, &COUNT_FOLLOWING), (followee, &COUNT_FOLLOWERS)];
    counts.sort_by_key(|(id, _)| *id);
    let counts = counts.map(|(id, sql)| async move { tx.exec(sql, params![id.0, step]).await });
    futures_util::future::try_join_all(counts).await.map(drop)
}

/// Counts a new post. 401 if the member was suspended or left meanwhile: nobody could delete the post.
pub async fn count_new_post(tx: &Tx, member: Id) -> Result<()> {
    match tx.exec(&COUNT_NEW_POST, params![member.0]).await? {
        0 => Err(ApiError::unauthorized()),
        _ => Ok(()),
    }
}

/// Adds `step` to a member's posts.
pub async fn count_post(tx: &mut Tx, member: Id, step: i64) -> kith_db::Result<()> {
    tx.exec(&COUNT_POSTS, params![member.0, step])
        .await
        .map(drop)
}

/// Keeps others from changing a member until this write is done, and waits for those who are.
pub async fn hold(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&HOLD, params![member.0]).await?;
    Ok(())
}

/// Locks an active member's row until the transaction ends; 401 if the member has been suspended or deleted.
pub async fn lock_active(tx: &mut Tx, member: Id) -> Result<()> {
    if try_lock_active(tx, member).await? {
        Ok(())
    } else {
        Err(ApiError::unauthorized())
    }
}

/// Locks an active member's row until the transaction ends; false if the member has been suspended or deleted.
pub async fn try_lock_active(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    Ok(tx.exec(&HOLD_HERE, params![member.0]).await? > 0)
}

/// Counts a code and holds the member's row until the transaction ends.
pub async fn count_invite(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&COUNT_INVITES, params![member.0]).await.map(drop)
}

/// There is no such member, or not any more.
#[must_use]
pub fn unknown() -> ApiError {
    ApiError::not_found("user_not_found", "User not found.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::cache::unwatched;

    /// What memory keeps of members changes only with somebody being told.
    /// proves: memory-equal
    #[test]
    fn every_column_that_is_remembered_is_watched() {
        let refs = REFS.all_sizes().next().unwrap();
        for (sql, topic, table) in [
            (refs, Topic::Member, "members"),
            (&EXISTS, Topic::Member, "members"),
            (&SUSPENDED, Topic::Suspended, "members"),
            (&BY_USERNAME, Topic::Username, "usernames"),
        ] {
            let text = sql.postgres;
            assert_eq!(unwatched(WATCHES, text, topic, table), [""; 0], "{text}");
        }
        // Who is suspended chooses no name, and loses theirs with a change of their own row.
        let (text, topic) = (SUSPENDED_NAMES.postgres, Topic::Suspended);
        let of_names = ["name", "join", "usernames", "on", "member_id"];
        assert_eq!(unwatched(WATCHES, text, topic, "members"), of_names);
    }
}
