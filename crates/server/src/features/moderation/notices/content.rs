//! Renders the mail of a notice, or of the answer to its objection.

use crate::features::members;
use crate::features::moderation::notices::link;
use crate::features::moderation::notices::store::{self, NoticeKind};
use crate::platform::Platform;
use crate::platform::clock::utc_date;
use crate::platform::ids::Id;
use crate::platform::mail::{
    Mail, MailIdentity, NoticeMail, ObjectionOutcome, Recipient, SanctionType, render_notice_mail,
    render_objection_mail,
};

/// Renders the mail of a job to a member, suspended or not; `None` if the member is deleted or has no email. The job of
/// the notice has the notice's id; another one is about the decision on its objection.
pub(crate) async fn render_mail(
    platform: &Platform,
    network: &MailIdentity,
    (member, notice): (Id, Id),
    job: Id,
) -> kith_db::Result<Option<Mail>> {
    let db = platform.db.reader();
    let Some(row) = store::find(&db, member, notice).await? else {
        return Ok(None);
    };
    let Some(email) = members::load_email(&db, member).await? else {
        return Ok(None);
    };
    let language = members::load_language(&db, member).await?.unwrap_or(network.language);
    let to = Recipient { email: &email, language, network };
    let link = link::notice_url(platform, member, notice);
    let sanction = match row.kind {
        NoticeKind::PostRemoved => SanctionType::PostRemoved,
        NoticeKind::Suspended => SanctionType::Suspended,
        NoticeKind::InvitesFrozen => SanctionType::InvitesFrozen,
    };
    if job != notice {
        let decision = row.objection.and_then(|objection| objection.decision);
        return Ok(decision.map(|(_, is_accepted, answer)| {
            let outcome = match (is_accepted, row.lifted_at) {
                (false, _) => ObjectionOutcome::Rejected,
                (true, Some(_)) => ObjectionOutcome::Accepted,
                (true, None) => ObjectionOutcome::AcceptedTooLate,
            };
            render_objection_mail(to, sanction, outcome, &answer, &link)
        }));
    }
    if row.lifted_at.is_some() {
        return Ok(None);
    }
    let mail = NoticeMail {
        sanction,
        rule: &row.rule,
        message: &row.message,
        ends_at: row.ends_at.map(utc_date),
        link: &link,
    };
    Ok(Some(render_notice_mail(to, &mail)))
}
