//! Renders mails about sanctions and objections to them.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, Recipient};
use jiff::civil::Date;
use maud::html;

/// Sanction that a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SanctionType {
    /// A post was removed.
    PostRemoved,
    /// The member was suspended.
    Suspended,
    /// The member's invites were frozen.
    InvitesFrozen,
}

/// Decision about an objection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectionOutcome {
    /// The sanction was lifted.
    Accepted,
    /// The moderators agree, but the text of the post was deleted before.
    AcceptedTooLate,
    /// The sanction stays.
    Rejected,
}

/// Content of the mail about a sanction.
#[derive(Debug)]
pub struct NoticeMail<'a> {
    /// Kind of sanction.
    pub sanction: SanctionType,
    /// Rule that was broken; may be empty.
    pub rule: &'a str,
    /// Message of the moderator; may be empty.
    pub message: &'a str,
    /// Day on which the sanction ends by itself, in UTC.
    pub ends_at: Option<Date>,
    /// URL of the notice, where the member can object.
    pub link: &'a str,
}

/// Renders the mail about a sanction.
#[must_use]
pub fn render_notice_mail(to: Recipient<'_>, notice: &NoticeMail<'_>) -> Mail {
    let network = &to.network.name;
    let (title, effect) = describe(to, notice.sanction);
    let (rule_label, message_label, action, objection) = match to.language {
        Language::English => (
            "Rule",
            "Message from the moderators",
            "Read the notice, or object",
            "You can object once. If possible, another moderator decides.",
        ),
        Language::German => (
            "Regel",
            "Nachricht der Moderation",
            "Mitteilung lesen oder widersprechen",
            "Du kannst einmal widersprechen. Darüber entscheidet möglichst jemand anderes aus der Moderation.",
        ),
    };
    let end = notice.ends_at.map(|day| match to.language {
        Language::English => format!("This ends on {}.", day.strftime("%-d %B %Y")),
        Language::German => format!("Das endet am {}.", day.strftime("%-d.%-m.%Y")),
    });
    let paragraphs = [
        Some(effect),
        end,
        (!notice.rule.is_empty()).then(|| format!("{rule_label}: {}", notice.rule)),
        (!notice.message.is_empty()).then(|| format!("{message_label}: {}", notice.message)),
    ];
    let paragraphs = paragraphs.into_iter().flatten().collect::<Vec<_>>();
    let subject = format!("{title} – {network}");
    build(to, &subject, title, &paragraphs, action, notice.link, objection)
}

/// Renders the mail with the decision about an objection, and the moderator's answer, which may be empty.
#[must_use]
pub fn render_objection_mail(
    to: Recipient<'_>,
    sanction: SanctionType,
    outcome: ObjectionOutcome,
    answer: &str,
    link: &str,
) -> Mail {
    let network = &to.network.name;
    let (accepted, rejected) = match to.language {
        Language::English => ("Your objection was accepted", "Your objection was rejected"),
        Language::German => {
            ("Dein Widerspruch war erfolgreich", "Dein Widerspruch wurde abgelehnt")
        }
    };
    let (title, decision) = match (to.language, outcome) {
        (_, ObjectionOutcome::Accepted) => (accepted, describe_lifted(to, sanction)),
        (Language::English, ObjectionOutcome::AcceptedTooLate) => (
            accepted,
            "The moderators agree with you, but the text of your post was already deleted.",
        ),
        (Language::German, ObjectionOutcome::AcceptedTooLate) => (
            accepted,
            "Die Moderation gibt dir recht, aber der Text deines Beitrags war schon gelöscht.",
        ),
        (Language::English, ObjectionOutcome::Rejected) => {
            (rejected, "The moderators have reviewed their decision, and it stays as it is.")
        }
        (Language::German, ObjectionOutcome::Rejected) => {
            (rejected, "Die Moderation hat die Entscheidung geprüft und bleibt bei ihr.")
        }
    };
    let (answer_label, action) = match to.language {
        Language::English => ("Message from the moderators", "Read the notice"),
        Language::German => ("Nachricht der Moderation", "Mitteilung lesen"),
    };
    let answer = (!answer.is_empty()).then(|| format!("{answer_label}: {answer}"));
    let paragraphs = [Some(decision.to_owned()), answer].into_iter().flatten().collect::<Vec<_>>();
    build(to, &format!("{title} – {network}"), title, &paragraphs, action, link, "")
}

/// Returns the title and the effect of a sanction.
fn describe(to: Recipient<'_>, sanction: SanctionType) -> (&'static str, String) {
    let network = &to.network.name;
    match (to.language, sanction) {
        (Language::English, SanctionType::PostRemoved) => (
            "One of your posts was removed",
            format!("The moderators of {network} removed one of your posts."),
        ),
        (Language::English, SanctionType::Suspended) => (
            "Your account is suspended",
            format!(
                "The moderators of {network} suspended your account. You can't log in for now, and other members don't see your posts."
            ),
        ),
        (Language::English, SanctionType::InvitesFrozen) => (
            "Your invites are frozen",
            format!(
                "The moderators of {network} froze your invites. Your codes can't be used for now, and you can't create new ones."
            ),
        ),
        (Language::German, SanctionType::PostRemoved) => (
            "Einer deiner Beiträge wurde entfernt",
            format!("Die Moderation von {network} hat einen deiner Beiträge entfernt."),
        ),
        (Language::German, SanctionType::Suspended) => (
            "Dein Konto ist gesperrt",
            format!(
                "Die Moderation von {network} hat dein Konto gesperrt. Du kannst dich vorerst nicht anmelden, und andere Mitglieder sehen deine Beiträge nicht."
            ),
        ),
        (Language::German, SanctionType::InvitesFrozen) => (
            "Deine Einladungen sind eingefroren",
            format!(
                "Die Moderation von {network} hat deine Einladungen eingefroren. Deine Codes gelten vorerst nicht, und du kannst keine neuen erstellen."
            ),
        ),
    }
}

/// Returns what an accepted objection means.
fn describe_lifted(to: Recipient<'_>, sanction: SanctionType) -> &'static str {
    match (to.language, sanction) {
        (Language::English, SanctionType::PostRemoved) => "Your post is back.",
        (Language::English, SanctionType::Suspended) => {
            "Your suspension is lifted, and you can log in again."
        }
        (Language::English, SanctionType::InvitesFrozen) => "Your invites work again.",
        (Language::German, SanctionType::PostRemoved) => "Dein Beitrag wird wieder angezeigt.",
        (Language::German, SanctionType::Suspended) => {
            "Deine Sperre ist aufgehoben, und du kannst dich wieder anmelden."
        }
        (Language::German, SanctionType::InvitesFrozen) => {
            "Deine Einladungen funktionieren wieder."
        }
    }
}

fn build(
    to: Recipient<'_>,
    subject: &str,
    title: &str,
    paragraphs: &[String],
    action: &str,
    link: &str,
    notes: &str,
) -> Mail {
    let signature = to.network.signature(to.language);
    let notes_text = if notes.is_empty() { String::new() } else { format!("{notes}\n\n") };
    let text = format!(
        "{title}\n\n{}\n\n{action}:\n{link}\n\n{notes_text}{signature}\n",
        paragraphs.join("\n\n")
    );
    let lines = paragraphs.iter().flat_map(|paragraph| paragraph.lines());
    let main = html! {
        h1 { (title) }
        @for line in lines.filter(|line| !line.trim().is_empty()) { p { (line) } }
        p { a.go href=(link) { (action) } }
        @if !notes.is_empty() { p { small { (notes) } } }
        p { small { (signature) } }
    };
    build_mail(to, subject, text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    const LINK: &str = "https://kith.example/notice#token";

    /// proves: notice-mail
    #[test]
    fn a_notice_has_the_rule_the_message_the_end_and_the_link() {
        let notice = NoticeMail {
            sanction: SanctionType::Suspended,
            rule: "Be kind.",
            message: "You insulted <Ada>.",
            ends_at: Some(jiff::civil::date(2026, 12, 5)),
            link: LINK,
        };
        let mail = render_notice_mail(recipient(Language::English, "a@b.co"), &notice);
        assert_eq!(mail.subject, "Your account is suspended – Kith");
        for sentence in [
            "This ends on 5 December 2026.",
            "Rule: Be kind.",
            "Message from the moderators: You insulted <Ada>.",
            LINK,
            "You can object once.",
        ] {
            assert!(mail.text.contains(sentence), "{sentence}: {}", mail.text);
        }
        assert!(mail.html.contains("You insulted &lt;Ada&gt;."));
        let mail = render_notice_mail(recipient(Language::German, "a@b.co"), &notice);
        assert!(mail.text.contains("Das endet am 5.12.2026."), "{}", mail.text);
    }

    /// proves: notice-mail
    #[test]
    fn empty_fields_of_a_notice_are_left_out() {
        let notice = NoticeMail {
            sanction: SanctionType::PostRemoved,
            rule: "",
            message: "",
            ends_at: None,
            link: LINK,
        };
        let mail = render_notice_mail(recipient(Language::English, "a@b.co"), &notice);
        for label in ["Rule:", "Message from", "This ends"] {
            assert!(!mail.text.contains(label), "{}", mail.text);
        }
    }

    /// proves: objection-mail
    #[test]
    fn the_decision_about_an_objection_is_mailed() {
        let to = recipient(Language::English, "a@b.co");
        let mail = render_objection_mail(
            to,
            SanctionType::PostRemoved,
            ObjectionOutcome::Accepted,
            "Sorry.",
            LINK,
        );
        assert_eq!(mail.subject, "Your objection was accepted – Kith");
        assert!(mail.text.contains("Your post is back.\n\nMessage from the moderators: Sorry."));
        let to = recipient(Language::German, "a@b.co");
        let mail = render_objection_mail(
            to,
            SanctionType::Suspended,
            ObjectionOutcome::Rejected,
            "",
            LINK,
        );
        assert!(mail.text.contains("bleibt bei ihr"), "{}", mail.text);
        assert!(!mail.text.contains("Nachricht"), "{}", mail.text);
    }
}
