//! Waitlist entries in the database.

use crate::features::auth::Email;
use crate::features::waitlist::vouches;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::mail::Language;
use kith_db::{Db, Reader, Sql, Tx, params, sql};
use serde::Serialize;

const INSERT: Sql = sql!(
    "insert into waitlist (email, joined_at, id, language) values ($1, $2, $3, $4)
     on conflict (email) do nothing"
);
const LIST: Sql = sql!(
    "select email, joined_at, admitted_at,
       (select count(*) from vouches join members on members.id = vouches.member_id
        where vouches.email = waitlist.email
          and suspended_at is null and invites_frozen_at is null)
     from waitlist where (joined_at, email) > ($1, $2)
     order by joined_at, email limit $3"
);
const OLDEST: Sql =
    sql!("select email from waitlist where admitted_at is null order by joined_at, email limit $1");
const OLDEST_VOUCHED: Sql = sql!(
    "select email from waitlist where admitted_at is null
       and exists (select 1 from vouches join members on members.id = vouches.member_id
         where vouches.email = waitlist.email
           and suspended_at is null and invites_frozen_at is null)
     order by joined_at, email limit $1"
);
const WAITING: Sql = sql!(
    "select id, email, joined_at from waitlist where admitted_at is null and id > $1
     order by id limit $2 offset $3"
);
const EMAIL_OF_ENTRY: Sql =
    sql!("select email from waitlist where id = $1 and admitted_at is null");
const LANGUAGE: Sql = sql!("select language from waitlist where email = $1");
const DELETE: Sql = sql!("delete from waitlist where email = $1");

/// Waitlist entries per query.
const BATCH_SIZE: u32 = 500;

/// Adds an email, unless it is on the waitlist already.
pub(super) async fn insert_entry(
    db: &Db,
    email: &Email,
    now: Millis,
    id: Id,
    language: Option<Language>,
) -> kith_db::Result<()> {
    let parameters = params![email.as_str(), now, id.0, language.map(Language::tag)];
    db.exec(&INSERT, parameters).await?;
    Ok(())
}

/// Adds an email for the operator; returns false if it is on the waitlist already.
pub async fn add_entry(
    tx: &mut Tx,
    email: &Email,
    joined_at: Millis,
    id: Id,
) -> kith_db::Result<bool> {
    let parameters = params![email.as_str(), joined_at, id.0, None::<&str>];
    Ok(tx.exec(&INSERT, parameters).await? > 0)
}

/// Loads the language of the browser that put an email on the waitlist; `None` if unknown.
pub async fn load_applicant_language(
    db: &Reader<'_>,
    email: &str,
) -> kith_db::Result<Option<Language>> {
    let found = db.opt(&LANGUAGE, params![email], |row| row.opt_text(0)).await?;
    Ok(found.flatten().as_deref().and_then(Language::parse))
}

/// Deletes an email from the waitlist, with all vouches for it.
pub async fn erase_email(tx: &mut Tx, email: &str) -> kith_db::Result<()> {
    vouches::delete_for_email(tx, email).await?;
    remove_entry(tx, email).await.map(drop)
}

/// Removes an email from the waitlist; returns whether it was listed. Keeps the vouches for it, because members would
/// learn from their deletion that the email was on the waitlist.
pub async fn remove_entry(tx: &mut Tx, email: &str) -> kith_db::Result<bool> {
    Ok(tx.exec(&DELETE, params![email]).await? > 0)
}

/// Waitlist entry, for the operator.
#[derive(Debug, Clone)]
pub struct WaitlistRow {
    /// Email.
    pub email: String,
    /// Time of joining the list.
    pub joined_at: Millis,
    /// Time of admission, when a code was mailed.
    pub admitted_at: Option<Millis>,
    /// Number of members who vouch for the email.
    pub vouches: i64,
}

/// Loads the whole waitlist, longest waiting first.
pub async fn load_all_entries(db: &Reader<'_>) -> kith_db::Result<Vec<WaitlistRow>> {
    let mut entries: Vec<WaitlistRow> = Vec::new();
    loop {
        let last = entries.last();
        let (joined_at, email) =
            last.map_or((i64::MIN, ""), |last| (last.joined_at, last.email.as_str()));
        let parameters = params![joined_at, email, BATCH_SIZE];
        let page = db.all(&LIST, parameters, |row| {
            Ok(WaitlistRow {
                email: row.text(0)?,
                joined_at: row.int(1)?,
                admitted_at: row.opt_int(2)?,
                vouches: row.int(3)?,
            })
        });
        let page = page.await?;
        if page.is_empty() {
            return Ok(entries);
        }
        entries.extend(page);
    }
}

/// Loads up to `limit` emails that have waited longest; if `only_vouched`, only emails with a vouch.
pub async fn load_longest_waiting(
    db: &Reader<'_>,
    limit: u32,
    only_vouched: bool,
) -> kith_db::Result<Vec<Email>> {
    let sql = if only_vouched { &OLDEST_VOUCHED } else { &OLDEST };
    let found = db.all(sql, params![limit], |row| row.text(0)).await?;
    Ok(found.into_iter().filter_map(Email::from_db).collect())
}

/// Waitlist entry that is not admitted yet.
#[derive(Debug)]
pub struct PendingEntryRow {
    /// Id of the entry.
    pub id: Id,
    /// Email.
    pub email: String,
    /// Time of joining the list.
    pub joined_at: Millis,
}

/// Loads a page of waiting entries after the id `after`, longest waiting first.
pub async fn load_pending_page(
    db: &Reader<'_>,
    after: i64,
    limit: usize,
    offset: usize,
) -> kith_db::Result<Vec<PendingEntryRow>> {
    db.all(&WAITING, params![after, limit, offset], |row| {
        Ok(PendingEntryRow { id: Id(row.int(0)?), email: row.text(1)?, joined_at: row.int(2)? })
    })
    .await
}

/// Finds the email of a waiting entry.
pub async fn find_email(db: &Reader<'_>, id: Id) -> kith_db::Result<Option<Email>> {
    let found = db.opt(&EMAIL_OF_ENTRY, params![id.0], |row| row.text(0)).await?;
    Ok(found.and_then(Email::from_db))
}

/// Outcome of removing an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RemovalOutcome {
    /// The email was removed.
    Removed,
    /// The email was not on the list.
    Unknown,
}
