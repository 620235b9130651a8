//! Ends of suspensions and invite freezes: reads them from requests, and lifts sanctions that have reached theirs.

use crate::features::account::deletion;
use crate::features::members::{self, SanctionKind};
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::notices::{self, NoticeKind};
use crate::http::error::{ApiError, Result};
use crate::platform::Platform;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::Tx;
use std::time::Duration;

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_secs(30);
/// Longest sanction with an end: two years, of which one may be a leap year.
const MAX_LENGTH: Millis = 731 * DAY;
/// Maximum sanctions of a kind per read.
const BATCH_SIZE: u32 = 100;
/// Detail of the audit row of a sanction that reached its end.
const EXPIRED: &str = "expired";

pub(super) fn invalid_end() -> ApiError {
    ApiError::invalid_field("until", "Please choose a time within the next two years.")
}

/// Parses the end of a sanction, an RFC 3339 time. Fails unless it is in the future and at most two years away.
pub fn parse_end(typed: Option<&str>, now: Millis) -> Result<Option<Millis>> {
    let Some(typed) = typed else {
        return Ok(None);
    };
    let end = typed.parse::<jiff::Timestamp>().map_err(|_| invalid_end())?;
    check_end(end.as_millisecond(), now).map(Some)
}

/// Returns the end of a sanction if it is in the future and at most two years away.
pub fn check_end(end: Millis, now: Millis) -> Result<Millis> {
    if end <= now || end - now > MAX_LENGTH {
        return Err(invalid_end());
    }
    Ok(end)
}

/// Lifts sanctions that have reached their end until the process ends. Safe to run on several nodes.
pub async fn run_worker(platform: Platform) {
    loop {
        if let Err(error) = lift_ended(&platform).await {
            tracing::warn!(
                error = error.message(),
                "some sanctions that have ended could not be lifted"
            );
        }
        platform.clock.sleep(POLL_INTERVAL).await;
    }
}

/// Lifts all sanctions that have reached their end, each with an audit row.
pub async fn lift_ended(platform: &Platform) -> Result<()> {
    loop {
        let now = platform.now();
        let db = platform.db.reader();
        let ended = members::load_ended_sanctions(&db, now, BATCH_SIZE).await?;
        drop(db);
        if ended.is_empty() {
            return Ok(());
        }
        for (member, lift) in ended {
            platform.db.write(EndSanction { member, lift, now }).await?;
        }
    }
}

/// Transaction that lifts one sanction and writes an audit row, unless it was lifted or extended meanwhile.
struct EndSanction {
    member: Id,
    lift: SanctionKind,
    now: Millis,
}

impl kith_db::Write for EndSanction {
    type Out = ();
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let log = AuditWriter::lock(tx).await?;
        if !members::end_sanction(tx, self.member, self.lift, self.now).await? {
            return Ok(());
        }
        let action = if self.lift == SanctionKind::Unsuspend {
            deletion::resume(tx, self.member, self.now).await?;
            notices::mark_lifted(tx, self.member, NoticeKind::Suspended, self.now).await?;
            AuditAction::Unsuspend
        } else {
            notices::mark_lifted(tx, self.member, NoticeKind::InvitesFrozen, self.now).await?;
            AuditAction::UnfreezeInvites
        };
        let record = AuditRecord {
            member: Some(self.member.0),
            detail: EXPIRED.to_owned(),
            ..AuditRecord::new(self.now, Actor::Operator, action)
        };
        Ok(log.append(tx, &record).await?)
    }
}
