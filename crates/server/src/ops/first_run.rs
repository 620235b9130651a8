//! First start: creates the founder, their login link and the first invite, and names the network.

use crate::features::auth::{
    FOUNDER_LINK_LIFETIME, NewLoginLink, find_founder_link, insert_login_link, login_url,
};
use crate::features::settings::InitialSettings;
use crate::features::{invites, members};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use crate::platform::crypto;
use crate::platform::ids::Id;
use crate::state::AppState;
use kith_db::Tx;

/// Initial username of the founder. It does not change while the printed link is valid, because logging in ends the
/// link.
const FOUNDER: &str = "founder";

/// Lines printed at each start until the founder has logged in.
#[derive(Debug)]
pub struct FirstRunInfo {
    /// Login link of the founder, valid once and for 24 hours.
    pub link: String,
    /// Open invite code of the founder; `None` if all are used.
    pub code: Option<String>,
}

/// Creates the founder of an empty network. Returns the lines to print while the founder's link is valid, otherwise
/// `None`.
pub async fn seed_founder(state: &AppState) -> Result<Option<FirstRunInfo>, ApiError> {
    let db = state.db.reader();
    if members::is_empty(&db).await? {
        let write = SeedFounder {
            member: state.id(),
            link: state.id(),
            invite: state.id(),
            code: crypto::random_code(12),
            now: state.now(),
            settings: InitialSettings::check(&state.settings)?,
        };
        state.db.write(write).await?;
    }
    let now = state.now();
    let Some(founder) = members::find_by_username(&db, FOUNDER).await? else {
        return Ok(None);
    };
    let Some(link) = find_founder_link(&db, founder, now).await? else {
        return Ok(None);
    };
    let code = invites::find_open_code(&db, founder, now).await?;
    Ok(Some(FirstRunInfo { link: login_url(state, link, None), code }))
}

/// Creates the founder with a login link and an invite.
struct SeedFounder {
    member: Id,
    link: Id,
    invite: Id,
    code: String,
    now: Millis,
    settings: InitialSettings,
}

impl kith_db::Write for SeedFounder {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<(), ApiError> {
        // Another process may have created the founder since the check.
        if members::find_by_username(&tx.reader(), FOUNDER).await?.is_some() {
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
        members::create_member(tx, &founder).await?;
        let link = NewLoginLink {
            id: self.link,
            email: None,
            member: Some(self.member),
            invite: None,
            nonce_hash: None,
            expires_at: self.now + FOUNDER_LINK_LIFETIME,
            language: None,
        };
        insert_login_link(tx, &link).await?;
        self.settings.save(tx, self.now).await?;
        members::count_invite(tx, self.member).await?;
        let expires_at = self.now + invites::LIFETIME;
        invites::insert_invite(tx, Some(self.member), self.invite, &self.code, expires_at).await?;
        Ok(())
    }
}
