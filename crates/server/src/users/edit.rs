//! Changing one's own profile.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::ids::Id;
use crate::openapi::refusals;
use crate::session::Session;
use crate::text;
use crate::users::{self, Me};
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::Deserialize;
use url::Url;
use utoipa::ToSchema;

const UPDATE: Sql = sql!(
    "update members set display_name = coalesce($2, display_name), bio = coalesce($3, bio),
       website = coalesce($4, website) where id = $1"
);

/// The parts to change; what is absent or null stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileUpdate {
    /// After cleaning 1 to 50 characters as people count them (grapheme clusters), in at most 500 bytes.
    #[schema(min_length = 1, max_length = 500, example = "Ada")]
    pub display_name: Option<String>,
    /// After cleaning at most 160 characters as people count them (grapheme clusters), in at most 1,600 bytes.
    #[schema(max_length = 1600, example = "Writes the first programs.")]
    pub bio: Option<String>,
    /// An http or https address, of which `https://` may be left away, or empty.
    #[schema(max_length = 200, example = "https://ada.example")]
    pub website: Option<String>,
}

refusals!(BadProfile: bad_name(), bad_bio(), bad_website());

/// Changes my display name, bio or website. What is absent or null stays as it is.
#[utoipa::path(put, path = "/api/users/profile", operation_id = "updateProfile", tag = "users", request_body = ProfileUpdate,
    responses((status = 200, body = Me), BadProfile))]
pub async fn update(
    State(app): State<App>,
    session: Session,
    Body(body): Body<ProfileUpdate>,
) -> Result<Json<Me>> {
    let update = Update {
        member: session.member,
        display_name: body
            .display_name
            .as_deref()
            .map(check_display_name)
            .transpose()?,
        bio: body.bio.as_deref().map(check_bio).transpose()?,
        website: body.website.as_deref().map(check_website).transpose()?,
    };
    app.db.write(update).await?;
    users::me(&app, session.member).await.map(Json)
}

fn check_display_name(typed: &str) -> Result<String> {
    let name = text::clean_line(typed);
    let long = typed.chars().count() > 500 || text::length(&name) > 50 || name.len() > 500;
    if text::is_blank(&name) || long {
        return Err(bad_name());
    }
    Ok(name)
}

fn bad_name() -> ApiError {
    ApiError::invalid("displayName", "A display name has 1 to 50 characters.")
}

fn bad_bio() -> ApiError {
    ApiError::invalid("bio", "A bio can have at most 160 characters.")
}

fn bad_website() -> ApiError {
    ApiError::invalid(
        "website",
        "Please enter a web address such as https://example.org.",
    )
}

fn check_bio(typed: &str) -> Result<String> {
    let bio = text::clean(typed);
    if typed.chars().count() > 1_600 || text::length(&bio) > 160 || bio.len() > 1_600 {
        return Err(bad_bio());
    }
    Ok(if text::is_blank(&bio) {
        String::new()
    } else {
        bio
    })
}

/// A web address in its normal form; a bare host gets `https://`.
fn check_website(typed: &str) -> Result<String> {
    if typed.chars().count() > 200 {
        return Err(bad_website());
    }
    let typed = text::clean_line(typed);
    if typed.is_empty() {
        return Ok(typed);
    }
    let full = if typed.contains("://") {
        typed
    } else {
        format!("https://{typed}")
    };
    let url = Url::parse(&full).map_err(|_| bad_website())?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none();
    let host = url.host_str().is_some_and(|host| host.contains('.'));
    if !plain || !host || url.as_str().len() > 200 {
        return Err(bad_website());
    }
    Ok(url.into())
}

struct Update {
    member: Id,
    display_name: Option<String>,
    bio: Option<String>,
    website: Option<String>,
}

impl kith_db::Write for Update {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let bound = params![
            self.member.0,
            self.display_name.as_deref(),
            self.bio.as_deref(),
            self.website.as_deref(),
        ];
        tx.exec(&UPDATE, bound).await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn websites_are_web_addresses() {
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
        ] {
            assert!(check_website(bad).is_err(), "{bad}");
        }
        assert!(check_website(&format!("https://example.org/{}", "a".repeat(200))).is_err());
    }

    #[test]
    fn names_and_bios_are_counted_as_people_count() {
        assert!(check_display_name(&"é".repeat(50)).is_ok());
        assert!(check_display_name(&"a".repeat(51)).is_err());
        assert!(check_display_name("\u{200b} ").is_err());
        assert!(check_bio(&"a".repeat(160)).is_ok() && check_bio(&"a".repeat(161)).is_err());
        assert_eq!(check_bio(" \u{200b} "), Ok(String::new()));
    }
}
