//! Storage, tokens and mail quotas of login links.
//!
//! A token is the row's id with a keyed hash of it, so no token is stored.

use crate::features::auth::Email;
use crate::http::client_ip::ClientIp;
use crate::http::error::Result;
use crate::platform::Platform;
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;
use crate::platform::mail::Language;
use crate::platform::network_limit;
use crate::platform::rate_limit::{AnonymousAction, MemberAction};
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// Lifetime of a mailed link.
pub const LOGIN_LINK_LIFETIME: Millis = 15 * MINUTE;
/// Retention of an expired link; longer than [`QUOTA_WINDOW`], in which its mail counts.
const RETENTION: Millis = DAY;
/// Lifetime of the link that the first start prints.
pub const FOUNDER_LINK_LIFETIME: Millis = DAY;
/// Wrong emails after which a link is rejected, and wrong codes after which its code is.
pub(super) const MAX_ATTEMPTS: i64 = 5;
/// Expiring a link sets its expiry to this long ago: a login is checked at the time of its request, which may come from
/// the clock of another node and precede a wait for a lock. The difference is at most two watermark periods and the
/// duration of a request.
const CLOCK_MARGIN: Millis = MINUTE;
/// How long a used link can be replayed in the browser that used it, in case the response was lost.
pub(super) const REPLAY_WINDOW: Millis = MINUTE;
/// Login mails per email in [`QUOTA_WINDOW`]; more if none of the mailed links works for another [`MIN_REMAINING`].
const MAX_MAILS_PER_EMAIL: usize = 5;
/// Window in which the mails to an email are counted.
const QUOTA_WINDOW: Millis = 30 * MINUTE;
/// Remaining lifetime with which a mailed link still counts as usable.
const MIN_REMAINING: Millis = 5 * MINUTE;

const INSERT: Sql = sql!(
    "insert into login_links (id, email, member_id, invite_code, nonce_hash, expires_at, language, tries)
     values ($1, $2, $3, $4, $5, $6, $7, 0)"
);
pub(super) const FIND: Sql = sql!(
    "select id, email, member_id, invite_code, nonce_hash, expires_at, consumed_at, consumed_by, tries, code_tries, language
     from login_links where id = $1"
);
/// Changes no row if the link was used or its expiry changed after it was read.
pub(super) const CONSUME: Sql = sql!(
    "update login_links set consumed_at = $2, consumed_by = $6
     where id = $1 and consumed_at is null and tries < $3 and code_tries < $4 and expires_at = $5"
);
pub(super) const COUNT_WRONG_EMAIL: Sql =
    sql!("update login_links set tries = tries + 1 where id = $1 and tries < $2");
/// Selects a browser's recent links, and whether the code of each works: it was mailed, and is open or was just used.
pub(super) const FIND_BY_NONCE: Sql = sql!(
    "select id, case when mailed_at is not null
       and ((consumed_at is null and expires_at > $3) or consumed_at > $4) then 1 else 0 end
     from login_links where nonce_hash = $1 and id >= $2"
);
/// Counts against all recent links of the browser: guesses must reveal neither members nor when they log in.
pub(super) const COUNT_WRONG_CODE: Sql = sql!(
    "update login_links set code_tries = code_tries + 1
     where nonce_hash = $1 and id >= $2 and code_tries < $3"
);
/// Includes unmailed requests, so that a rotated cookie does not reveal whether a mail was sent.
const RECENT_REQUESTS: Sql = sql!(
    "select id, email, invite_code from login_links
     where nonce_hash = $1 and id >= $2"
);
const EXPIRE_OLDER: Sql = sql!(
    "update login_links set expires_at = $3
     where email = $1 and id < $2 and consumed_at is null and expires_at > $3"
);
const EXPIRE_OPERATOR_LINKS: Sql = sql!(
    "update login_links set expires_at = $3
     where member_id = $1 and id < $2 and consumed_at is null and expires_at > $3"
);
const PURGE: Sql = sql!(
    "delete from login_links where id in (select id from login_links where expires_at <= $1
       order by expires_at limit $2) and expires_at <= $1"
);
/// Unmailed links count in no mail quota, and are needed only while a code of their browser can arrive.
const PURGE_UNMAILED: Sql = sql!(
    "delete from login_links where id in (select id from login_links
       where mailed_at is null and id < $1 and expires_at <= $2 order by id limit $3)
       and expires_at <= $2"
);
const DELETE_ALL: Sql = sql!("delete from login_links where id > 0");
const FIND_OPERATOR_LINKS: Sql = sql!(
    "select id, expires_at from login_links
     where member_id = $1 and consumed_at is null and expires_at > $2 order by id"
);
const SET_MAILED_AT: Sql = sql!("update login_links set mailed_at = $2 where id = $1");
const RECENT_MAILS: Sql = sql!(
    "select id, mailed_at, case when consumed_at is null and tries < $3 then expires_at else 0 end,
       invite_code
     from login_links where email = $1 and mailed_at > $2 order by mailed_at desc limit 5"
);

/// A login link to insert.
#[derive(Debug, Clone)]
pub struct NewLoginLink {
    /// Id of the link; encodes the time of the request.
    pub id: Id,
    /// Recipient of the mail; `None` for a printed link.
    pub email: Option<Email>,
    /// Member that a printed link logs in; `None` for a mailed link.
    pub member: Option<Id>,
    /// Invite code of a sign-up.
    pub invite: Option<String>,
    /// Hash of the requesting browser's nonce cookie.
    pub nonce_hash: Option<String>,
    /// Time from which the link is rejected.
    pub expires_at: Millis,
    /// Language of the requesting browser.
    pub language: Option<Language>,
}

/// A stored login link.
#[derive(Debug, Clone)]
pub struct LoginLink {
    /// Id of the link; encodes the time of the request.
    pub id: Id,
    /// Recipient of the mail; `None` for a printed link.
    pub email: Option<String>,
    /// Member that a printed link logs in; `None` for a mailed link.
    pub member: Option<Id>,
    /// Invite code of a sign-up.
    pub invite: Option<String>,
    /// Hash of the requesting browser's nonce cookie.
    pub nonce_hash: Option<String>,
    /// Time from which the link is rejected.
    pub expires_at: Millis,
    /// Time of the login with the link.
    pub consumed_at: Option<Millis>,
    /// Nonce hash of the browser that used the link, if that browser had the cookie.
    pub consumed_by: Option<String>,
    /// Number of wrong emails.
    pub tries: i64,
    /// Number of wrong codes.
    pub code_tries: i64,
    /// Language of the requesting browser.
    pub language: Option<Language>,
}

impl LoginLink {
    /// Returns whether the link is neither used nor expired.
    pub(crate) fn is_open(&self, now: Millis) -> bool {
        self.consumed_at.is_none() && now < self.expires_at
    }

    pub(super) fn from_row(row: &Row<'_>) -> kith_db::Result<Self> {
        Ok(Self {
            id: Id(row.int(0)?),
            email: row.opt_text(1)?,
            member: row.opt_int(2)?.map(Id),
            invite: row.opt_text(3)?,
            nonce_hash: row.opt_text(4)?,
            expires_at: row.int(5)?,
            consumed_at: row.opt_int(6)?,
            consumed_by: row.opt_text(7)?,
            tries: row.int(8)?,
            code_tries: row.int(9)?,
            language: row.opt_text(10)?.as_deref().and_then(Language::parse),
        })
    }
}

/// Inserts a login link.
pub async fn insert_login_link(tx: &mut Tx, link: &NewLoginLink) -> kith_db::Result<()> {
    let email = link.email.as_ref().map(Email::as_str);
    let parameters = params![
        link.id.0,
        email,
        link.member.map(|id| id.0),
        link.invite.as_deref(),
        link.nonce_hash.as_deref(),
        link.expires_at,
        link.language.map(Language::tag),
    ];
    tx.exec(&INSERT, parameters).await.map(drop)
}

/// Loads a login link by id.
pub async fn find_login_link(db: &Reader<'_>, id: Id) -> kith_db::Result<Option<LoginLink>> {
    db.opt(&FIND, params![id.0], LoginLink::from_row).await
}

/// Records when the mail of a link was sent, which also counts in the quotas of its email and invite code.
pub async fn record_login_mail(tx: &mut Tx, id: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&SET_MAILED_AT, params![id.0, now]).await.map(drop)
}

/// Counts a mail without a login link in its recipient's quota, as a link that has already expired.
pub(super) async fn record_other_mail(
    tx: &mut Tx,
    id: Id,
    email: &str,
    now: Millis,
) -> kith_db::Result<()> {
    let parameters =
        params![id.0, email, None::<i64>, None::<&str>, None::<&str>, now, None::<&str>];
    tx.exec(&INSERT, parameters).await?;
    record_login_mail(tx, id, now).await
}

/// Expires the unused links of an email that were requested before `link`.
pub(super) async fn expire_older(
    tx: &mut Tx,
    email: &str,
    link: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&EXPIRE_OLDER, params![email, link.0, now - CLOCK_MARGIN]).await.map(drop)
}

/// Expires the unused links that were printed for a member before `link`.
pub(crate) async fn expire_operator_links(
    tx: &mut Tx,
    member: Id,
    link: Id,
    now: Millis,
) -> kith_db::Result<()> {
    let parameters = params![member.0, link.0, now - CLOCK_MARGIN];
    tx.exec(&EXPIRE_OPERATOR_LINKS, parameters).await.map(drop)
}

/// Deletes at most `limit` links past retention and `limit` unmailed ones. Returns the larger number.
pub async fn purge_login_links(tx: &mut Tx, now: Millis, limit: u32) -> kith_db::Result<u64> {
    let parameters = params![min_usable_id(now), now, limit];
    let unmailed = tx.exec(&PURGE_UNMAILED, parameters).await?;
    let old = tx.exec(&PURGE, params![now - RETENTION, limit]).await?;
    Ok(unmailed.max(old))
}

/// Returns the lowest link id whose code may still be used, by request time: an early expiry does not count.
pub(super) fn min_usable_id(now: Millis) -> i64 {
    Id::first_at(now - LOGIN_LINK_LIFETIME - REPLAY_WINDOW)
}

/// Recent link requests of one browser: id, email and invite code. They reveal neither mails nor members.
#[derive(Debug)]
pub(super) struct RecentRequests(Vec<(Id, Option<String>, Option<String>)>);

/// Requests per nonce after which the cookie rotates; limits the links that a code is compared with.
const MAX_REQUESTS_PER_NONCE: usize = 20;

impl RecentRequests {
    /// Returns whether the next request needs a new nonce.
    pub(super) fn is_nonce_exhausted(&self) -> bool {
        self.0.len() > MAX_REQUESTS_PER_NONCE
    }

    /// Returns the invite code of the browser's newest sign-up.
    pub(super) fn newest_invite(&self) -> Option<&str> {
        let invites = self.0.iter().filter_map(|(id, _, invite)| Some((id, invite.as_deref()?)));
        invites.max().map(|(_, invite)| invite)
    }

    /// Returns when a link for the same email and invite code was last requested.
    pub(super) fn last_for(&self, link: &NewLoginLink) -> Option<Millis> {
        let email = link.email.as_ref().map(Email::as_str);
        let same = self
            .0
            .iter()
            .filter(|(_, to, invite)| to.as_deref() == email && *invite == link.invite);
        same.map(|(id, ..)| id.time()).max()
    }
}

/// Loads the link requests of the browser with a nonce, as far back as one of their codes may be used.
pub(super) async fn load_recent_requests(
    db: &Reader<'_>,
    nonce_hash: &str,
    now: Millis,
) -> kith_db::Result<RecentRequests> {
    let parameters = params![nonce_hash, min_usable_id(now)];
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.opt_text(1)?, row.opt_text(2)?));
    db.all(&RECENT_REQUESTS, parameters, read).await.map(RecentRequests)
}

/// Deletes the login links of all members.
pub(super) async fn delete_all(tx: &mut Tx) -> kith_db::Result<()> {
    tx.exec(&DELETE_ALL, params![]).await.map(drop)
}

/// An email's use of its mail quota: one mail per minute and five per 30 minutes.
#[derive(Debug)]
pub struct MailQuota {
    /// Whether a mail was sent within the last minute.
    pub is_recent: bool,
    /// The latest request time among the links that were mailed.
    pub requested_at: Option<Millis>,
    /// Whether the mails of the last 30 minutes use up the quota.
    pub is_full: bool,
    /// Invite code, if any, of each mailed link that works for five more minutes, in any browser.
    pub usable_links: Vec<Option<String>>,
}

/// Loads an email's use of its mail quota.
pub async fn load_mail_quota(
    db: &Reader<'_>,
    email: &str,
    now: Millis,
) -> kith_db::Result<MailQuota> {
    let parameters = params![email, now - QUOTA_WINDOW, MAX_ATTEMPTS];
    let mails = db
        .all(&RECENT_MAILS, parameters, |row| {
            Ok(((Id(row.int(0)?).time(), row.int(1)?), row.int(2)?, row.opt_text(3)?))
        })
        .await?;
    Ok(MailQuota {
        is_recent: mails.first().is_some_and(|mail| mail.0.1 > now - MINUTE),
        requested_at: mails.iter().map(|mail| mail.0.0).max(),
        is_full: mails.len() >= MAX_MAILS_PER_EMAIL,
        usable_links: mails
            .into_iter()
            .filter(|(_, expires_at, _)| *expires_at >= now + MIN_REMAINING)
            .map(|(_, _, invite)| invite)
            .collect(),
    })
}

/// Creates a link's token: the row's id and its keyed hash.
#[must_use]
pub fn login_token(key: &SecretKey, id: Id) -> String {
    let id = id.0.to_be_bytes();
    crypto::encode(&[id.as_slice(), &key.mac("login-link", &[&id])].concat())
}

/// Returns the link id in a token, if this server's key signed it.
pub(super) fn verify_token(key: &SecretKey, text: &str) -> Option<Id> {
    let bytes = crypto::decode(text.trim())?;
    let (id, mac) = bytes.split_at_checked(8)?;
    let is_authentic = crypto::constant_time_eq(mac, &key.mac("login-link", &[id]));
    is_authentic.then(|| Id(i64::from_be_bytes(id.try_into().unwrap_or_default())))
}

/// Rate-limit key of a mailed link, and when the link stops working.
pub(super) type RateLimitKey = (Id, Millis);

/// Rate-limits attempts per link, so that the network's quota is no obstacle; for an invalid or old link per network.
pub(super) async fn check_attempt_rate(
    state: &Platform,
    client: ClientIp,
    link: Option<RateLimitKey>,
) -> Result<()> {
    match link {
        Some((link, until)) if state.now() < until => {
            state.rate_limiter.check_member(MemberAction::OpenLink, link)?;
        }
        _ => {
            state.rate_limiter.check_ip(AnonymousAction::Verify, client.0)?;
            network_limit::check(state, AnonymousAction::Verify, client.0).await??;
        }
    }
    Ok(())
}

/// Returns the 8-character code in the link's mail, which works only in the requesting browser.
#[must_use]
pub fn login_code(key: &SecretKey, id: Id) -> String {
    crypto::unambiguous_chars(&key.mac("login-code", &[&id.0.to_be_bytes()])).take(8).collect()
}

/// Returns the URL of a mailed or printed login link.
#[must_use]
pub fn login_url(platform: &Platform, id: Id, invite: Option<&str>) -> String {
    let invite = invite.map(|code| format!("&invite={code}")).unwrap_or_default();
    platform
        .settings
        .url_for(&format!("/auth/verify?token={}{invite}", login_token(&platform.key, id)))
}

/// Finds the founder's link from the first start while it works. Links that a command printed must not be logged.
pub async fn find_founder_link(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<Id>> {
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.int(1)?));
    let parameters = params![member.0, now];
    let links = db.all(&FIND_OPERATOR_LINKS, parameters, read).await?;
    let mut founder_links =
        links.into_iter().filter(|(id, expires_at)| expires_at - id.time() > LOGIN_LINK_LIFETIME);
    Ok(founder_links.next().map(|(id, _)| id))
}
