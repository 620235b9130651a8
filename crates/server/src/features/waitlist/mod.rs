//! Waitlist of people without an invite, and members' vouches for them.

mod capacity;
mod state;
mod vouches;

use crate::platform::Platform;
pub use crate::platform::jobs;
use capacity::CapacityFlag;
pub use state::WaitlistState;
pub use vouches::{
    __path_take_vouch_back, __path_vouch, __path_vouches, Vouch, erase, load_vouchers,
    load_vouches, purge_vouches, take_vouch_back, vouch, vouches,
};

use crate::features::auth::Email;
use crate::features::invites;
use crate::http::client_ip::ClientIp;
use crate::http::error;
use crate::http::extract::Body;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::platform::jobs::Job;
use crate::platform::rate_limit::AnonymousAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

const JOIN: Sql = sql!(
    "insert into waitlist (email, joined_at, id) values ($1, $2, $3) on conflict (email) do nothing"
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
const ADMIT: Sql = sql!(
    "update waitlist set admitted_at = $2 where email = $1 and admitted_at is null returning email"
);
const WAITING: Sql = sql!(
    "select id, email, joined_at from waitlist where admitted_at is null and id > $1
     order by id limit $2 offset $3"
);
const EMAIL_OF_ENTRY: Sql =
    sql!("select email from waitlist where id = $1 and admitted_at is null");
const DELETE: Sql = sql!("delete from waitlist where email = $1");
const KNOWN: Sql = sql!("select email from waitlist where email = $1");

/// Rows per query.
const BATCH_SIZE: u32 = 500;

/// Who wants to join.
#[derive(Debug, Deserialize, ToSchema)]
pub struct JoinWaitlist {
    /// Their address, without any of `$`, `|`, `&` and backticks, and not beginning with a hyphen. Case, spaces around it and
    /// compatibility forms do not matter.
    #[schema(value_type = String)]
    pub email: Option<String>,
}

/// A sentence that says what happened.
#[derive(Debug, Serialize, ToSchema)]
pub struct Message {
    /// For a person.
    #[schema(
        min_length = 1,
        max_length = 500,
        example = "We'll let you know when it's your turn."
    )]
    pub message: String,
}

impl Message {
    /// Creates a response body with this sentence.
    pub fn new(text: impl Into<String>) -> Json<Self> {
        Json(Self {
            message: text.into(),
        })
    }
}

/// Joins the waitlist. The answer is the same for an address that already stands on it.
#[utoipa::path(post, path = "/api/waitlist", operation_id = "joinWaitlist", tag = "waitlist", request_body = JoinWaitlist, security(()),
    responses((status = 200, body = Message)))]
pub async fn join(
    State(app): State<Arc<WaitlistState>>,
    client: ClientIp,
    Body(body): Body<JoinWaitlist>,
) -> error::Result<Json<Message>> {
    let email = Email::unproven(body.email.as_deref().unwrap_or_default());
    let email = app
        .rate_limiter
        .check_ip_for_input(AnonymousAction::Waitlist, client.0, email)?;
    app.capacity.ensure_capacity()?;
    let bound = params![email.as_str(), app.now(), app.id().0];
    app.db.exec(&JOIN, bound).await?;
    Ok(Message::new("We'll let you know when it's your turn."))
}

/// Deletes an email from the waitlist, with all vouches for it.
pub async fn erase_email(tx: &mut Tx, email: &str) -> kith_db::Result<()> {
    vouches::delete_for_email(tx, email).await?;
    remove(tx, email).await.map(drop)
}

/// Removes an email from the waitlist; returns whether it was listed. Vouches stay, because their deletion would reveal to
/// members that the email was on the list.
pub async fn remove(tx: &mut Tx, email: &str) -> kith_db::Result<bool> {
    Ok(tx.exec(&DELETE, params![email]).await? > 0)
}

/// Waitlist entry, for the operator.
#[derive(Debug, Clone)]
pub struct Entry {
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
pub async fn load_entries(db: &Reader<'_>) -> kith_db::Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    loop {
        let last = entries.last();
        let (time, email) =
            last.map_or((i64::MIN, ""), |last| (last.joined_at, last.email.as_str()));
        let bound = params![time, email, BATCH_SIZE];
        let page = db.all(&LIST, bound, |row| {
            Ok(Entry {
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

/// Loads up to `count` emails that have waited longest; only vouched ones if `vouched`.
pub async fn load_longest_waiting(
    db: &Reader<'_>,
    count: u32,
    vouched: bool,
) -> kith_db::Result<Vec<Email>> {
    let sql = if vouched { &OLDEST_VOUCHED } else { &OLDEST };
    let found = db.all(sql, params![count], |row| row.text(0)).await?;
    Ok(found.into_iter().filter_map(Email::stored).collect())
}

/// Waitlist entry that is not admitted yet.
#[derive(Debug)]
pub struct Waiting {
    /// Entry id.
    pub id: Id,
    /// Email.
    pub email: String,
    /// Time of joining the list.
    pub joined_at: Millis,
}

/// Loads a page of waiting entries after the id `after`, longest waiting first.
pub async fn load_waiting(
    db: &Reader<'_>,
    after: i64,
    limit: usize,
    offset: usize,
) -> kith_db::Result<Vec<Waiting>> {
    db.all(&WAITING, params![after, limit, offset], |row| {
        Ok(Waiting {
            id: Id(row.int(0)?),
            email: row.text(1)?,
            joined_at: row.int(2)?,
        })
    })
    .await
}

/// Finds the email of a waiting entry.
pub async fn find_email(db: &Reader<'_>, id: Id) -> kith_db::Result<Option<Email>> {
    let found = db
        .opt(&EMAIL_OF_ENTRY, params![id.0], |row| row.text(0))
        .await?;
    Ok(found.and_then(Email::stored))
}

/// Outcome of admitting an email.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AdmitOutcome {
    /// A code will be mailed.
    Admitted,
    /// A code was mailed before.
    Before,
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

/// Transaction that admits people from the waitlist, all or none. Creates an invite without inviter for each; the running
/// server mails it.
#[derive(Debug)]
pub struct Admit {
    places: Vec<(Email, String, Id)>,
    now: Millis,
}

/// Reason for admitting none of the emails.
#[derive(Debug, thiserror::Error)]
pub enum NotAdmitted {
    /// An email is not on the list.
    #[error("{0} is not on the waitlist, so nobody was admitted")]
    Unknown(String),
    /// The database failed.
    #[error(transparent)]
    Database(#[from] kith_db::Error),
}

impl Admit {
    /// Creates an invite code for each email.
    #[must_use]
    pub fn new(platform: &Platform, emails: Vec<Email>) -> Self {
        let place = |email| (email, crypto::random_code(12), platform.id());
        Self {
            places: emails.into_iter().map(place).collect(),
            now: platform.now(),
        }
    }
}

impl kith_db::Write for Admit {
    type Out = Vec<(String, AdmitOutcome)>;
    type Err = NotAdmitted;

    async fn run(&self, tx: &mut Tx) -> Result<Self::Out, NotAdmitted> {
        let mut out = Vec::new();
        for (email, code, job) in &self.places {
            let address = email.as_str();
            let bound = params![address, self.now];
            let admitted = tx.opt(&ADMIT, bound, |_| Ok(())).await?;
            let admission = if admitted.is_some() {
                invites::insert_invite(tx, None, Id::NONE, code, self.now).await?;
                let mail = Job::invite_mail(*job, address, code, self.now);
                jobs::enqueue(tx, &mail).await?;
                AdmitOutcome::Admitted
            } else {
                let known = tx.opt(&KNOWN, params![address], |_| Ok(())).await?;
                known.ok_or_else(|| NotAdmitted::Unknown(address.to_owned()))?;
                AdmitOutcome::Before
            };
            out.push((address.to_owned(), admission));
        }
        Ok(out)
    }
}
