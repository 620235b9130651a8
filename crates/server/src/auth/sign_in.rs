//! A way in without mail, from whoever runs the server.

use crate::app::App;
use crate::auth::links::{LIFETIME, NewLink, address, insert_link};
use crate::clock::Millis;
use crate::error::ApiError;
use crate::ids::Id;
use crate::{moderation, users};
use kith_db::Tx;

/// An address that logs a member in, once, within 15 minutes: for a founder
/// without a mail address, and for members whose mail does not arrive. The audit log tells of it.
pub async fn sign_in_address(app: &App, username: &str) -> Result<String, ApiError> {
    let name = username.trim_start_matches('@');
    let found = users::find_by_username(&app.db.reader().await?, name).await?;
    let member = found.ok_or_else(users::unknown)?;
    let link = NewLink {
        id: app.id(),
        email: None,
        member: Some(member),
        invite: None,
        nonce_hash: None,
        expires_at: app.now() + LIFETIME,
    };
    let id = link.id;
    let print = Print {
        link,
        member,
        now: app.now(),
    };
    app.db.write(print).await?;
    Ok(address(app, id, None))
}

struct Print {
    link: NewLink,
    member: Id,
    now: Millis,
}

impl kith_db::Write for Print {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        insert_link(tx, &self.link).await?;
        moderation::record_sign_in(tx, self.member, self.now).await
    }
}
