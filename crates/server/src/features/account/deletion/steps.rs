//! Transactions of an account deletion, each of which erases a batch of rows.

use crate::features::account::deletion::store::{self, LEASE};
use crate::features::account::export;
use crate::features::relationships::{self, follows};
use crate::features::{
    auth, invites, media, members, moderation, notifications, posts, sessions, waitlist,
};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::Tx;

/// Step of an account deletion: a kind of rows to erase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EraseStep {
    Posts,
    Likes,
    Votes,
    Keys,
    Follows,
    Relationships,
    Reports,
    Notifications,
    Invites,
    Vouches,
    Images,
    Links,
}

/// Order of the steps: rows that can cause rows of another step are erased before it.
pub(super) const STEPS: [EraseStep; 12] = [
    EraseStep::Posts,
    EraseStep::Likes,
    EraseStep::Votes,
    EraseStep::Keys,
    EraseStep::Follows,
    EraseStep::Relationships,
    EraseStep::Reports,
    EraseStep::Notifications,
    EraseStep::Invites,
    EraseStep::Vouches,
    EraseStep::Images,
    EraseStep::Links,
];

/// Transaction that hides the member and ends all sessions and login links.
pub(super) struct HideMember {
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for HideMember {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::hide_member(tx, self.member, self.now).await?;
        sessions::erase_all(tx, self.member).await?;
        auth::erase_credentials(tx, self.member).await?;
        Ok(())
    }
}

/// Transaction that erases a batch of rows of one step. Returns their number, or `None` when another worker has
/// finished.
pub(super) struct EraseBatch {
    pub(super) member: Id,
    pub(super) step: EraseStep,
    pub(super) now: Millis,
}

impl kith_db::Write for EraseBatch {
    type Out = Option<u64>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Option<u64>> {
        let (member, now) = (self.member, self.now);
        if !store::renew_lease(tx, member, now + LEASE).await? {
            return Ok(None);
        }
        let count = match self.step {
            EraseStep::Posts => posts::erase_posts(tx, member, now).await?,
            EraseStep::Likes => posts::erase_likes(tx, member).await?,
            EraseStep::Votes => posts::erase_votes(tx, member).await?,
            EraseStep::Keys => posts::erase_idempotency_keys(tx, member).await?,
            EraseStep::Follows => follows::erase_follows(tx, member).await?,
            EraseStep::Relationships => relationships::erase_relationships(tx, member).await?,
            EraseStep::Reports => moderation::erase_reports(tx, member, now).await?,
            EraseStep::Notifications => notifications::erase_received(tx, member).await?,
            EraseStep::Invites => invites::erase_invites(tx, member).await?,
            EraseStep::Vouches => waitlist::erase_vouches(tx, member).await?,
            EraseStep::Images => media::erase(tx, member, now).await?,
            EraseStep::Links => auth::erase_login_links(tx, member).await?,
        };
        Ok(Some(count))
    }
}

/// Transaction that renews the lease and deletes notifications caused by the member; without rows, only renews the
/// lease.
pub(super) struct EraseNotificationsByActor {
    pub(super) rows: Vec<(i64, i64)>,
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for EraseNotificationsByActor {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        store::renew_lease(tx, self.member, self.now + LEASE).await?;
        notifications::delete_rows(tx, &self.rows).await?;
        Ok(())
    }
}

/// Transaction that anonymizes the member's row, which tombstones refer to, and ends the deletion. Returns `false`
/// and changes nothing while the file of an export remains.
pub(super) struct FinishDeletion {
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for FinishDeletion {
    type Out = bool;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<bool> {
        let (member, now) = (self.member, self.now);
        // Repeats the first step for rows of requests that ran concurrently with it.
        members::hide_member(tx, member, now).await?;
        if export::has_any(tx, member).await? {
            return Ok(false);
        }
        sessions::erase_all(tx, member).await?;
        auth::erase_credentials(tx, member).await?;
        auth::erase_email(tx, member).await?;
        invites::erase_claim(tx, member).await?;
        members::anonymize_member(tx, member, now).await?;
        store::delete(tx, member).await?;
        Ok(true)
    }
}
