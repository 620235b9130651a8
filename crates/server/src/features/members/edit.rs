//! Changes the viewer's own profile.

use crate::features::members::MembersState;
use crate::features::members::{self, Me, search_index};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::http::text_limits;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::Deserialize;
use std::sync::Arc;
use url::Url;
use utoipa::ToSchema;

/// Maximum length of a display name, in grapheme clusters.
const MAX_DISPLAY_NAME: usize = 50;
/// Maximum length of a bio, in grapheme clusters.
const MAX_BIO: usize = 160;
/// Maximum length of a website as typed, in code points.
const MAX_WEBSITE: usize = 200;
const BAD_NAME: &str = "A display name has 1 to 50 characters.";
const LONG_BIO: &str = "A bio can have at most 160 characters.";

const UPDATE: Sql = sql!(
    "update members set display_name = coalesce($2, display_name), bio = coalesce($3, bio),
       website = coalesce($4, website) where id = $1 and suspended_at is null"
);

/// The profile fields to change. Absent and null fields remain unchanged.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileUpdate {
    /// Display name, 1 to 50 characters (grapheme clusters) after normalization.
    #[schema(min_length = 1, max_length = 600, example = "Ada")]
    pub display_name: Option<String>,
    /// Bio, at most 160 characters (grapheme clusters) after normalization.
    #[schema(max_length = 1920, example = "Writes the first programs.")]
    pub bio: Option<String>,
    /// Website as an http or https URL, or empty to remove it. `https://` may be omitted.
    #[schema(max_length = 200, example = "https://ada.example")]
    pub website: Option<String>,
}

documented_errors!(UpdateProfileErrors: bad_name(), bad_bio(), bad_website());

/// Updates the display name, bio or website of the authenticated member. Absent and null fields remain
/// unchanged.
#[utoipa::path(put, path = "/api/users/profile", operation_id = "updateProfile", tag = "users", request_body = ProfileUpdate,
    responses((status = 200, body = Me), UpdateProfileErrors))]
pub async fn update_profile(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Body(body): Body<ProfileUpdate>,
) -> Result<Json<Me>> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let update = UpdateProfile {
        member: auth.member,
        display_name: body.display_name.as_deref().map(check_display_name).transpose()?,
        bio: body.bio.as_deref().map(check_bio).transpose()?,
        website: body.website.as_deref().map(check_website).transpose()?,
    };
    state.db.write(update).await?;
    members::load_me(&state, auth.member).await.map(Json)
}

fn check_display_name(typed: &str) -> Result<String> {
    text_limits::check_code_points("displayName", typed, MAX_DISPLAY_NAME)?;
    let name = kith_text::clean_line(typed);
    if kith_text::is_blank(&name) {
        return Err(bad_name());
    }
    text_limits::check_length("displayName", &name, MAX_DISPLAY_NAME, BAD_NAME)?;
    Ok(name)
}

fn bad_name() -> ApiError {
    ApiError::invalid_field("displayName", BAD_NAME)
}

fn bad_bio() -> ApiError {
    ApiError::invalid_field("bio", LONG_BIO)
}

fn bad_website() -> ApiError {
    ApiError::invalid_field("website", "Please enter a web address such as https://example.org.")
}

fn check_bio(typed: &str) -> Result<String> {
    text_limits::check_code_points("bio", typed, MAX_BIO)?;
    let bio = kith_text::clean(typed);
    text_limits::check_length("bio", &bio, MAX_BIO, LONG_BIO)?;
    Ok(if kith_text::is_blank(&bio) { String::new() } else { bio })
}

/// Returns the normalized URL of a website; a bare host gets `https://`.
fn check_website(typed: &str) -> Result<String> {
    if typed.chars().count() > MAX_WEBSITE {
        let message = "A web address can have at most 200 characters.";
        return Err(ApiError::invalid_field("website", message));
    }
    let typed = kith_text::clean_line(typed);
    if typed.is_empty() {
        return Ok(typed);
    }
    let full = if typed.contains("://") { typed } else { format!("https://{typed}") };
    // The URL parser would skip slashes before the host.
    let has_host = full.split_once("://").is_some_and(|(_, rest)| !rest.starts_with(['/', '\\']));
    if !has_host {
        return Err(bad_website());
    }
    let url = Url::parse(&full).map_err(|_| bad_website())?;
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none();
    let has_domain = url.host_str().is_some_and(|host| host.contains('.'));
    if !is_plain || !has_domain || url.as_str().len() > 2_000 {
        return Err(bad_website());
    }
    Ok(url.into())
}

struct UpdateProfile {
    member: Id,
    display_name: Option<String>,
    bio: Option<String>,
    website: Option<String>,
}

impl kith_db::Write for UpdateProfile {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let parameters = params![
            self.member.0,
            self.display_name.as_deref(),
            self.bio.as_deref(),
            self.website.as_deref(),
        ];
        if tx.exec(&UPDATE, parameters).await? == 0 {
            // Deleted since authentication: indexing now would leave search terms that are never removed.
            return Err(ApiError::unauthorized());
        }
        Ok(search_index::index_member(tx, self.member).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: website-rule, website-as-typed
    #[test]
    fn websites_are_http_urls_with_a_domain() {
        for (typed, stored) in [
            ("", ""),
            ("example.org", "https://example.org/"),
            (" http://example.org/a?b#c ", "http://example.org/a?b#c"),
            ("https://müller.example", "https://xn--mller-kva.example/"),
        ] {
            assert_eq!(check_website(typed), Ok(stored.to_owned()));
        }
        for bad in [
            "javascript:alert(1)",
            "ftp://example.org",
            "https://a:b@example.org",
            "https://localhost",
            "not a host",
            "data:text/html,x",
            "//example.com",
            "/example.com",
            r"\\example.com",
            "https:///example.com",
            r"https://\example.com",
        ] {
            assert!(check_website(bad).is_err(), "{bad}");
        }
        assert!(check_website(&format!("https://example.org/{}", "a".repeat(181))).is_err());
        assert!(check_website(&format!("https://example.org/{}", "ä".repeat(180))).is_ok());
    }

    /// proves: bio-length, display-name-length, length-any-script
    #[test]
    fn names_and_bios_are_counted_in_grapheme_clusters() {
        assert!(check_display_name(&"é".repeat(50)).is_ok());
        assert!(check_display_name(&"a".repeat(51)).is_err());
        assert!(check_display_name("\u{200b} ").is_err());
        let family = "👨🏻‍👩🏻‍👧🏻‍👦🏻";
        assert!(check_display_name(&family.repeat(50)).is_ok());
        assert!(check_bio(&family.repeat(160)).is_ok());
        assert!(check_bio(&format!("a{}", "\u{301}".repeat(5_000))).is_err());
        assert!(check_bio(&"a".repeat(160)).is_ok() && check_bio(&"a".repeat(161)).is_err());
        assert_eq!(check_bio(" \u{200b} "), Ok(String::new()));
    }
}
