//! Erasing a leaving member from reports. The audit log keeps its rows, which name members by id only.

use crate::features::moderation::pinned_images;
use crate::platform::clock::Millis;
use crate::platform::ids::Id;
use kith_db::{Result, Sql, Tx, params, sql};

/// Rows of a kind that one transaction changes.
const ROWS: u32 = 100;

const CASES: Sql =
    sql!("select target_id, id from report_cases where member_id = $1 order by id limit $2");
const DELETE_REPORTS: Sql = sql!("delete from reports where case_id = $1");
const DELETE_EVIDENCE: Sql = sql!("delete from case_evidence where case_id = $1");
const DELETE_CASE: Sql = sql!(
    "delete from report_cases where target_id = $1 and id = $2
     returning case when closed_id is null then held_images end"
);
const SENT: Sql =
    sql!("select case_id, id from reports where reporter_id = $1 order by case_id limit $2");
// A number that is nobody's, and unlike that of every other report.
const HIDE_SENDER: Sql =
    sql!("update reports set reporter_id = $3 where case_id = $1 and reporter_id = $2");
const FORGET_JUDGE: Sql = sql!("update report_cases set closed_by = null where closed_by = $1");

/// Deletes some cases about a member, and their name from reports they sent and cases they closed; returns how many.
pub async fn leave(tx: &mut Tx, member: Id, now: Millis) -> Result<u64> {
    let bound = params![member.0, ROWS];
    let cases = tx.all(&CASES, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let cases = cases.await?;
    for (target, case) in &cases {
        // The case first: it waits for whoever reports at the same time.
        let bound = params![*target, *case];
        let held = tx.opt(&DELETE_CASE, bound, |row| row.opt_text(0)).await?;
        tx.exec(&DELETE_REPORTS, params![*case]).await?;
        tx.exec(&DELETE_EVIDENCE, params![*case]).await?;
        pinned_images::let_go(tx, held.flatten().as_deref(), now).await?;
    }
    let sent = tx.all(&SENT, bound, |row| Ok((row.int(0)?, row.int(1)?)));
    let sent = sent.await?;
    for (case, report) in &sent {
        let bound = params![*case, member.0, -*report];
        tx.exec(&HIDE_SENDER, bound).await?;
    }
    let closed = tx.exec(&FORGET_JUDGE, params![member.0]).await?;
    Ok((cases.len() + sent.len()) as u64 + closed)
}
