//! Writes a notice in the transaction of a sanction, and queues its mail.

use crate::features::members::ActorRank;
use crate::features::moderation::audit_log::Actor;
use crate::features::moderation::clean_text;
use crate::features::moderation::notices::store::{self, NoticeKind, NoticeRow};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::jobs::{self, Job};
use kith_db::Tx;

/// Maximum length of the rule, in code points.
const MAX_RULE_LENGTH: usize = 300;

pub(crate) fn long_rule() -> ApiError {
    ApiError::invalid_field("rule", "A rule can have at most 300 characters.")
}

pub(crate) fn long_message() -> ApiError {
    ApiError::invalid_field("message", "A message can have at most 1,000 characters.")
}

/// What a notice says: the broken rule and the moderator's words. Both may be empty.
#[derive(Debug, Clone, Default)]
pub struct NoticeText {
    rule: String,
    message: String,
}

impl NoticeText {
    /// Cleans a rule of at most 300 and a message of at most 1,000 code points.
    pub fn clean(rule: Option<&str>, message: Option<&str>) -> Result<Self> {
        Ok(Self {
            rule: clean_text(rule, MAX_RULE_LENGTH).ok_or_else(long_rule)?,
            message: clean_text(message, super::super::MAX_NOTE_LENGTH).ok_or_else(long_message)?,
        })
    }
}

/// A notice of a sanction.
#[derive(Debug)]
pub(crate) struct NewNotice<'a> {
    /// New id, also of the mail's job.
    pub id: Id,
    /// Sanctioned member.
    pub member: Id,
    /// Kind of sanction.
    pub kind: NoticeKind,
    /// Moderator, admin or operator.
    pub actor: Actor,
    /// Rank of the actor.
    pub rank: ActorRank,
    /// Removed post.
    pub post: Option<Id>,
    /// Rule and message.
    pub text: &'a NoticeText,
    /// Time at which the sanction ends by itself.
    pub ends_at: Option<Millis>,
    /// Current time.
    pub now: Millis,
}

impl NewNotice<'_> {
    /// Writes the notice and queues its mail.
    pub(crate) async fn create(self, tx: &mut Tx) -> kith_db::Result<()> {
        let row = NoticeRow {
            member: self.member,
            id: self.id,
            kind: self.kind,
            actor: self.actor.member().map(Id),
            actor_rank: self.rank as i64,
            post: self.post,
            rule: self.text.rule.clone(),
            message: self.text.message.clone(),
            ends_at: self.ends_at,
            lifted_at: None,
            objection: None,
        };
        store::insert(tx, &row).await?;
        jobs::enqueue(tx, &Job::notice_mail(self.id, self.member, self.id, self.now)).await
    }
}
