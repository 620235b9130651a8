//! Reads and writes the table of notices.

use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Row, Sql, Tx, params, sql};
use serde::Serialize;
use utoipa::ToSchema;

const LIST: Sql = sql!(
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,
       objection_id, outcome, answer, decided_id
     from moderation_notices where member_id = $1 and id < $2 order by id desc limit $3"
);
const FIND: Sql = sql!(
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,
       objection_id, outcome, answer, decided_id
     from moderation_notices where member_id = $1 and id = $2"
);
const FIND_BY_ID: Sql = sql!(
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,
       objection_id, outcome, answer, decided_id
     from moderation_notices where id = $1"
);
const OPEN_OBJECTIONS: Sql = sql!(
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,
       objection_id, outcome, answer, decided_id
     from moderation_notices where objection_id is not null and decided_id is null and lifted_at is null
     order by objection_id limit $1"
);
const INSERT: Sql = sql!(
    "insert into moderation_notices (member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
);
const OBJECT: Sql = sql!(
    "update moderation_notices set objection = $3, objection_id = $4
     where member_id = $1 and id = $2 and objection_id is null"
);
const DECIDE: Sql = sql!(
    "update moderation_notices set outcome = $3, answer = $4, decided_id = $5
     where member_id = $1 and id = $2 and objection_id is not null and decided_id is null"
);
const LIFT: Sql = sql!(
    "update moderation_notices set lifted_at = $3
     where member_id = $1 and kind = $2 and lifted_at is null"
);
const LIFT_REMOVAL: Sql = sql!(
    "update moderation_notices set lifted_at = $3
     where member_id = $1 and post_id = $2 and lifted_at is null"
);
const COUNT_UNREAD: Sql = sql!(
    "select count(*) from moderation_notices where member_id = $1 and (id > $2 or decided_id > $2)"
);

// The discriminants are stored.
/// Sanction that a notice is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// A post was removed.
    PostRemoved = 0,
    /// The member was suspended.
    Suspended = 1,
    /// The member's invites were frozen.
    InvitesFrozen = 2,
}

impl NoticeKind {
    /// Name of the sanction in lists of the operator.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::PostRemoved => "post removed",
            Self::Suspended => "suspended",
            Self::InvitesFrozen => "invites frozen",
        }
    }

    const fn from_stored(stored: i64) -> Self {
        match stored {
            0 => Self::PostRemoved,
            1 => Self::Suspended,
            _ => Self::InvitesFrozen,
        }
    }
}

/// A member's objection to a sanction.
#[derive(Debug, Clone)]
pub(crate) struct StoredObjection {
    pub(super) text: String,
    /// Encodes its time.
    pub(super) id: Id,
    /// Id that encodes the time of the decision, whether the objection was accepted, and the answer.
    pub(super) decision: Option<(Id, bool, String)>,
}

/// A row of `moderation_notices`.
#[derive(Debug, Clone)]
pub(crate) struct NoticeRow {
    pub(crate) member: Id,
    pub(crate) id: Id,
    pub(crate) kind: NoticeKind,
    /// Moderator or admin; `None` for the operator or a deleted member.
    pub(crate) actor: Option<Id>,
    /// Stored number of the actor's rank.
    pub(crate) actor_rank: i64,
    pub(crate) post: Option<Id>,
    pub(super) rule: String,
    pub(super) message: String,
    pub(super) ends_at: Option<Millis>,
    pub(super) lifted_at: Option<Millis>,
    pub(super) objection: Option<StoredObjection>,
}

impl NoticeRow {
    /// Whether the member has objected and nothing is decided.
    pub(crate) fn has_open_objection(&self) -> bool {
        let objection = self.objection.as_ref();
        self.lifted_at.is_none() && objection.is_some_and(|objection| objection.decision.is_none())
    }
}

fn read(row: &Row<'_>) -> Result<NoticeRow> {
    let objection = row.opt_text(10)?.zip(row.opt_int(11)?);
    let outcome = row.opt_int(12)?;
    let answer = row.opt_text(13)?.unwrap_or_default();
    let decided = row.opt_int(14)?;
    Ok(NoticeRow {
        member: Id(row.int(0)?),
        id: Id(row.int(1)?),
        kind: NoticeKind::from_stored(row.int(2)?),
        actor: row.opt_int(3)?.map(Id),
        actor_rank: row.int(4)?,
        post: row.opt_int(5)?.map(Id),
        rule: row.text(6)?,
        message: row.text(7)?,
        ends_at: row.opt_int(8)?,
        lifted_at: row.opt_int(9)?,
        objection: objection.map(|(text, id)| StoredObjection {
            text,
            id: Id(id),
            decision: decided.map(|id| (Id(id), outcome == Some(1), answer)),
        }),
    })
}

/// Inserts a notice.
pub(super) async fn insert(tx: &mut Tx, notice: &NoticeRow) -> Result<()> {
    let parameters = params![
        notice.member.0,
        notice.id.0,
        notice.kind as i64,
        notice.actor.map(|actor| actor.0),
        notice.actor_rank,
        notice.post.map(|post| post.0),
        &notice.rule,
        &notice.message,
        notice.ends_at,
    ];
    tx.exec(&INSERT, parameters).await.map(drop)
}

/// Loads at most `limit` notices of a member with ids below `before`, newest first.
pub(crate) async fn load_page(
    db: &Reader<'_>,
    member: Id,
    before: i64,
    limit: usize,
) -> Result<Vec<NoticeRow>> {
    db.all(&LIST, params![member.0, before, limit], read).await
}

/// Finds a notice of a member.
pub(super) async fn find(db: &Reader<'_>, member: Id, id: Id) -> Result<Option<NoticeRow>> {
    db.opt(&FIND, params![member.0, id.0], read).await
}

/// Finds a notice.
pub(crate) async fn find_by_id(db: &Reader<'_>, id: Id) -> Result<Option<NoticeRow>> {
    db.opt(&FIND_BY_ID, params![id.0], read).await
}

/// Loads at most `limit` notices with an objection that is not decided, oldest objection first.
pub(crate) async fn load_open_objections(db: &Reader<'_>, limit: usize) -> Result<Vec<NoticeRow>> {
    db.all(&OPEN_OBJECTIONS, params![limit], read).await
}

/// Stores an objection; false if the member has objected before.
pub(super) async fn insert_objection(
    tx: &mut Tx,
    notice: &NoticeRow,
    text: &str,
    id: Id,
) -> Result<bool> {
    let parameters = params![notice.member.0, notice.id.0, text, id.0];
    Ok(tx.exec(&OBJECT, parameters).await? > 0)
}

/// Stores the decision about an objection; false if it was decided before.
pub(crate) async fn decide(
    tx: &mut Tx,
    notice: &NoticeRow,
    is_accepted: bool,
    answer: &str,
    id: Id,
) -> Result<bool> {
    let outcome = i64::from(is_accepted);
    let parameters = params![notice.member.0, notice.id.0, outcome, answer, id.0];
    Ok(tx.exec(&DECIDE, parameters).await? > 0)
}

/// Marks the notices of a suspension or freeze that was lifted or has ended.
pub(crate) async fn mark_lifted(
    tx: &mut Tx,
    member: Id,
    kind: NoticeKind,
    now: Millis,
) -> Result<()> {
    tx.exec(&LIFT, params![member.0, kind as i64, now]).await.map(drop)
}

/// Marks the notices of a removed post that was restored.
pub(crate) async fn mark_restored(tx: &mut Tx, author: Id, post: Id, now: Millis) -> Result<()> {
    tx.exec(&LIFT_REMOVAL, params![author.0, post.0, now]).await.map(drop)
}

/// Counts a member's notices and answers with ids above `read`.
pub(crate) async fn count_unread(db: &Reader<'_>, member: Id, read: Id) -> Result<i64> {
    db.one(&COUNT_UNREAD, params![member.0, read.0], |row| row.int(0)).await
}
