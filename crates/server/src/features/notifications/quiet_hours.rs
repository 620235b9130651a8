//! Quiet hours: local times in which nothing is pushed to a member.

use crate::features::members;
use crate::features::notifications::NotificationsState;
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Body;
use crate::http::openapi::documented_errors;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use crate::platform::rate_limit::MemberAction;
use axum::extract::State;
use axum::http::StatusCode;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

const LOAD: Sql =
    sql!("select starts_at, ends_at, time_zone from quiet_hours where member_id = $1");
const SAVE: Sql = sql!(
    "insert into quiet_hours (member_id, starts_at, ends_at, time_zone) values ($1, $2, $3, $4)
     on conflict (member_id) do update set starts_at = excluded.starts_at,
       ends_at = excluded.ends_at, time_zone = excluded.time_zone"
);
const DELETE: Sql = sql!("delete from quiet_hours where member_id = $1");
/// Maximum length of the name of a time zone.
const MAX_TIME_ZONE: usize = 64;

/// Local times in which nothing is pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuietHours {
    /// Time at which they start.
    #[schema(
        min_length = 5,
        max_length = 5,
        pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        example = "22:00"
    )]
    pub from: String,
    /// Time at which they end, the next day if it is earlier.
    #[schema(
        min_length = 5,
        max_length = 5,
        pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        example = "07:00"
    )]
    pub until: String,
    /// IANA name of the member's time zone.
    #[schema(min_length = 1, max_length = 64, example = "Europe/Berlin")]
    pub time_zone: String,
}

documented_errors!(QuietHoursErrors: bad_time("from"), bad_time("until"), no_time(), bad_time_zone());

fn bad_time(field: &'static str) -> ApiError {
    ApiError::invalid_field(field, "Please enter a time such as 22:00.")
}

fn no_time() -> ApiError {
    ApiError::invalid_field("until", "Quiet hours have to end at another time than they start.")
}

fn bad_time_zone() -> ApiError {
    ApiError::invalid_field("timeZone", "This time zone is not known.")
}

/// Sets the times in which nothing is pushed to the authenticated member.
#[utoipa::path(put, path = "/api/notifications/quiet-hours", operation_id = "setQuietHours", tag = "notifications", request_body = QuietHours,
    responses((status = 204, description = "Set"), QuietHoursErrors))]
pub async fn set_quiet_hours(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
    Body(body): Body<QuietHours>,
) -> Result<StatusCode> {
    state.rate_limiter.check_member(MemberAction::Edit, auth.member)?;
    let starts_at = parse_minutes("from", &body.from)?;
    let ends_at = parse_minutes("until", &body.until)?;
    if starts_at == ends_at {
        return Err(no_time());
    }
    let is_known = body.time_zone.len() <= MAX_TIME_ZONE && TimeZone::get(&body.time_zone).is_ok();
    if !is_known {
        return Err(bad_time_zone());
    }
    let (member, time_zone) = (auth.member, body.time_zone);
    state.db.write(SaveQuietHours { member, starts_at, ends_at, time_zone }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends the quiet hours of the authenticated member. Idempotent.
#[utoipa::path(delete, path = "/api/notifications/quiet-hours", operation_id = "deleteQuietHours", tag = "notifications",
    responses((status = 204, description = "None")))]
pub async fn delete_quiet_hours(
    State(state): State<Arc<NotificationsState>>,
    auth: AuthenticatedMember,
) -> Result<StatusCode> {
    state.db.exec(&DELETE, params![auth.member.0]).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Parses a time such as `22:00` to the minute of the day.
fn parse_minutes(field: &'static str, text: &str) -> Result<i64> {
    // The parser would also take a space for a digit.
    let is_complete = text.len() == 5 && !text.contains(' ');
    let time = Time::strptime("%H:%M", text).ok().filter(|_| is_complete);
    let time = time.ok_or_else(|| bad_time(field))?;
    Ok(i64::from(time.hour()) * 60 + i64::from(time.minute()))
}

fn format_minutes(minutes: i64) -> String {
    format!("{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Loads a member's quiet hours.
pub(super) async fn load_quiet_hours(
    db: &Reader<'_>,
    member: Id,
) -> kith_db::Result<Option<QuietHours>> {
    let hours = load(db, member).await?;
    Ok(hours.map(|(starts_at, ends_at, time_zone)| QuietHours {
        from: format_minutes(starts_at),
        until: format_minutes(ends_at),
        time_zone,
    }))
}

/// Returns the end of the member's quiet hours, if it is quiet now.
pub async fn find_quiet_until(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<Millis>> {
    let hours = load(db, member).await?;
    Ok(hours.and_then(|(starts_at, ends_at, zone)| quiet_until(now, (starts_at, ends_at), &zone)))
}

async fn load(db: &Reader<'_>, member: Id) -> kith_db::Result<Option<(i64, i64, String)>> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.text(2)?));
    db.opt(&LOAD, params![member.0], read).await
}

/// Returns the end of quiet hours, in minutes of the day, that `now` is in. A time zone that is no longer known has
/// none.
fn quiet_until(now: Millis, (starts_at, ends_at): (i64, i64), zone: &str) -> Option<Millis> {
    let zone = TimeZone::get(zone).ok()?;
    let local = Timestamp::from_millisecond(now).ok()?.to_zoned(zone.clone());
    let minute = i64::from(local.hour()) * 60 + i64::from(local.minute());
    let is_over_midnight = starts_at > ends_at;
    let is_quiet = if is_over_midnight {
        minute >= starts_at || minute < ends_at
    } else {
        (starts_at..ends_at).contains(&minute)
    };
    let ends_tomorrow = is_over_midnight && minute >= starts_at;
    let date = local.date().checked_add(i64::from(ends_tomorrow).days()).ok()?;
    let time = Time::midnight().checked_add(ends_at.minutes()).ok()?;
    let end = zone.to_zoned(date.to_datetime(time)).ok()?.timestamp().as_millisecond();
    is_quiet.then_some(end)
}

struct SaveQuietHours {
    member: Id,
    starts_at: i64,
    ends_at: i64,
    time_zone: String,
}

impl kith_db::Write for SaveQuietHours {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        members::ensure_active(tx, self.member).await?;
        let row = params![self.member.0, self.starts_at, self.ends_at, &self.time_zone];
        tx.exec(&SAVE, row).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: push-quiet
    #[test]
    fn quiet_hours_end_at_the_members_local_time() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap().as_millisecond();
        let (night, noon) = ((22 * 60, 7 * 60), (12 * 60, 13 * 60));
        let cases = [
            // Berlin is an hour ahead of UTC in winter.
            ("2026-11-28T20:59:59Z", night, "Europe/Berlin", None),
            ("2026-11-28T21:00:00Z", night, "Europe/Berlin", Some("2026-11-29T06:00:00Z")),
            ("2026-11-29T05:59:59Z", night, "Europe/Berlin", Some("2026-11-29T06:00:00Z")),
            ("2026-11-29T06:00:00Z", night, "Europe/Berlin", None),
            ("2026-11-28T11:59:00Z", noon, "UTC", None),
            ("2026-11-28T12:00:00Z", noon, "UTC", Some("2026-11-28T13:00:00Z")),
            ("2026-11-28T13:00:00Z", noon, "UTC", None),
            // The night in which clocks are set forward is an hour shorter.
            ("2026-03-28T22:00:00Z", night, "Europe/Berlin", Some("2026-03-29T05:00:00Z")),
            ("2026-11-28T23:00:00Z", night, "Nowhere/City", None),
        ];
        for (now, hours, zone, until) in cases {
            assert_eq!(quiet_until(at(now), hours, zone), until.map(at), "{now} {zone}");
        }
    }

    #[test]
    fn times_have_hours_and_minutes() {
        assert_eq!(parse_minutes("from", "22:05"), Ok(1_325));
        assert_eq!(format_minutes(1_325), "22:05");
        for bad in ["", "24:00", "7:00", "07:60", "07:00:00", " 7:00", "0٧:00"] {
            assert!(parse_minutes("from", bad).is_err(), "{bad}");
        }
    }
}
