//! Stores roles, suspensions and invite freezes. `moderation` checks permissions and writes the audit log.

use crate::features::members::MemberRef;
use crate::features::members::role::Role;
use crate::features::sessions::{self, Cause};
use crate::http::extract::Page;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, SqlIn, Tx, params, sql, sql_in};
use std::collections::HashMap;

/// Rows per read.
const BATCH: u32 = 500;

const LIST: Sql = sql!(
    "select id, username, display_name, email, role, suspended_at, follower_count,
       following_count, post_count, invites_frozen_at, invited_by, suspended_until, invites_frozen_until
     from members where id > $1 and username <> 'deleted' order by id limit $2"
);
const SET_ROLE: Sql = sql!("update members set role = $2 where id = $1 and role <> $2");
// Repeating a suspension with a higher rank raises its stored rank, and with the same rank changes when it ends.
const SUSPEND: Sql = sql!(
    "update members set suspended_at = coalesce(suspended_at, $2), suspension_rank = $3, suspended_until = $4
     where id = $1 and (suspended_at is null or suspension_rank < $3
       or (suspension_rank = $3 and suspended_until is distinct from $4))"
);
const UNSUSPEND: Sql = sql!(
    "update members set suspended_at = null, suspended_until = null
     where id = $1 and suspended_at is not null and suspension_rank <= $2"
);
const FREEZE: Sql = sql!(
    "update members set invites_frozen_at = coalesce(invites_frozen_at, $2), freeze_rank = $3, invites_frozen_until = $4
     where id = $1 and (invites_frozen_at is null or freeze_rank < $3
       or (freeze_rank = $3 and invites_frozen_until is distinct from $4))"
);
const UNFREEZE: Sql = sql!(
    "update members set invites_frozen_at = null, invites_frozen_until = null
     where id = $1 and invites_frozen_at is not null and freeze_rank <= $2"
);
// Anonymized rows of deleted members are excluded.
const STATUS: Sql = sql!(
    "select role, suspended_at, invites_frozen_at, suspended_until, invites_frozen_until
     from members where id = $1 and username <> 'deleted'"
);
const PICTURES: Sql = sql!(
    "select id, profile_image_url, header_image_url from members
     where id > $1 and (profile_image_url is not null or header_image_url is not null)
     order by id limit $2"
);
const NEWEST: Sql = sql!(
    "select id from members where id < $1 and username <> 'deleted'
     order by id desc limit $2 offset $3"
);
const STAFF: Sql = sql!(
    "select id, role from members where role > 0 and suspended_at is null order by id limit 1000"
);
static ADMIN_VIEWS: SqlIn = sql_in!(
    "select id, username, display_name, profile_image_url, role, suspended_at, invites_frozen_at,
       suspended_until, invites_frozen_until, invited_by
     from members where id in ($ids)"
);
const ENDED_SUSPENSIONS: Sql = sql!(
    "select id from members where suspended_until <= $1 and username <> 'deleted' order by suspended_until limit $2"
);
const ENDED_FREEZES: Sql = sql!(
    "select id from members where invites_frozen_until <= $1 and username <> 'deleted' order by invites_frozen_until limit $2"
);
const END_SUSPENSION: Sql = sql!(
    "update members set suspended_at = null, suspended_until = null
     where id = $1 and suspended_until <= $2 and username <> 'deleted'"
);
const END_FREEZE: Sql = sql!(
    "update members set invites_frozen_at = null, invites_frozen_until = null
     where id = $1 and invites_frozen_until <= $2 and username <> 'deleted'"
);

/// A member's row including fields that other members cannot see.
#[derive(Debug, Clone)]
pub struct MemberAdminRow {
    /// Member id; encodes the time of joining.
    pub id: Id,
    /// Current username.
    pub username: String,
    /// Display name.
    pub display_name: String,
    /// Email; `None` only for a founder without one.
    pub email: Option<String>,
    /// Stored number of the role.
    pub role: i64,
    /// Time of the suspension, if suspended.
    pub suspended_at: Option<Millis>,
    /// Stored counts of followers, followed members, and posts with replies.
    pub counts: [i64; 3],
    /// Time since which the member's invites are frozen.
    pub invites_frozen_at: Option<Millis>,
    /// Inviter of the member.
    pub invited_by: Option<Id>,
    /// Time at which the suspension ends by itself.
    pub suspended_until: Option<Millis>,
    /// Time at which the invite freeze ends by itself.
    pub invites_frozen_until: Option<Millis>,
}

fn read(row: &Row<'_>) -> kith_db::Result<MemberAdminRow> {
    Ok(MemberAdminRow {
        id: Id(row.int(0)?),
        username: row.text(1)?,
        display_name: row.text(2)?,
        email: row.opt_text(3)?,
        role: row.int(4)?,
        suspended_at: row.opt_int(5)?,
        counts: [row.int(6)?, row.int(7)?, row.int(8)?],
        invites_frozen_at: row.opt_int(9)?,
        invited_by: row.opt_int(10)?.map(Id),
        suspended_until: row.opt_int(11)?,
        invites_frozen_until: row.opt_int(12)?,
    })
}

/// Loads at most 500 members who joined after `after`, oldest first; empty at the end.
pub async fn load_admin_rows(db: &Reader<'_>, after: Id) -> kith_db::Result<Vec<MemberAdminRow>> {
    db.all(&LIST, params![after.0, BATCH], read).await
}

/// Loads the picture URLs of at most 500 members after `after`, and the last of their ids; `None` at the end.
pub async fn load_picture_urls(
    db: &Reader<'_>,
    after: Id,
) -> kith_db::Result<Option<(Vec<String>, Id)>> {
    let parameters = params![after.0, BATCH];
    let rows = db.all(&PICTURES, parameters, |row| {
        Ok((Id(row.int(0)?), [row.opt_text(1)?, row.opt_text(2)?]))
    });
    let rows = rows.await?;
    let Some((last, _)) = rows.last() else {
        return Ok(None);
    };
    let last = *last;
    let pictures = rows.into_iter().flat_map(|(_, pictures)| pictures);
    Ok(Some((pictures.flatten().collect(), last)))
}

/// Moderation action on a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SanctionKind {
    /// Sets the role.
    Role(Role),
    /// Suspends the member and ends all sessions.
    Suspend,
    /// Lifts the suspension.
    Unsuspend,
    /// Disables the member's invite codes and the creation of new ones.
    FreezeInvites,
    /// Enables the member's invite codes again.
    UnfreezeInvites,
}

// The discriminants are stored.
/// Authority of the actor of a moderation action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorRank {
    /// A moderator.
    Moderator = 1,
    /// An admin.
    Admin = 2,
    /// The operator of the server, who may do everything.
    Operator = 3,
}

impl ActorRank {
    /// Returns the rank of a moderator or admin.
    #[must_use]
    pub const fn for_role(role: Role) -> Self {
        match role {
            Role::Admin => Self::Admin,
            Role::Moderator | Role::Member => Self::Moderator,
        }
    }
}

/// Applies an action and returns whether anything changed. Sanctions by a higher rank are kept. A suspension or freeze
/// ends by itself at `until`, if given.
pub async fn apply_action(
    tx: &mut Tx,
    member: Id,
    action: SanctionKind,
    by: ActorRank,
    until: Option<Millis>,
    now: Millis,
) -> kith_db::Result<bool> {
    let rank = by as i64;
    let changed = match action {
        SanctionKind::Role(role) => tx.exec(&SET_ROLE, params![member.0, role as i64]).await?,
        SanctionKind::Suspend => tx.exec(&SUSPEND, params![member.0, now, rank, until]).await?,
        SanctionKind::Unsuspend => tx.exec(&UNSUSPEND, params![member.0, rank]).await?,
        SanctionKind::FreezeInvites => {
            tx.exec(&FREEZE, params![member.0, now, rank, until]).await?
        }
        SanctionKind::UnfreezeInvites => tx.exec(&UNFREEZE, params![member.0, rank]).await?,
    };
    if action == SanctionKind::Suspend {
        sessions::end_all(tx, member, Cause::Suspension, now).await?;
    }
    Ok(changed > 0)
}

/// Loads at most `limit` members whose suspension or invite freeze has reached its end, and which of the two.
pub async fn load_ended_sanctions(
    db: &Reader<'_>,
    now: Millis,
    limit: u32,
) -> kith_db::Result<Vec<(Id, SanctionKind)>> {
    let mut ended = Vec::new();
    for (statement, lift) in [
        (&ENDED_SUSPENSIONS, SanctionKind::Unsuspend),
        (&ENDED_FREEZES, SanctionKind::UnfreezeInvites),
    ] {
        let members = db.all(statement, params![now, limit], |row| row.int(0)).await?;
        ended.extend(members.into_iter().map(|member| (Id(member), lift)));
    }
    Ok(ended)
}

/// Lifts a suspension or invite freeze that has reached its end. Returns false if it was lifted or extended meanwhile.
pub async fn end_sanction(
    tx: &mut Tx,
    member: Id,
    lift: SanctionKind,
    now: Millis,
) -> kith_db::Result<bool> {
    let statement = match lift {
        SanctionKind::Unsuspend => &END_SUSPENSION,
        SanctionKind::UnfreezeInvites => &END_FREEZE,
        SanctionKind::Role(_) | SanctionKind::Suspend | SanctionKind::FreezeInvites => {
            return Ok(false);
        }
    };
    Ok(tx.exec(statement, params![member.0, now]).await? > 0)
}

/// A member's role and current sanctions.
#[derive(Debug, Clone, Copy)]
pub struct MemberStatus {
    /// Role of the member.
    pub role: Role,
    /// Time of the suspension, if suspended.
    pub suspended_at: Option<Millis>,
    /// Time of the invite freeze, if frozen.
    pub invites_frozen_at: Option<Millis>,
    /// Time at which the suspension ends by itself.
    pub suspended_until: Option<Millis>,
    /// Time at which the invite freeze ends by itself.
    pub invites_frozen_until: Option<Millis>,
}

fn read_status(row: &Row<'_>) -> kith_db::Result<MemberStatus> {
    Ok(MemberStatus {
        role: Role::from_stored(row.int(0)?),
        suspended_at: row.opt_int(1)?,
        invites_frozen_at: row.opt_int(2)?,
        suspended_until: row.opt_int(3)?,
        invites_frozen_until: row.opt_int(4)?,
    })
}

/// Loads the status of a member, suspended or not; `None` for a deleted member.
pub async fn load_status(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<MemberStatus>> {
    db.opt(&STATUS, params![member.0], read_status).await
}

/// Returns whether a member is a moderator or an admin.
pub async fn is_moderator(db: &Reader<'_>, member: Id) -> kith_db::Result<bool> {
    let status = load_status(db, member).await?;
    Ok(status.is_some_and(|status| status.role >= Role::Moderator))
}

/// Loads the moderators and admins who are not suspended, with their roles.
pub async fn load_staff(db: &Reader<'_>) -> kith_db::Result<Vec<(Id, Role)>> {
    db.all(&STAFF, &[], |row| Ok((Id(row.int(0)?), Role::from_stored(row.int(1)?)))).await
}

/// A member with status and inviter, as shown to moderators.
#[derive(Debug, Clone)]
pub struct MemberAdminView {
    /// Name and avatar.
    pub member: MemberRef,
    /// Role and sanctions.
    pub status: MemberStatus,
    /// Inviter of the member.
    pub invited_by: Option<Id>,
}

/// Loads members by id, including suspended ones.
pub async fn load_admin_views(
    db: &Reader<'_>,
    ids: &[i64],
) -> kith_db::Result<HashMap<i64, MemberAdminView>> {
    let rows = db.all_in(&ADMIN_VIEWS, &[], ids, |row| {
        let view = MemberAdminView {
            member: MemberRef {
                id: Id(row.int(0)?),
                username: row.text(1)?,
                display_name: row.text(2)?,
                profile_image_url: row.opt_text(3)?,
            },
            status: MemberStatus {
                role: Role::from_stored(row.int(4)?),
                suspended_at: row.opt_int(5)?,
                invites_frozen_at: row.opt_int(6)?,
                suspended_until: row.opt_int(7)?,
                invites_frozen_until: row.opt_int(8)?,
            },
            invited_by: row.opt_int(9)?.map(Id),
        };
        Ok((view.member.id.0, view))
    });
    Ok(rows.await?.into_iter().collect())
}

/// Loads the ids of a page of all members, newest first, including suspended ones.
pub async fn list_newest(db: &Reader<'_>, page: Page) -> kith_db::Result<Vec<i64>> {
    let parameters = params![page.before, page.limit, page.statement_offset()];
    db.all(&NEWEST, parameters, |row| row.int(0)).await
}
