//! What is deleted of a member, a little at a time.

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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Posts,
    Likes,
    Votes,
    Keys,
    Follows,
    KeptAway,
    Reports,
    Told,
    Invites,
    Vouches,
    Images,
    Links,
}

/// In this order: what could make new rows of another kind goes before it.
pub(super) const KINDS: [Kind; 12] = [
    Kind::Posts,
    Kind::Likes,
    Kind::Votes,
    Kind::Keys,
    Kind::Follows,
    Kind::KeptAway,
    Kind::Reports,
    Kind::Told,
    Kind::Invites,
    Kind::Vouches,
    Kind::Images,
    Kind::Links,
];

/// Nobody sees the member any more, and nobody can be them.
pub(super) struct Begin {
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for Begin {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::hide(tx, self.member, self.now).await?;
        sessions::erase_all(tx, self.member).await?;
        auth::leave(tx, self.member).await?;
        Ok(())
    }
}

/// Deletes a few rows of one kind; answers how many, or nothing when another worker has finished.
pub(super) struct Few {
    pub(super) member: Id,
    pub(super) kind: Kind,
    pub(super) now: Millis,
}

impl kith_db::Write for Few {
    type Out = Option<u64>;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Option<u64>> {
        let (member, now) = (self.member, self.now);
        if !store::renew(tx, member, now + LEASE).await? {
            return Ok(None);
        }
        let count = match self.kind {
            Kind::Posts => posts::leave_posts(tx, member, now).await?,
            Kind::Likes => posts::leave_likes(tx, member).await?,
            Kind::Votes => posts::leave_votes(tx, member).await?,
            Kind::Keys => posts::leave_keys(tx, member).await?,
            Kind::Follows => follows::erase(tx, member).await?,
            Kind::KeptAway => relationships::erase(tx, member).await?,
            Kind::Reports => moderation::leave(tx, member, now).await?,
            Kind::Told => notifications::leave(tx, member).await?,
            Kind::Invites => invites::leave(tx, member).await?,
            Kind::Vouches => waitlist::leave(tx, member).await?,
            Kind::Images => media::erase(tx, member, now).await?,
            Kind::Links => auth::leave_links(tx, member).await?,
        };
        Ok(Some(count))
    }
}

/// Deletes what others were told of the member's deeds; of no rows, only tells that the work goes on.
pub(super) struct Untell {
    pub(super) rows: Vec<(i64, i64)>,
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for Untell {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        store::renew(tx, self.member, self.now + LEASE).await?;
        notifications::delete(tx, &self.rows).await?;
        Ok(())
    }
}

/// Leaves an empty row that tombstones name. False, and nothing done, while an export's file remains.
pub(super) struct End {
    pub(super) member: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for End {
    type Out = bool;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<bool> {
        let (member, now) = (self.member, self.now);
        // Once more: what was under way when it was done first may have come behind it.
        members::hide(tx, member, now).await?;
        if export::has_any(tx, member).await? {
            return Ok(false);
        }
        sessions::erase_all(tx, member).await?;
        auth::leave(tx, member).await?;
        auth::forget_address(tx, member).await?;
        invites::forget_joining(tx, member).await?;
        members::anonymize(tx, member, now).await?;
        store::done(tx, member).await?;
        Ok(true)
    }
}
