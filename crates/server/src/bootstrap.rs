//! The first start: a founder, an address that logs them in, and a code for the first friend.

use crate::app::App;
use crate::auth::{FOREVER, NewLink, address, insert_link};
use crate::clock::Millis;
use crate::error::ApiError;
use crate::ids::Id;
use crate::{invites, secrets, users};
use kith_db::{Sql, Tx, params, sql};

const OPEN_LINK: Sql = sql!(
    "select id, member_id from login_links
     where email is null and consumed_at is null and expires_at = $1 order by id limit 1"
);
const OPEN_CODE: Sql = sql!(
    "select code from member_invites
     where member_id = $1 and used_at is null and revoked_at is null and expires_at > $2 order by id desc limit 1"
);

/// What the terminal shows until the founder has signed in.
#[derive(Debug)]
pub struct Welcome {
    /// Logs the founder in, once.
    pub address: String,
    /// For the first friend; `None` once all of the founder's are used.
    pub code: Option<String>,
}

/// Founds an empty network. Answers what to print while nobody has used the founder's address.
pub async fn found(app: &App) -> Result<Option<Welcome>, ApiError> {
    let db = app.db.reader().await?;
    if users::is_empty(&db).await? {
        let found = Found {
            member: app.id(),
            link: app.id(),
            invite: app.id(),
            code: secrets::code(12),
            now: app.now(),
        };
        app.db.write(found).await?;
    }
    let open = db
        .opt(&OPEN_LINK, params![FOREVER], |row| {
            Ok((Id(row.int(0)?), Id(row.int(1)?)))
        })
        .await?;
    let Some((link, founder)) = open else {
        return Ok(None);
    };
    let code = db
        .opt(&OPEN_CODE, params![founder.0, app.now()], |row| row.text(0))
        .await?;
    Ok(Some(Welcome {
        address: address(app, link, None),
        code,
    }))
}

struct Found {
    member: Id,
    link: Id,
    invite: Id,
    code: String,
    now: Millis,
}

impl kith_db::Write for Found {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<(), ApiError> {
        // Another process may have founded since the first look.
        if users::resolve(tx, "founder").await?.is_some() {
            return Ok(());
        }
        let founder = users::NewMember {
            id: self.member,
            username: "founder",
            display_name: "Founder",
            email: None,
            role: users::Role::Admin,
            invited_by: None,
        };
        users::create(tx, &founder).await?;
        let link = NewLink {
            id: self.link,
            email: None,
            member: Some(self.member),
            invite: None,
            nonce_hash: None,
            expires_at: FOREVER,
        };
        insert_link(tx, &link).await?;
        users::count_invite(tx, self.member).await?;
        invites::add(tx, Some(self.member), self.invite, &self.code, self.now).await?;
        Ok(())
    }
}
