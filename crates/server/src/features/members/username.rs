//! Sets a member's chosen username, once. The provisional username keeps resolving to the member.

use crate::features::members::MembersState;
use crate::features::members::store::is_username;
use crate::features::members::{self, Me, search_index};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, Query};
use crate::http::openapi::documented_errors;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Usernames that would mislead or collide with paths of the product.
const RESERVED: &[&str] = &[
    "about",
    "account",
    "admin",
    "administrator",
    "all",
    "api",
    "auth",
    "deleted",
    "discover",
    "everyone",
    "founder",
    "help",
    "here",
    "home",
    "invites",
    "kith",
    "login",
    "logout",
    "me",
    "mod",
    "moderator",
    "new",
    "news",
    "notifications",
    "null",
    "official",
    "post",
    "posts",
    "privacy",
    "profile",
    "root",
    "search",
    "security",
    "settings",
    "signup",
    "staff",
    "suggested",
    "status",
    "support",
    "system",
    "team",
    "terms",
    "undefined",
    "user",
    "users",
    "username",
];
/// Words for official roles; no part of a username may be one of them.
const OFFICIAL_ROLES: &[&str] = &[
    "admin",
    "administrator",
    "founder",
    "kith",
    "mod",
    "moderator",
    "official",
    "security",
    "staff",
    "support",
    "system",
];
/// Prefix of the provisional usernames set at sign-up.
const PROVISIONAL_PREFIX: &str = "member_";

const CURRENT: Sql = sql!("select username from members where id = $1");
const CLAIM: Sql = sql!(
    "insert into usernames (name, member_id) values ($1, $2) on conflict (name) do nothing returning name"
);
const CLAIMED: Sql = sql!("select member_id from usernames where name = $1");
const RELEASE: Sql = sql!("update usernames set released_at = $2 where name = $1");
const UPDATE: Sql = sql!(
    "update members set username = $2, username_chosen_at = $3 where id = $1 and username_chosen_at is null
       and suspended_at is null"
);

/// Query parameters of the availability check.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AvailableQuery {
    /// Username as typed. Accepts any text.
    #[param(example = "ada")]
    pub u: Option<String>,
}

/// Availability of a username.
#[derive(Debug, Serialize, ToSchema)]
pub struct Availability {
    /// Whether the username can be chosen now.
    pub available: bool,
    /// Reason why the username is unavailable; null if it is available.
    #[schema(min_length = 1, max_length = 500)]
    pub message: Option<String>,
}

/// The username to choose.
#[derive(Debug, Deserialize, ToSchema)]
pub struct UsernameChoice {
    /// Username of 3 to 20 letters a-z, digits or underscores. Case, a leading @ and surrounding spaces are
    /// ignored. Misleading names are rejected.
    #[schema(value_type = String, min_length = 3, max_length = 64, pattern = "^[ \\t\\n\\f\\r]*@*[A-Za-z0-9_]{3,20}[ \\t\\n\\f\\r]*$", example = "ada")]
    pub username: Option<String>,
}

/// Checks whether a username can be chosen now. If not, `message` explains why.
#[utoipa::path(get, path = "/api/users/username-available", operation_id = "isUsernameAvailable", tag = "users",
    params(AvailableQuery), responses((status = 200, body = Availability)))]
pub async fn check_username(
    State(state): State<Arc<MembersState>>,
    _auth: AuthenticatedMember,
    Query(query): Query<AvailableQuery>,
) -> Result<Json<Availability>> {
    let error = match parse_username(query.u.as_deref().unwrap_or_default()) {
        Err(error) => Some(error),
        Ok(name) => {
            let db = state.db.reader();
            db.opt(&CLAIMED, params![&name], |_| Ok(username_taken())).await?
        }
    };
    Ok(Json(Availability {
        available: error.is_none(),
        message: error.map(|error| error.message().to_owned()),
    }))
}

/// Sets the username of the authenticated member. Possible only once; links to the provisional username
/// continue to work.
#[utoipa::path(put, path = "/api/users/username", operation_id = "chooseUsername", tag = "users", request_body = UsernameChoice,
    responses((status = 200, body = Me), ChooseUsernameErrors))]
pub async fn choose_username(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Body(body): Body<UsernameChoice>,
) -> Result<Json<Me>> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let name = parse_username(body.username.as_deref().unwrap_or_default())?;
    state.db.write(ChooseUsername { member: auth.member, name, now: state.now() }).await?;
    members::load_me(&state, auth.member).await.map(Json)
}

fn parse_username(typed: &str) -> Result<String> {
    let name = typed.trim_ascii().trim_start_matches('@').to_ascii_lowercase();
    if !is_username(&name) || typed.len() > 64 {
        return Err(invalid_username());
    }
    if is_reserved(&name) || name.starts_with(PROVISIONAL_PREFIX) {
        return Err(username_reserved());
    }
    Ok(name)
}

/// Returns whether a name is reserved or resembles a reserved one: `admin_`, `kith_support`, `0fficial`, `m0d1`.
fn is_reserved(name: &str) -> bool {
    let joined = name.replace('_', "");
    let mut names = [name.trim_matches('_'), joined.as_str()].into_iter();
    let mut parts = name.split('_').chain([joined.as_str()]);
    joined.get(..4).is_some_and(|start| resembles(start, "kith"))
        || names.any(|name| RESERVED.iter().any(|word| matches_with_digits(name, word)))
        || parts.any(contains_role)
}

/// Returns whether a part of a name resembles an official role or its plural, with or without surrounding digits.
fn contains_role(part: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let parts = [part, part.trim_start_matches(is_digit)];
    parts.into_iter().any(resembles_role)
}

fn resembles_role(part: &str) -> bool {
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    // A digit at the end may replace a letter or be an addition: `0fficia1`, `adm1n1`.
    let mut candidates = (letters.len()..=part.len()).filter_map(|end| part.get(..end));
    candidates.any(|text| {
        let singular = text.strip_suffix(['s', '5']).unwrap_or(text);
        let mut words = OFFICIAL_ROLES.iter();
        words.any(|word| resembles(text, word) || resembles(singular, word))
    })
}

/// Returns whether a text equals a word if digits may replace letters and i and l are interchangeable.
fn resembles(text: &str, word: &str) -> bool {
    let fold = |text: &str| text.replace('l', "i");
    matches_with_digits(&fold(text), &fold(word))
}

/// Returns whether a text equals a word if digits may replace letters.
fn matches_with_digits(text: &str, word: &str) -> bool {
    let is_like = |(byte, letter): (u8, u8)| match byte {
        b'0' => letter == b'o',
        b'1' => matches!(letter, b'i' | b'l'),
        b'3' => letter == b'e',
        b'4' => letter == b'a',
        b'5' => letter == b's',
        b'7' => letter == b't',
        _ => byte == letter,
    };
    text.len() == word.len() && text.bytes().zip(word.bytes()).all(is_like)
}

documented_errors!(ChooseUsernameErrors: invalid_username(), username_reserved(), username_taken(), username_already_chosen());

fn invalid_username() -> ApiError {
    ApiError::invalid_field(
        "username",
        "A username has 3 to 20 letters a-z, digits or underscores.",
    )
}

fn username_reserved() -> ApiError {
    ApiError::invalid_field("username", "This username cannot be chosen.")
}

fn username_already_chosen() -> ApiError {
    ApiError::conflict("username_chosen", "You have chosen your username already.")
}

fn username_taken() -> ApiError {
    ApiError::conflict("username_taken", "This username is taken.")
}

struct ChooseUsername {
    member: Id,
    name: String,
    now: Millis,
}

impl kith_db::Write for ChooseUsername {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let read = |row: &kith_db::Row<'_>| row.text(0);
        let provisional = tx.one(&CURRENT, params![self.member.0], read).await?;
        // First, because it locks the member's row: of two concurrent choices one succeeds.
        let parameters = params![self.member.0, &self.name, self.now];
        if tx.exec(&UPDATE, parameters).await? == 0 {
            // Suspended or deleted since authentication: a name claimed now would never be released.
            if !members::is_active_in(tx, self.member).await? {
                return Err(ApiError::unauthorized());
            }
            // A retry of the same choice succeeds.
            let current = tx.one(&CURRENT, params![self.member.0], read).await?;
            return if current == self.name { Ok(()) } else { Err(username_already_chosen()) };
        }
        if tx.opt(&CLAIM, params![&self.name, self.member.0], |_| Ok(())).await?.is_none() {
            return Err(username_taken());
        }
        tx.exec(&RELEASE, params![&provisional, self.now]).await?;
        search_index::index_member(tx, self.member).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: username-form, username-reserved
    #[test]
    fn usernames_are_normalized_or_rejected() {
        assert_eq!(parse_username(" @Ada_1 "), Ok("ada_1".to_owned()));
        for bad in [
            "ab",
            "a".repeat(21).as_str(),
            "a-b-c",
            "äbc",
            "a b",
            "admin",
            "Kith",
            "member_x",
            "",
            "admin_",
            "_admin2",
            "adm1n",
            "0fficia1",
            "kith_support",
            "the_kith_team",
            "kithhelp",
            "ada_moderator",
            "m_o_d",
            "adm1n1",
            "1admin",
            "00mod7",
            "admln",
            "officiai",
            "m0derat0r1",
            "supp0rt1",
            "0fficial1",
            "0ff1c1a1",
            "secur1ty1",
            "5taff1",
            "s7aff",
            "sy5tem1",
            "m0d1",
            "f0under1",
            "ad_m1n1",
            "4dmin",
            "admins",
            "4dm1n5",
            "moderators",
            "moderators2",
            "ada_mods",
        ] {
            assert!(parse_username(bad).is_err(), "{bad}");
        }
        for good in [
            "ada_1",
            "modern",
            "staffan",
            "badmin",
            "systematic",
            "1337",
            "helper",
            "ali",
            "mode1",
            "modest",
            "adam1",
            "fia_1",
            "user1",
        ] {
            assert_eq!(parse_username(good), Ok(good.to_owned()));
        }
    }
}
