//! The first start: a founder, an address that logs them in, and a code for the first friend.

use crate::app::App;
use crate::auth::{FOREVER, NewLink, address, founders_link, insert_link};
use crate::clock::Millis;
use crate::error::ApiError;
use crate::ids::Id;
use crate::{invites, secrets, users};
use kith_db::Tx;

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
    let Some((link, founder)) = founders_link(&db).await? else {
        return Ok(None);
    };
    let code = invites::open_code(&db, founder, app.now()).await?;
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
