//! Invite codes in the database: quota, creation, claim and revocation.

use crate::features::invites::errors::{
    closed, frozen, no_such_invite, none_left, not_valid, used, used_up,
};
use crate::features::{members, settings};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, Tx, params, sql};

/// Lifetime of a code, unless set otherwise.
pub const LIFETIME: Millis = 7 * DAY;
/// Time after expiry in which a link that was mailed earlier can still claim the code.
const GRACE: Millis = 15 * MINUTE;

const INSERT: Sql = sql!("insert into invites (code, inviter_id, expires_at) values ($1, $2, $3)");
const INSERT_MEMBER_INVITE: Sql =
    sql!("insert into member_invites (member_id, id, code, expires_at) values ($1, $2, $3, $4)");
const CHECK: Sql = sql!(
    "select inviter_id from invites where code = $1 and claimed_by is null and revoked_at is null and expires_at > $2"
);
// A code with several uses is claimed by its last one.
const CLAIM: Sql = sql!(
    "update invites set used = used + 1, claimed_by = case when used + 1 < uses then claimed_by else $2 end
     where code = $1 and claimed_by is null and revoked_at is null and expires_at > $3
     returning inviter_id"
);
const USES: Sql = sql!("select uses from invites where code = $1");
const MARK_USED: Sql =
    sql!("update member_invites set used_at = $3, used_by = $4 where member_id = $1 and code = $2");
const FIND_OPEN: Sql = sql!(
    "select code from member_invites
     where member_id = $1 and used_at is null and revoked_at is null and expires_at > $2 order by id desc limit 1"
);
const FIND_CODE: Sql = sql!("select code from member_invites where member_id = $1 and id = $2");
const REVOKE: Sql = sql!(
    "update invites set revoked_at = $2 where code = $1 and claimed_by is null and revoked_at is null"
);
const REVOKED: Sql = sql!("select code from invites where code = $1 and revoked_at is not null");
const MARK_REVOKED: Sql = sql!(
    "update member_invites set revoked_at = $3 where member_id = $1 and id = $2 and revoked_at is null"
);
// Includes the grace period, in which a mailed link can still claim an expired code.
const COUNT_SPENT: Sql = sql!(
    "select count(*) from member_invites
     where member_id = $1 and (used_at is not null or (revoked_at is null and expires_at > $2))"
);

/// Finds a member's newest unused code.
pub async fn find_open_code(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<String>> {
    db.opt(&FIND_OPEN, params![member.0, now], |row| row.text(0)).await
}

/// Fails with one error for every code that cannot be claimed, so that the response does not reveal the reason.
pub async fn ensure_open(db: &Reader<'_>, code: &str, now: Millis) -> Result<()> {
    if is_open(db, code, now).await? {
        Ok(())
    } else if settings::load_registration(db).await?.is_closed() {
        Err(settings::registration_closed())
    } else {
        Err(not_valid())
    }
}

/// Checks whether a code can be claimed.
pub async fn is_open(db: &Reader<'_>, code: &str, now: Millis) -> kith_db::Result<bool> {
    let found = db.opt(&CHECK, params![code, now], |row| row.opt_int(0)).await?;
    match found {
        None => Ok(false),
        Some(None) => Ok(true),
        Some(Some(inviter)) => Ok(!members::has_frozen_invites(db, Id(inviter)).await?
            && !settings::load_registration(db).await?.is_closed()),
    }
}

/// Returns how many people can join with a code; 1 for an unknown one.
pub async fn count_uses(db: &Reader<'_>, code: &str) -> kith_db::Result<i64> {
    Ok(db.opt(&USES, params![code], |row| row.int(0)).await?.unwrap_or(1))
}

/// Checks whether a code is a group's, with several uses, and can be claimed.
pub async fn is_open_group(db: &Reader<'_>, code: &str, now: Millis) -> kith_db::Result<bool> {
    Ok(count_uses(db, code).await? > 1 && is_open(db, code, now).await?)
}

/// Claims a code for a new member; returns the inviter. No more concurrent claims succeed than the code has uses.
pub async fn claim_invite(tx: &mut Tx, code: &str, member: Id, now: Millis) -> Result<Option<Id>> {
    let row = tx.opt(&CLAIM, params![code, member.0, now - GRACE], |row| row.opt_int(0)).await?;
    let Some(inviter) = row else {
        return Err(used_up());
    };
    if let Some(inviter) = inviter {
        if members::has_frozen_invites(&tx.reader(), Id(inviter)).await? {
            return Err(used_up());
        }
        if settings::load_registration(&tx.reader()).await?.is_closed() {
            return Err(settings::registration_closed());
        }
        tx.exec(&MARK_USED, params![inviter, code, now, member.0]).await?;
    }
    Ok(inviter.map(Id))
}

/// Counts the codes that a member can still create.
pub async fn count_available(db: &Reader<'_>, member: Id, now: Millis) -> kith_db::Result<i64> {
    let settings = settings::load_registration(db).await?;
    if settings.is_closed() {
        return Ok(0);
    }
    let spent = db.one(&COUNT_SPENT, params![member.0, now - GRACE], |row| row.int(0)).await?;
    Ok((count_granted(member.time(), now, settings.invites_per_month) - spent).max(0))
}

/// Counts the codes granted to a member: `per_month` at sign-up and on the first of each month. A change of the setting
/// also counts for the months before it.
fn count_granted(joined: Millis, now: Millis, per_month: i64) -> i64 {
    let month = |time: Millis| {
        let date = jiff::Timestamp::from_millisecond(time)
            .unwrap_or_default()
            .to_zoned(jiff::tz::TimeZone::UTC);
        i64::from(date.year()) * 12 + i64::from(date.month())
    };
    per_month * (1 + (month(now) - month(joined)).max(0))
}

/// Transaction that creates an invite code within the member's quota; returns when it expires.
pub(super) struct CreateInvite {
    pub(super) member: Id,
    pub(super) id: Id,
    pub(super) code: String,
    pub(super) now: Millis,
}

impl kith_db::Write for CreateInvite {
    type Out = Millis;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<Millis> {
        // Locks the member's row, so that concurrent requests cannot exceed the quota.
        members::count_invite(tx, self.member).await?;
        if members::has_frozen_invites(&tx.reader(), self.member).await? {
            return Err(frozen());
        }
        let settings = settings::load_registration(&tx.reader()).await?;
        if settings.is_closed() {
            return Err(closed());
        }
        let parameters = params![self.member.0, self.now - GRACE];
        let spent = tx.one(&COUNT_SPENT, parameters, |row| row.int(0)).await?;
        let per_month = settings.invites_per_month;
        if spent >= count_granted(self.member.time(), self.now, per_month) {
            return Err(none_left(per_month));
        }
        let expires_at = self.now + settings.invite_lifetime();
        insert_invite(tx, Some(self.member), self.id, &self.code, expires_at).await?;
        Ok(expires_at)
    }
}

/// Transaction that revokes an unused invite code.
pub(super) struct RevokeInvite {
    pub(super) member: Id,
    pub(super) id: Id,
    pub(super) now: Millis,
}

impl kith_db::Write for RevokeInvite {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let found =
            tx.opt(&FIND_CODE, params![self.member.0, self.id.0], |row| row.text(0)).await?;
        let code = found.ok_or_else(no_such_invite)?;
        // Locks the row that a claim locks, so that a concurrent claim comes before or after.
        let revoked = tx.exec(&REVOKE, params![&code, self.now]).await?;
        if revoked == 0 && tx.opt(&REVOKED, params![&code], |_| Ok(())).await?.is_none() {
            return Err(used());
        }
        tx.exec(&MARK_REVOKED, params![self.member.0, self.id.0, self.now]).await?;
        Ok(())
    }
}

/// Inserts a code; a code of the operator has no inviter.
pub async fn insert_invite(
    tx: &mut Tx,
    inviter: Option<Id>,
    id: Id,
    code: &str,
    expires_at: Millis,
) -> kith_db::Result<()> {
    tx.exec(&INSERT, params![code, inviter.map(|id| id.0), expires_at]).await?;
    if let Some(inviter) = inviter {
        tx.exec(&INSERT_MEMBER_INVITE, params![inviter.0, id.0, code, expires_at]).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: invite-quota
    #[test]
    fn three_more_on_the_first_of_each_month() {
        let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        let joined = at("2026-01-31T23:59:59Z");
        assert_eq!(count_granted(joined, joined, 3), 3);
        assert_eq!(count_granted(joined, at("2026-02-01T00:00:00Z"), 3), 6);
        assert_eq!(count_granted(joined, at("2027-01-01T00:00:00Z"), 3), 39);
        assert_eq!(count_granted(joined, at("2025-01-01T00:00:00Z"), 3), 3);
        assert_eq!(count_granted(joined, at("2026-03-01T00:00:00Z"), 10), 30);
    }
}
