//! The first start: a founder, an address that logs them in, and a code for the first friend.

use crate::features::auth::{
    FOUNDER_LINK_LIFETIME, NewLoginLink, find_founder_link, insert_login_link, login_url,
};
use crate::features::{invites, members};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::state::AppState;
use kith_db::Tx;

/// The founder's first name. A login ends the printed link, so its holder has not chosen another name yet.
const FOUNDER: &str = "founder";

/// What the terminal shows until the founder has signed in.
#[derive(Debug)]
pub struct Welcome {
    /// Logs the founder in, once, within 24 hours of the first start.
    pub address: String,
    /// For the first friend; `None` once all of the founder's are used.
    pub code: Option<String>,
}

/// Founds an empty network. Answers what to print while the founder's address works.
pub async fn found(app: &AppState) -> Result<Option<Welcome>, ApiError> {
    let db = app.db.reader();
    if members::is_empty(&db).await? {
        let found = Found {
            member: app.id(),
            link: app.id(),
            invite: app.id(),
            code: crypto::random_code(12),
            now: app.now(),
        };
        app.db.write(found).await?;
    }
    let now = app.now();
    let Some(founder) = members::find_by_username(&db, FOUNDER).await? else {
        return Ok(None);
    };
    let Some(link) = find_founder_link(&db, founder, now).await? else {
        return Ok(None);
    };
    let code = invites::find_open_code(&db, founder, now).await?;
    Ok(Some(Welcome {
        address: login_url(app, link, None),
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
        if members::find_by_username_in(tx, FOUNDER).await?.is_some() {
            return Ok(());
        }
        let founder = members::NewMember {
            id: self.member,
            username: FOUNDER,
            display_name: "Founder",
            email: None,
            role: members::Role::Admin,
            invited_by: None,
        };
        members::create(tx, &founder).await?;
        let link = NewLoginLink {
            id: self.link,
            email: None,
            member: Some(self.member),
            invite: None,
            nonce_hash: None,
            expires_at: self.now + FOUNDER_LINK_LIFETIME,
        };
        insert_login_link(tx, &link).await?;
        members::count_invite(tx, self.member).await?;
        invites::insert_invite(tx, Some(self.member), self.invite, &self.code, self.now).await?;
        Ok(())
    }
}
