//! /api/admin/settings/announcement/mails: mails the announcement to all members.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::staff::{self, Admin};
use crate::features::settings;
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, deserialize_integer};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use kith_db::Tx;
use serde::Deserialize;
use utoipa::ToSchema;

/// The announcement to mail.
#[derive(Debug, Deserialize, ToSchema)]
pub struct AnnouncementMails {
    /// `announcementVersion` of the settings: 409 if it is another one by now.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(value_type = i64, minimum = 1, example = 1)]
    version: Option<i64>,
}

documented_errors!(MailAnnouncementErrors: no_version(), announcement_changed(), already_mailed());

fn no_version() -> ApiError {
    ApiError::missing_field("version", "Name the version of the announcement.")
}

fn announcement_changed() -> ApiError {
    let message = "The announcement has changed. Please read it again before you send it.";
    ApiError::conflict("announcement_changed", message)
}

fn already_mailed() -> ApiError {
    ApiError::conflict("announcement_mailed", "This announcement has been sent before.")
}

/// Mails the announcement to all members, each once. Requires the admin role; other members get 404.
#[utoipa::path(post, path = "/api/admin/settings/announcement/mails", operation_id = "mailAnnouncement", tag = "moderation",
    request_body = AnnouncementMails, responses((status = 204, description = "The mails are being sent"), MailAnnouncementErrors))]
pub async fn mail_announcement(
    State(state): State<Platform>,
    Admin(me): Admin,
    Body(body): Body<AnnouncementMails>,
) -> Result<StatusCode> {
    let version = body.version.ok_or_else(no_version)?;
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    state.db.write(BeginMails { admin: me, version, now: state.now() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Transaction that begins the mails, with its audit row.
struct BeginMails {
    admin: Id,
    version: i64,
    now: Millis,
}

impl kith_db::Write for BeginMails {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        let actor = Actor::Member(self.admin);
        staff::ensure_role(tx, actor, Role::Admin).await?;
        let stored = settings::load(&tx.reader()).await?;
        let announcement = stored.announcement();
        let announcement = announcement.filter(|current| current.version == self.version);
        let announcement = announcement.ok_or_else(announcement_changed)?;
        if !settings::begin_mails(tx, &stored, &announcement, self.now).await? {
            return Err(already_mailed());
        }
        let record = AuditRecord::new(self.now, actor, AuditAction::MailAnnouncement);
        log.append(tx, &record).await?;
        Ok(())
    }
}
