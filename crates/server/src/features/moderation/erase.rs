//! Erases a deleted member from reports and notices. The audit log keeps its rows, which contain member ids only.

use crate::features::moderation::{notices, pinned_images};
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Maximum cases changed per transaction, and maximum reports.
const BATCH_SIZE: u32 = 100;

const CASES: Sql =
    sql!("select target_id, id from report_cases where member_id = $1 order by id limit $2");
const DELETE_REPORTS: Sql = sql!("delete from reports where case_id = $1");
const DELETE_EVIDENCE: Sql = sql!("delete from case_evidence where case_id = $1");
const DELETE_CASE: Sql = sql!(
    "delete from report_cases where target_id = $1 and id = $2
     returning case when closed_id is null then held_images end"
);
const SENT_REPORTS: Sql =
    sql!("select case_id, id from reports where reporter_id = $1 order by case_id limit $2");
// The negative report id belongs to no member and is unique in the case.
const UNLINK_REPORTER: Sql =
    sql!("update reports set reporter_id = $3 where case_id = $1 and reporter_id = $2");
const CLEAR_DECIDER: Sql = sql!("update report_cases set closed_by = null where closed_by = $1");

/// Deletes a batch of cases about a member and of the member's notices, and unlinks the member from sent reports, closed
/// cases and notices to others. Returns the number of changed rows, 0 when nothing is left.
pub async fn erase_reports(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let parameters = params![member.0, BATCH_SIZE];
    let cases = tx.all(&CASES, parameters, |row| Ok((row.int(0)?, row.int(1)?)));
    let cases = cases.await?;
    for (target, case) in &cases {
        // Deletes the case first, which waits for concurrent reports of it.
        let parameters = params![*target, *case];
        let pinned = tx.opt(&DELETE_CASE, parameters, |row| row.opt_text(0)).await?;
        tx.exec(&DELETE_REPORTS, params![*case]).await?;
        tx.exec(&DELETE_EVIDENCE, params![*case]).await?;
        pinned_images::unpin(tx, pinned.flatten().as_deref(), now).await?;
    }
    let sent = tx.all(&SENT_REPORTS, parameters, |row| Ok((row.int(0)?, row.int(1)?)));
    let sent = sent.await?;
    for (case, report) in &sent {
        let parameters = params![*case, member.0, -*report];
        tx.exec(&UNLINK_REPORTER, parameters).await?;
    }
    let closed = tx.exec(&CLEAR_DECIDER, params![member.0]).await?;
    let notices = notices::erase(tx, member, BATCH_SIZE).await?;
    Ok((cases.len() + sent.len()) as u64 + closed + notices)
}
