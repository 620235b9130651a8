//! Changing one's own profile.

use crate::app::App;
use crate::error::{ApiError, Result};
use crate::extract::Body;
use crate::ids::Id;
use crate::session::Session;
use crate::text;
use crate::users::{self, Me, terms};
use axum::Json;
use axum::extract::State;
use kith_db::{Sql, Tx, params, sql};
use serde::Deserialize;
use url::Url;
use utoipa::ToSchema;

/// Bytes of one character: room for the largest emoji.
const LARGEST: usize = 48;

const UPDATE: Sql = sql!(
    "update members set display_name = coalesce($2, display_name), bio = coalesce($3, bio),
       website = coalesce($4, website) where id = $1"
);

/// The parts to change; what is absent or null stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileUpdate {
    /// 1 to 50 characters.
    #[schema(example = "Ada")]
    pub display_name: Option<String>,
    /// At most 160 characters.
    pub bio: Option<String>,
    /// An http or https address of at most 200 characters, or empty.
    #[schema(example = "https://ada.example")]
    pub website: Option<String>,
}

/// Changes my display name, bio or website.
#[utoipa::path(put, path = "/api/users/profile", operation_id = "updateProfile", tag = "users", request_body = ProfileUpdate,
    responses((status = 200, body = Me)))]
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
    let sentence = "A display name has 1 to 50 characters.";
    if text::is_blank(&name) {
        return Err(ApiError::invalid("displayName", sentence));
    }
    text::check_size("displayName", &name, 50, 50 * LARGEST, sentence)?;
    Ok(name)
}

fn check_bio(typed: &str) -> Result<String> {
    let bio = text::clean(typed);
    let sentence = "A bio can have at most 160 characters.";
    text::check_size("bio", &bio, 160, 160 * LARGEST, sentence)?;
    Ok(if text::is_blank(&bio) {
        String::new()
    } else {
        bio
    })
}

/// A web address in its normal form; a bare host gets `https://`.
fn check_website(typed: &str) -> Result<String> {
    let typed = text::clean_line(typed);
    if typed.is_empty() {
        return Ok(typed);
    }
    let refuse = || {
        ApiError::invalid(
            "website",
            "Please enter a web address such as https://example.org.",
        )
    };
    let full = if typed.contains("://") {
        typed
    } else {
        format!("https://{typed}")
    };
    let url = Url::parse(&full).map_err(|_| refuse())?;
    // As typed: what stands in the address bar may be shorter than what is stored.
    text::check_size(
        "website",
        &full,
        200,
        2_000,
        "A web address can have at most 200 characters.",
    )?;
    let plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none();
    let host = url.host_str().is_some_and(|host| host.contains('.'));
    if !plain || !host {
        return Err(refuse());
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
        tx.exec(&UPDATE, bound).await?;
        terms::index(tx, self.member).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: website-rule
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
        assert!(check_website(&format!("https://example.org/{}", "a".repeat(181))).is_err());
        assert!(check_website(&format!("https://example.org/{}", "ä".repeat(180))).is_ok());
    }

    /// proves: bio-length, display-name-length
    #[test]
    fn names_and_bios_are_counted_as_people_count() {
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
