//! Login links. The table holds what a link may do; its token is a keyed hash of the row's id and stored nowhere.

use crate::features::auth::AuthState;
use crate::features::auth::Email;
use crate::http::client_ip::ClientIp;
use crate::http::error::Result;
use crate::platform::Platform;
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;
use crate::platform::rate_limit::{AnonymousAction, MemberAction};
use kith_db::{Reader, Row, Sql, Tx, params, sql};

/// How long a mailed link works.
pub const LIFETIME: Millis = 15 * MINUTE;
/// How long an expired link is kept: while mails to its address are counted, and well beyond.
const KEPT: Millis = DAY;
/// How long the link works that the first start prints.
pub const FOUNDING: Millis = DAY;
/// Wrong addresses, and wrong codes, after which a link, or its code, is dead.
pub(super) const TRIES: i64 = 5;
/// Links are ended this long before now: a login goes by the time of its request, perhaps another node's, and may have
/// waited. That is at most two watermark periods and a request's time.
const ENDED_BEFORE: Millis = MINUTE;
/// A use may be repeated for so long: a lost answer can be asked for again.
pub(super) const REPLAY: Millis = MINUTE;
/// Mails to one address in [`WINDOW`], while one of their links will work for [`SPARE`].
const MAILS: usize = 5;
const WINDOW: Millis = 30 * MINUTE;
const SPARE: Millis = 5 * MINUTE;
/// Mails that one invite code causes in a day: as many friends as may race for it, not a campaign.
const MAILS_OF_CODE: i64 = 50;

const INSERT: Sql = sql!(
    "insert into login_links (id, email, member_id, invite_code, nonce_hash, expires_at, tries)
     values ($1, $2, $3, $4, $5, $6, 0)"
);
pub(super) const FIND: Sql = sql!(
    "select id, email, member_id, invite_code, nonce_hash, expires_at, consumed_at, consumed_by, tries, code_tries
     from login_links where id = $1"
);
/// Not one whose time was ended since it was read.
pub(super) const CONSUME: Sql = sql!(
    "update login_links set consumed_at = $2, consumed_by = $6
     where id = $1 and consumed_at is null and tries < $3 and code_tries < $4 and expires_at = $5"
);
pub(super) const COUNT_TRY: Sql =
    sql!("update login_links set tries = tries + 1 where id = $1 and tries < $2");
/// The links that a browser requested lately, and whether each code works: mailed, and open or just used.
pub(super) const OF_NONCE: Sql = sql!(
    "select id, case when mailed_at is not null
       and ((consumed_at is null and expires_at > $3) or consumed_at > $4) then 1 else 0 end
     from login_links where nonce_hash = $1 and id >= $2"
);
/// Counts against all recent links of the browser: guesses must reveal neither members nor when they log in.
pub(super) const COUNT_CODE: Sql = sql!(
    "update login_links set code_tries = code_tries + 1
     where nonce_hash = $1 and id >= $2 and code_tries < $3"
);
/// A browser's recent requests but unmailed ones, which are purged sooner: a changed cookie must not reveal that.
const REQUESTED: Sql = sql!(
    "select id, email, invite_code from login_links
     where nonce_hash = $1 and id >= $2"
);
const END_OLDER: Sql = sql!(
    "update login_links set expires_at = $3
     where email = $1 and id < $2 and consumed_at is null and expires_at > $3"
);
const END_PRINTED: Sql = sql!(
    "update login_links set expires_at = $3
     where member_id = $1 and id < $2 and consumed_at is null and expires_at > $3"
);
const PURGE: Sql = sql!(
    "delete from login_links where id in (select id from login_links where expires_at <= $1
       order by expires_at limit $2) and expires_at <= $1"
);
/// What was never mailed is counted by nobody once no code of its browser can come any more.
const PURGE_UNMAILED: Sql = sql!(
    "delete from login_links where id in (select id from login_links
       where mailed_at is null and id < $1 and expires_at <= $2 order by id limit $3)
       and expires_at <= $2"
);
const FORGET_ALL: Sql = sql!("delete from login_links where id > 0");
const PRINTED: Sql = sql!(
    "select id, expires_at from login_links
     where member_id = $1 and consumed_at is null and expires_at > $2 order by id"
);
const MAILED: Sql = sql!("update login_links set mailed_at = $2 where id = $1");
const RECENT: Sql = sql!(
    "select id, mailed_at, case when consumed_at is null and tries < $3 then expires_at else 0 end,
       invite_code
     from login_links where email = $1 and mailed_at > $2 order by mailed_at desc limit 5"
);
const OF_CODE: Sql =
    sql!("select count(*) from login_links where invite_code = $1 and mailed_at > $2");

/// A link to be stored.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// Its id.
    pub id: Id,
    /// Whom the mail goes to.
    pub email: Option<Email>,
    /// Whom the printed founder's link logs in.
    pub member: Option<Id>,
    /// The code a sign-up came with.
    pub invite: Option<String>,
    /// The hash of the asking browser's cookie.
    pub nonce_hash: Option<String>,
    /// When it stops working.
    pub expires_at: Millis,
}

/// A stored link.
#[derive(Debug, Clone)]
pub struct Link {
    /// Its id.
    pub id: Id,
    /// Whom the mail went to.
    pub email: Option<String>,
    /// Whom the founder's link logs in.
    pub member: Option<Id>,
    /// The code a sign-up came with.
    pub invite: Option<String>,
    /// The hash of the asking browser's cookie.
    pub nonce_hash: Option<String>,
    /// When it stops working.
    pub expires_at: Millis,
    /// When it logged somebody in.
    pub consumed_at: Option<Millis>,
    /// The hash of the login cookie of the browser that used it, if that browser had one.
    pub consumed_by: Option<String>,
    /// Wrong addresses so far.
    pub tries: i64,
    /// Wrong codes so far.
    pub code_tries: i64,
}

impl Link {
    pub(crate) fn is_open(&self, now: Millis) -> bool {
        self.consumed_at.is_none() && now < self.expires_at
    }

    pub(super) fn read(row: &Row<'_>) -> kith_db::Result<Self> {
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
        })
    }
}

/// Stores a link.
pub async fn insert_link(tx: &mut Tx, link: &NewLink) -> kith_db::Result<()> {
    let email = link.email.as_ref().map(Email::as_str);
    let bound = params![
        link.id.0,
        email,
        link.member.map(|id| id.0),
        link.invite.as_deref(),
        link.nonce_hash.as_deref(),
        link.expires_at,
    ];
    tx.exec(&INSERT, bound).await.map(drop)
}

/// A link by id.
pub async fn find_link(db: &Reader<'_>, id: Id) -> kith_db::Result<Option<Link>> {
    db.opt(&FIND, params![id.0], Link::read).await
}

/// Notes that the mail went out.
pub async fn mailed(tx: &mut Tx, id: Id, now: Millis) -> kith_db::Result<()> {
    tx.exec(&MAILED, params![id.0, now]).await.map(drop)
}

/// Counts a mail to an address that is no login link, as a link that never worked.
pub(super) async fn count_mail(
    tx: &mut Tx,
    id: Id,
    email: &str,
    now: Millis,
) -> kith_db::Result<()> {
    let nothing = None::<&str>;
    let bound = params![id.0, email, None::<i64>, nothing, nothing, now];
    tx.exec(&INSERT, bound).await?;
    mailed(tx, id, now).await
}

/// Ends the links that were asked for before this one and that nobody has used.
pub(super) async fn end_older(
    tx: &mut Tx,
    email: &str,
    link: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&END_OLDER, params![email, link.0, now - ENDED_BEFORE])
        .await
        .map(drop)
}

/// Ends the links that were printed for a member before this one and not used.
pub(crate) async fn end_printed(
    tx: &mut Tx,
    member: Id,
    link: Id,
    now: Millis,
) -> kith_db::Result<()> {
    tx.exec(&END_PRINTED, params![member.0, link.0, now - ENDED_BEFORE])
        .await
        .map(drop)
}

/// Deletes at most `most` each of links that expired a day ago and of unmailed ones. Returns the larger number.
pub async fn purge_links(tx: &mut Tx, now: Millis, most: u32) -> kith_db::Result<u64> {
    let unmailed = params![asked_lately(now), now, most];
    let unmailed = tx.exec(&PURGE_UNMAILED, unmailed).await?;
    let old = tx.exec(&PURGE, params![now - KEPT, most]).await?;
    Ok(unmailed.max(old))
}

/// The first id of a wish whose code may still come, by when it was asked for and not by how it ended.
pub(super) fn asked_lately(now: Millis) -> i64 {
    Id::first_at(now - LIFETIME - REPLAY)
}

/// The links that one browser cookie has requested lately. They tell the browser nothing of mails or members.
#[derive(Debug)]
pub(super) struct Requests(Vec<(Id, Option<String>, Option<String>)>);

/// Requests of one cookie after which the browser gets another one: looking for a code among them must stay quick.
const MANY: usize = 20;

impl Requests {
    pub(super) fn are_many(&self) -> bool {
        self.0.len() > MANY
    }

    /// When the last link for the same email was requested, with the same invite code or none.
    pub(super) fn last_for(&self, link: &NewLink) -> Option<Millis> {
        let email = link.email.as_ref().map(Email::as_str);
        let same = self
            .0
            .iter()
            .filter(|(_, to, invite)| to.as_deref() == email && *invite == link.invite);
        same.map(|(id, ..)| id.time()).max()
    }
}

pub(super) async fn requested_lately(
    tx: &mut Tx,
    nonce_hash: &str,
    now: Millis,
) -> kith_db::Result<Requests> {
    let bound = params![nonce_hash, asked_lately(now)];
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.opt_text(1)?, row.opt_text(2)?));
    tx.all(&REQUESTED, bound, read).await.map(Requests)
}

pub(super) async fn forget_all(tx: &mut Tx) -> kith_db::Result<()> {
    tx.exec(&FORGET_ALL, params![]).await.map(drop)
}

/// What an address was sent lately.
#[derive(Debug)]
pub struct Share {
    /// It had a mail in the last minute.
    pub is_recent: bool,
    /// When the mail was asked for, of those that it had, that was asked for last.
    pub requested_at: Option<Millis>,
    /// It had five in the last half an hour.
    pub is_full: bool,
    /// Invite codes, if any, of those links that will work for five more minutes in whatever browser.
    pub lasting: Vec<Option<String>>,
}

/// What an address was sent lately: it gets one mail a minute and five in half an hour.
pub async fn share(db: &Reader<'_>, email: &str, now: Millis) -> kith_db::Result<Share> {
    let mails = db
        .all(&RECENT, params![email, now - WINDOW, TRIES], |row| {
            Ok((
                (Id(row.int(0)?).time(), row.int(1)?),
                row.int(2)?,
                row.opt_text(3)?,
            ))
        })
        .await?;
    Ok(Share {
        is_recent: mails.first().is_some_and(|mail| mail.0.1 > now - MINUTE),
        requested_at: mails.iter().map(|mail| mail.0.0).max(),
        is_full: mails.len() >= MAILS,
        lasting: mails
            .into_iter()
            .filter(|(_, ends, _)| *ends >= now + SPARE)
            .map(|(_, _, invite)| invite)
            .collect(),
    })
}

/// Whether an invite code has caused as many mails as it may in a day.
pub async fn is_code_spent(db: &Reader<'_>, code: &str, now: Millis) -> kith_db::Result<bool> {
    let mails = db
        .one(&OF_CODE, params![code, now - DAY], |row| row.int(0))
        .await?;
    Ok(mails >= MAILS_OF_CODE)
}

/// What the link carries: the row's id and its keyed hash.
#[must_use]
pub fn token(key: &SecretKey, id: Id) -> String {
    let id = id.0.to_be_bytes();
    crypto::encode(&[id.as_slice(), &key.mac("login-link", &[&id])].concat())
}

/// The id inside a token that this installation made.
pub(super) fn open_token(key: &SecretKey, text: &str) -> Option<Id> {
    let bytes = crypto::decode(text.trim())?;
    let (id, mac) = bytes.split_at_checked(8)?;
    let honest = crypto::constant_time_eq(mac, &key.mac("login-link", &[id]));
    honest.then(|| Id(i64::from_be_bytes(id.try_into().unwrap_or_default())))
}

/// What tries of a mailed link are counted by, and until when it can do anything.
pub(super) type Counted = (Id, Millis);

/// Counts a try by its link, so that others on the same network cannot use it up; an invalid or old one by network.
pub(super) fn count(app: &AuthState, client: ClientIp, link: Option<Counted>) -> Result<()> {
    match link {
        Some((link, until)) if app.now() < until => app
            .rate_limiter
            .check_member(MemberAction::OpenLink, link)?,
        _ => app
            .rate_limiter
            .check_ip(AnonymousAction::Verify, client.0)?,
    }
    Ok(())
}

/// The 8-character code of the same mail, for the browser that asked.
#[must_use]
pub fn one_time_code(key: &SecretKey, id: Id) -> String {
    crypto::unambiguous_chars(&key.mac("login-code", &[&id.0.to_be_bytes()]))
        .take(8)
        .collect()
}

/// The address that a mail (or the first start) shows.
#[must_use]
pub fn address(platform: &Platform, id: Id, invite: Option<&str>) -> String {
    let invite = invite
        .map(|code| format!("&invite={code}"))
        .unwrap_or_default();
    platform.settings.link(&format!(
        "/auth/verify?token={}{invite}",
        token(&platform.key, id)
    ))
}

/// The link that the first start printed, while it works; not a command's, which must not get into the log.
pub async fn printed_link(db: &Reader<'_>, member: Id, now: Millis) -> kith_db::Result<Option<Id>> {
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), row.int(1)?));
    let links = db.all(&PRINTED, params![member.0, now], read).await?;
    let mut founding = links
        .into_iter()
        .filter(|(id, ends)| ends - id.time() > LIFETIME);
    Ok(founding.next().map(|(id, _)| id))
}
