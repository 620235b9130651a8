//! Renders mails about email changes and account deletion.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, Recipient};
use jiff::civil::Date;
use maud::html;

/// Renders the confirmation mail to the new email of a member, whose account has none yet if `is_first`.
#[must_use]
pub fn render_new_email_mail(to: Recipient<'_>, link: &str, code: &str, is_first: bool) -> Mail {
    let network = &to.network.name;
    let (subject, title, words) = match to.language {
        Language::English => (
            format!("Confirm your new email address for {network}"),
            "Confirm this email address",
            format!(
                "A {network} member asked to use this email address for their account. Confirm it below."
            ),
        ),
        Language::German => (
            format!("Bestätige deine neue E-Mail-Adresse für {network}"),
            "Bestätige diese E-Mail-Adresse",
            format!(
                "Ein Mitglied von {network} möchte diese E-Mail-Adresse für sein Konto verwenden. Bestätige sie hier."
            ),
        ),
    };
    let (action, or_code, notes) = match to.language {
        Language::English => (
            "Confirm this email address",
            "Or enter this code in your settings:",
            if is_first {
                "The link and code expire in 15 minutes. If you didn't request this, ignore this email."
            } else {
                "The link and code expire in 15 minutes; the current address has to confirm too. If you didn't request this, ignore this email."
            },
        ),
        Language::German => (
            "Diese E-Mail-Adresse bestätigen",
            "Oder gib diesen Code in deinen Einstellungen ein:",
            if is_first {
                "Link und Code gelten 15 Minuten. Wenn du das nicht warst, ignoriere diese E-Mail."
            } else {
                "Link und Code gelten 15 Minuten; auch die bisherige Adresse muss bestätigen. Wenn du das nicht warst, ignoriere diese E-Mail."
            },
        ),
    };
    let signature = to.network.signature(to.language);
    let text = format!(
        "{title}\n\n{words}\n\n{action}:\n{link}\n\n{or_code}\n{code}\n\n{notes}\n\n{signature}\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(link) { (action) } }
        p { (or_code) }
        p.code { (code) }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(to, &subject, text, &main, link)
}

/// Renders the mail to the current email of a member, with links that confirm or cancel an email change.
#[must_use]
pub fn render_current_email_mail(to: Recipient<'_>, new: &str, confirm: &str, undo: &str) -> Mail {
    let network = &to.network.name;
    // Names the new email, to distinguish an attacker's concurrent request from the member's own.
    let (subject, title, words) = match to.language {
        Language::English => (
            format!("Your email address for {network} is about to change"),
            "Your email address is about to change",
            format!(
                "Someone logged in to your {network} account asked to change its email address to {new}. The change takes effect once you confirm it from both addresses."
            ),
        ),
        Language::German => (
            format!("Deine E-Mail-Adresse für {network} soll geändert werden"),
            "Deine E-Mail-Adresse soll geändert werden",
            format!(
                "Jemand, der in deinem Konto bei {network} angemeldet ist, möchte die E-Mail-Adresse in {new} ändern. Die Änderung gilt, sobald du sie von beiden Adressen aus bestätigst."
            ),
        ),
    };
    let (action, undo_action, expires, not_you, undo_effect) = match to.language {
        Language::English => (
            "Confirm the change",
            "This wasn't me",
            "This link expires in 15 minutes.",
            "If this wasn't you",
            ", use the “This wasn't me” link. It cancels the change, or reverses it for up to 7 days afterwards, and logs you out on every device.",
        ),
        Language::German => (
            "Änderung bestätigen",
            "Das war ich nicht",
            "Dieser Link gilt 15 Minuten.",
            "Wenn du das nicht warst",
            ", nimm den Link „Das war ich nicht“. Er bricht die Änderung ab oder macht sie bis zu 7 Tage danach rückgängig und meldet dich auf allen Geräten ab.",
        ),
    };
    let signature = to.network.signature(to.language);
    let text = format!(
        "{title}\n\n{words}\n\n{action}:\n{confirm}\n\n{undo_action}:\n{undo}\n\n{expires} {not_you}{undo_effect}\n\n{signature}\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(confirm) { (action) } }
        p { a href=(undo) { (undo_action) } }
        p { small { (expires) " " strong { (not_you) } (undo_effect) } }
        p { small { (signature) } }
    };
    build_mail(to, &subject, text, &main, confirm)
}

/// Renders the mail that announces an account deletion on a day.
#[must_use]
pub fn render_deletion_mail(to: Recipient<'_>, day: Date, link: &str) -> Mail {
    let network = &to.network.name;
    let (subject, title, words) = match to.language {
        Language::English => (
            format!("Your {network} account will be deleted"),
            "Your account will be deleted",
            format!(
                "On {} your {network} account and everything you posted will be deleted for good. Until then you can log in as always, and keep it.",
                day.strftime("%-d %B %Y")
            ),
        ),
        Language::German => (
            format!("Dein Konto bei {network} wird gelöscht"),
            "Dein Konto wird gelöscht",
            format!(
                "Am {} werden dein Konto bei {network} und alles, was du veröffentlicht hast, endgültig gelöscht. Bis dahin kannst du dich wie immer anmelden und es behalten.",
                day.strftime("%-d.%-m.%Y")
            ),
        ),
    };
    let (action, notes) = match to.language {
        Language::English => (
            "Log in and keep it",
            "If this wasn't you, log in, keep your account, and log out everywhere in your settings.",
        ),
        Language::German => (
            "Anmelden und behalten",
            "Wenn du das nicht warst, melde dich an, behalte dein Konto und melde dich in den Einstellungen überall ab.",
        ),
    };
    let signature = to.network.signature(to.language);
    let text = format!("{title}\n\n{words}\n\n{action}:\n{link}\n\n{notes}\n\n{signature}\n");
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(link) { (action) } }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(to, &subject, text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    #[test]
    fn text_and_html_contain_links_and_codes() {
        let new = render_new_email_mail(
            recipient(Language::English, "a@b.co"),
            "https://kith.example/x?a=1&token=n",
            "ABCDEFGH",
            false,
        );
        assert!(new.text.contains("a=1&token=n") && new.text.contains("ABCDEFGH"));
        assert!(new.html.contains("a=1&amp;token=n") && new.html.contains("ABCDEFGH"));
        let old = render_current_email_mail(
            recipient(Language::English, "a@b.co"),
            "new@b.co",
            "https://kith.example/yes",
            "https://kith.example/no",
        );
        for text in [&old.text, &old.html] {
            assert!(text.contains("email address to new@b.co"));
            assert!(text.contains("example/yes") && text.contains("example/no"));
        }
        let day = jiff::civil::date(2026, 11, 28);
        let deletion = render_deletion_mail(
            recipient(Language::English, "a@b.co"),
            day,
            "https://kith.example/?login=1",
        );
        for text in [&deletion.text, &deletion.html] {
            assert!(text.contains("28 November 2026") && text.contains("?login=1"));
        }
    }

    /// proves: mail-change-new, mail-change-old
    #[test]
    fn an_email_change_is_explained_to_both_emails() {
        let new = render_new_email_mail(
            recipient(Language::English, "new@b.co"),
            "https://kith.example/x",
            "ABCDEFGH",
            false,
        );
        for sentence in [
            "A Kith member asked to use this email address for their account. Confirm it below.",
            "The link and code expire in 15 minutes; the current address has to confirm too. If you didn't request this, ignore this email.",
        ] {
            assert!(new.text.contains(sentence), "{}", new.text);
        }
        let to = recipient(Language::English, "first@b.co");
        let first = render_new_email_mail(to, "https://kith.example/x", "ABCDEFGH", true);
        assert!(!first.text.contains("current address"), "{}", first.text);
        let old = render_current_email_mail(
            recipient(Language::English, "old@b.co"),
            "new@b.co",
            "https://k/yes",
            "https://k/no",
        );
        for sentence in [
            "Someone logged in to your Kith account asked to change its email address to new@b.co. The change takes effect once you confirm it from both addresses.",
            "This link expires in 15 minutes. If this wasn't you, use the “This wasn't me” link. It cancels the change, or reverses it for up to 7 days afterwards, and logs you out on every device.",
        ] {
            assert!(old.text.contains(sentence), "{}", old.text);
        }
        assert!(old.html.contains("<strong>If this wasn't you</strong>"));
    }

    /// proves: mail-language
    #[test]
    fn mails_are_in_german_too() {
        let day = jiff::civil::date(2026, 11, 28);
        let deletion =
            render_deletion_mail(recipient(Language::German, "a@b.co"), day, "https://k/");
        assert!(deletion.text.contains("Am 28.11.2026 werden"), "{}", deletion.text);
        let new = render_new_email_mail(
            recipient(Language::German, "a@b.co"),
            "https://k/x",
            "ABCDEFGH",
            false,
        );
        let old = render_current_email_mail(
            recipient(Language::German, "a@b.co"),
            "new@b.co",
            "https://k/y",
            "https://k/n",
        );
        for mail in [&deletion, &new, &old] {
            assert!(mail.html.contains("<html lang=\"de\">"), "{}", mail.html);
            assert!(mail.text.ends_with("Kith · Das menschliche Netzwerk\n"), "{}", mail.text);
        }
    }
}
