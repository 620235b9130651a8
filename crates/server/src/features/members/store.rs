//! Reads and writes the table `members` and its counters.

use crate::features::members::role::Role;
use crate::features::members::{MemberRef, search_index};
use crate::http::error::{ApiError, Result};
use crate::platform::cache::CacheTag;
use crate::platform::ids::Id;
use crate::platform::mail::Language;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, WatchSpec, params, sql, sql_in};
use std::collections::{HashMap, HashSet};

const LOCK: Sql = sql!("update members set search_key = search_key where id = $1");
const LOCK_ACTIVE: Sql =
    sql!("update members set search_key = search_key where id = $1 and suspended_at is null");
const INSERT: Sql = sql!(
    "insert into members (id, username, display_name, bio, website, email, role, invited_by,
       follower_count, following_count, post_count, invites_made)
     values ($1, $2, $3, '', '', $4, $5, $6, 0, 0, 0, 0)"
);
const CLAIM_NAME: Sql = sql!("insert into usernames (name, member_id) values ($1, $2)");
const IS_ACTIVE: Sql = sql!("select id from members where id = $1 and suspended_at is null");
const FROZEN: Sql = sql!(
    "select id from members where id = $1
     and (invites_frozen_at is not null or suspended_at is not null)"
);
/// Excludes usernames of deleted members.
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
// Includes anonymized rows of deleted members, shown as authors of tombstones, but not suspended members.
static REFS: SqlIn = sql_in!(
    "select id, username, display_name, profile_image_url from members
     where id in ($ids) and (suspended_at is null or username = 'deleted')"
);
static ALL_REFS: SqlIn =
    sql_in!("select id, username, display_name, profile_image_url from members where id in ($ids)");
const EMAIL: Sql = sql!("select email from members where id = $1");
const LANGUAGE: Sql = sql!("select language from members where id = $1");
const SET_LANGUAGE: Sql = sql!("update members set language = $2 where id = $1");
const SET_NOTICES_READ: Sql = sql!("update members set notices_read_id = $2 where id = $1");
const ACCEPT_RULES: Sql = sql!(
    "update members set accepted_rules_version = $2 where id = $1 and accepted_rules_version < $2"
);
const SET_EMAIL: Sql = sql!("update members set email = $2 where id = $1");
const NAME_AND_ROLE: Sql = sql!("select username, role from members where id = $1");
const OTHER_ADMINS: Sql = sql!(
    "select id from members where role = 2 and id <> $1 and suspended_at is null order by id limit 100"
);
const ACTIVE: Sql =
    sql!("select id from members where id > $1 and suspended_at is null order by id limit $2");
const SUSPENDED: Sql =
    sql!("select id from members where suspended_at is not null and username <> 'deleted'");
// Includes former usernames, which older posts still mention.
const SUSPENDED_NAMES: Sql = sql!(
    "select name from members join usernames on member_id = id
     where suspended_at is not null and username <> 'deleted'"
);

/// Row changes that invalidate cached members.
pub const WATCHES: &[WatchSpec] = &[
    WatchSpec {
        update_of: &["username", "display_name", "profile_image_url", "suspended_at"],
        ..CacheTag::Member.watch("members", &["id"])
    },
    CacheTag::Username.watch("usernames", &["name"]),
    // No id: all suspended members are one cache entry.
    WatchSpec {
        update_of: &["username", "suspended_at"],
        when: "row.suspended_at is not null",
        ..CacheTag::Suspended.watch("members", &[])
    },
];

/// Values of a new member.
#[derive(Debug)]
pub struct NewMember<'a> {
    /// Member id; encodes the time of joining.
    pub id: Id,
    /// Username in lower case, not taken.
    pub username: &'a str,
    /// Display name.
    pub display_name: &'a str,
    /// Email for login links.
    pub email: Option<&'a str>,
    /// Role of the member.
    pub role: Role,
    /// Inviter of the member.
    pub invited_by: Option<Id>,
}

/// Inserts a member and claims the username.
pub async fn create_member(tx: &mut Tx, new: &NewMember<'_>) -> kith_db::Result<()> {
    tx.exec(&CLAIM_NAME, params![new.username, new.id.0]).await?;
    let parameters = params![
        new.id.0,
        new.username,
        new.display_name,
        new.email,
        new.role as i64,
        new.invited_by.map(|id| id.0)
    ];
    tx.exec(&INSERT, parameters).await?;
    search_index::index_member(tx, new.id).await
}

/// Returns whether there is no member yet.
pub async fn is_empty(db: &Reader<'_>) -> kith_db::Result<bool> {
    Ok(db.opt(&ANY, &[], |_| Ok(())).await?.is_none())
}

/// Returns whether a member exists and is not suspended, inside a transaction.
pub async fn is_active_in(tx: &Tx, member: Id) -> kith_db::Result<bool> {
    is_active(&tx.reader(), member).await
}

/// Fails with 401 if a member is suspended or deleted. Each write checks this in its transaction, because the session
/// was looked up earlier.
pub async fn ensure_active(tx: &Tx, member: Id) -> Result<()> {
    if is_active_in(tx, member).await? { Ok(()) } else { Err(ApiError::unauthorized()) }
}

/// Returns whether a member exists and is not suspended.
pub async fn is_active(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let found = db.opt(&IS_ACTIVE, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Returns whether a member's invite codes are disabled because of a freeze or a suspension.
pub async fn has_frozen_invites(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let found = db.opt(&FROZEN, params![member.0], |_| Ok(())).await?;
    Ok(found.is_some())
}

/// Fails with 404 unless a member exists and is not suspended.
pub async fn ensure_exists(db: &Reader<'_>, member: Id) -> Result<()> {
    if is_active(db, member).await? { Ok(()) } else { Err(user_not_found()) }
}

/// Returns whether a text has the form of a username: 3 to 20 of `a-z0-9_`.
pub(super) fn is_username(text: &str) -> bool {
    (3..=20).contains(&text.len())
        && text
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Finds the member with this current or former username, ignoring case.
pub async fn find_by_username(db: &Reader<'_>, username: &str) -> kith_db::Result<Option<Id>> {
    let name = username.to_ascii_lowercase();
    if !is_username(&name) {
        return Ok(None);
    }
    db.opt(&BY_USERNAME, params![&name], |row| Ok(Id(row.int(0)?))).await
}

/// Lists the ids of at most `count` active members after `after`, in their order.
pub async fn list_active(db: &Reader<'_>, after: Id, count: usize) -> kith_db::Result<Vec<Id>> {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    db.all(&ACTIVE, params![after.0, count], |row| Ok(Id(row.int(0)?))).await
}

/// Loads the ids of all suspended members.
pub async fn load_suspended(db: &Reader<'_>) -> kith_db::Result<Vec<i64>> {
    db.all(&SUSPENDED, &[], |row| row.int(0)).await
}

/// Loads the current and former usernames of all suspended members.
pub(super) async fn load_suspended_usernames(db: &Reader<'_>) -> kith_db::Result<HashSet<String>> {
    let names = db.all(&SUSPENDED_NAMES, &[], |row| row.text(0)).await?;
    Ok(names.into_iter().collect())
}

/// Loads names and avatars by member id. Suspended members are skipped.
pub async fn load_refs(db: &Reader<'_>, ids: &[i64]) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let rows = db.all_in(&REFS, &[], ids, read_member_ref).await?;
    Ok(rows.into_iter().collect())
}

/// Loads names and avatars by member id. Skips suspended members except `spared`.
pub async fn load_refs_sparing(
    db: &Reader<'_>,
    spared: Option<Id>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let mut found = load_refs(db, ids).await?;
    if let Some(Id(spared)) = spared
        && ids.contains(&spared)
        && !found.contains_key(&spared)
    {
        found.extend(load_all_refs(db, &[spared]).await?);
    }
    Ok(found)
}

/// Loads names and avatars by member id, including suspended members, for moderators.
pub async fn load_all_refs(
    db: &Reader<'_>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, MemberRef>> {
    let rows = db.all_in(&ALL_REFS, &[], ids, read_member_ref).await?;
    Ok(rows.into_iter().collect())
}

/// Loads names and avatars by member id inside a transaction. Suspended members are skipped.
pub async fn load_refs_in(tx: &Tx, ids: &[i64]) -> kith_db::Result<HashMap<i64, MemberRef>> {
    load_refs(&tx.reader(), ids).await
}

fn read_member_ref(row: &Row<'_>) -> kith_db::Result<(i64, MemberRef)> {
    let id = row.int(0)?;
    let member = MemberRef {
        id: Id(id),
        username: row.text(1)?,
        display_name: row.text(2)?,
        profile_image_url: row.opt_text(3)?,
    };
    Ok((id, member))
}

/// Adds `step` to the follow counts of two members in id order, so that transactions cannot deadlock.
pub async fn count_follow(tx: &Tx, follower: Id, followee: Id, step: i64) -> kith_db::Result<()> {
    let mut counts = [(follower, &COUNT_FOLLOWING), (followee, &COUNT_FOLLOWERS)];
    counts.sort_by_key(|(id, _)| *id);
    let counts = counts.map(|(id, sql)| async move { tx.exec(sql, params![id.0, step]).await });
    futures_util::future::try_join_all(counts).await.map(drop)
}

/// Counts a new post. Fails with 401 if the member has been suspended or deleted, because account deletion would miss
/// the post.
pub async fn count_new_post(tx: &Tx, member: Id) -> Result<()> {
    match tx.exec(&COUNT_NEW_POST, params![member.0]).await? {
        0 => Err(ApiError::unauthorized()),
        _ => Ok(()),
    }
}

/// Adds `step` to a member's post count.
pub async fn count_post(tx: &mut Tx, member: Id, step: i64) -> kith_db::Result<()> {
    tx.exec(&COUNT_POSTS, params![member.0, step]).await.map(drop)
}

/// Locks a member's row until the transaction ends.
pub async fn lock_member(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&LOCK, params![member.0]).await?;
    Ok(())
}

/// Locks an active member's row until the transaction ends. Fails with 401 if the member has been
/// suspended or deleted.
pub async fn lock_active(tx: &mut Tx, member: Id) -> Result<()> {
    if try_lock_active(tx, member).await? { Ok(()) } else { Err(ApiError::unauthorized()) }
}

/// Locks an active member's row until the transaction ends; false if the member has been suspended or deleted.
pub async fn try_lock_active(tx: &mut Tx, member: Id) -> kith_db::Result<bool> {
    Ok(tx.exec(&LOCK_ACTIVE, params![member.0]).await? > 0)
}

/// Loads a member's email.
pub async fn load_email(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<String>> {
    let found = db.opt(&EMAIL, params![member.0], |row| row.opt_text(0)).await?;
    Ok(found.flatten())
}

/// Loads the language of a member's mails; `None` until the member's app has set it.
pub async fn load_language(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<Language>> {
    let found = db.opt(&LANGUAGE, params![member.0], |row| row.opt_text(0)).await?;
    Ok(found.flatten().as_deref().and_then(Language::parse))
}

/// Sets the language of a member's mails.
pub async fn set_language(tx: &mut Tx, member: Id, language: Language) -> kith_db::Result<()> {
    tx.exec(&SET_LANGUAGE, params![member.0, language.tag()]).await.map(drop)
}

/// Records that a member agrees to a version of the rules.
pub async fn accept_rules(tx: &mut Tx, member: Id, version: i64) -> kith_db::Result<()> {
    tx.exec(&ACCEPT_RULES, params![member.0, version]).await.map(drop)
}

/// Records that a member has read all notices up to an id.
pub async fn set_notices_read(tx: &mut Tx, member: Id, until: Id) -> kith_db::Result<()> {
    tx.exec(&SET_NOTICES_READ, params![member.0, until.0]).await.map(drop)
}

/// Sets a member's email. The transaction must have locked the row and claimed the email.
pub async fn set_email(tx: &mut Tx, member: Id, email: Option<&str>) -> kith_db::Result<()> {
    tx.exec(&SET_EMAIL, params![member.0, email]).await.map(drop)
}

/// Loads a member's current username and whether the member is an admin.
pub async fn load_name_and_role(
    tx: &mut Tx,
    member: Id,
) -> kith_db::Result<Option<(String, bool)>> {
    tx.opt(&NAME_AND_ROLE, params![member.0], |row| Ok((row.text(0)?, row.int(1)? == 2))).await
}

/// Locks a member and all other active admins in id order, so that two transactions cannot remove the last two admins.
pub async fn lock_admins(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    let mut admins = load_other_admins(tx, member).await?;
    admins.push(member);
    admins.sort_unstable();
    for admin in admins {
        lock_member(tx, admin).await?;
    }
    Ok(())
}

/// Loads the ids of the other active admins, at most 100.
pub async fn load_other_admins(tx: &mut Tx, member: Id) -> kith_db::Result<Vec<Id>> {
    tx.all(&OTHER_ADMINS, params![member.0], |row| Ok(Id(row.int(0)?))).await
}

/// Counts a new invite code, which locks the member's row until the transaction ends.
pub async fn count_invite(tx: &mut Tx, member: Id) -> kith_db::Result<()> {
    tx.exec(&COUNT_INVITES, params![member.0]).await.map(drop)
}

/// Builds the 404 error for a missing, suspended or deleted member.
#[must_use]
pub fn user_not_found() -> ApiError {
    ApiError::not_found("user_not_found", "User not found.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::watched_columns::unwatched_columns;

    /// Every cached column has a change watch that invalidates the entry.
    /// proves: memory-equal
    #[test]
    fn every_cached_column_is_watched() {
        let refs = REFS.all_sizes().next().unwrap();
        for (sql, tag, table) in [
            (refs, CacheTag::Member, "members"),
            (&IS_ACTIVE, CacheTag::Member, "members"),
            (&SUSPENDED, CacheTag::Suspended, "members"),
            (&BY_USERNAME, CacheTag::Username, "usernames"),
        ] {
            let text = sql.postgres;
            assert_eq!(unwatched_columns(WATCHES, text, tag, table), [""; 0], "{text}");
        }
        // A suspended member cannot choose a username, and releasing one changes the member's row as well.
        let (text, tag) = (SUSPENDED_NAMES.postgres, CacheTag::Suspended);
        let join_columns = ["name", "join", "usernames", "on", "member_id"];
        assert_eq!(unwatched_columns(WATCHES, text, tag, "members"), join_columns);
    }
}
