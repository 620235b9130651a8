//! Renders mails about email changes and account deletion.

use crate::mail::Mail;
use crate::mail::rendered::build_mail;
use maud::html;

/// Renders the confirmation mail to the new email of a member.
#[must_use]
pub fn render_new_email_mail(to: &str, link: &str, code: &str) -> Mail {
    let title = "Confirm this email address";
    let words =
        "A Kith member asked to use this email address for their account. Confirm it below.";
    let notes = "The link and code expire in 15 minutes; the current address has to confirm too. If you didn't request this, ignore this email.";
    let text = format!(
        "{title}\n\n{words}\n\nConfirm this email address:\n{link}\n\nOr enter this code in your settings:\n{code}\n\n{notes}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(link) { "Confirm this email address" } }
        p { "Or enter this code in your settings:" }
        p.code { (code) }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    build_mail(to, "Confirm your new email address for Kith", text, &main, link)
}

/// Renders the mail to the current email of a member, with links that confirm or cancel an email change.
#[must_use]
pub fn render_current_email_mail(to: &str, new: &str, confirm: &str, undo: &str) -> Mail {
    let title = "Your email address is about to change";
    // Names the new email, to distinguish an attacker's concurrent request from the member's own.
    let words = format!(
        "Someone logged in to your Kith account asked to change its email address to {new}. The change takes effect once you confirm it from both addresses."
    );
    let expires = "This link expires in 15 minutes.";
    let not_you = "If this wasn't you";
    let undo_effect = ", use the “This wasn't me” link. It cancels the change, or reverses it for up to 7 days afterwards, and logs you out on every device.";
    let text = format!(
        "{title}\n\n{words}\n\nConfirm the change:\n{confirm}\n\nThis wasn't me:\n{undo}\n\n{expires} {not_you}{undo_effect}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(confirm) { "Confirm the change" } }
        p { a href=(undo) { "This wasn't me" } }
        p { small { (expires) " " strong { (not_you) } (undo_effect) } }
        p { small { "Kith · The human network" } }
    };
    let subject = "Your email address for Kith is about to change";
    build_mail(to, subject, text, &main, confirm)
}

/// Renders the mail that announces an account deletion.
#[must_use]
pub fn render_deletion_mail(to: &str, day: &str, link: &str) -> Mail {
    let title = "Your account will be deleted";
    let words = format!(
        "On {day} your Kith account and everything you posted will be deleted for good. Until then you can log in as always, and keep it."
    );
    let notes =
        "If this wasn't you, log in, keep your account, and log out everywhere in your settings.";
    let text = format!(
        "{title}\n\n{words}\n\nLog in and keep it:\n{link}\n\n{notes}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(link) { "Log in and keep it" } }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    build_mail(to, "Your Kith account will be deleted", text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_html_contain_links_and_codes() {
        let new = render_new_email_mail("a@b.co", "https://kith.example/x?a=1&token=n", "ABCDEFGH");
        assert!(new.text.contains("a=1&token=n") && new.text.contains("ABCDEFGH"));
        assert!(new.html.contains("a=1&amp;token=n") && new.html.contains("ABCDEFGH"));
        let old = render_current_email_mail(
            "a@b.co",
            "new@b.co",
            "https://kith.example/yes",
            "https://kith.example/no",
        );
        for text in [&old.text, &old.html] {
            assert!(text.contains("email address to new@b.co"));
            assert!(text.contains("example/yes") && text.contains("example/no"));
        }
        let deletion =
            render_deletion_mail("a@b.co", "28 November 2026", "https://kith.example/?login=1");
        for text in [&deletion.text, &deletion.html] {
            assert!(text.contains("28 November 2026") && text.contains("?login=1"));
        }
    }

    /// proves: mail-change-new, mail-change-old
    #[test]
    fn an_email_change_is_explained_to_both_emails() {
        let new = render_new_email_mail("new@b.co", "https://kith.example/x", "ABCDEFGH");
        for sentence in [
            "A Kith member asked to use this email address for their account. Confirm it below.",
            "The link and code expire in 15 minutes; the current address has to confirm too. If you didn't request this, ignore this email.",
        ] {
            assert!(new.text.contains(sentence), "{}", new.text);
        }
        let old =
            render_current_email_mail("old@b.co", "new@b.co", "https://k/yes", "https://k/no");
        for sentence in [
            "Someone logged in to your Kith account asked to change its email address to new@b.co. The change takes effect once you confirm it from both addresses.",
            "This link expires in 15 minutes. If this wasn't you, use the “This wasn't me” link. It cancels the change, or reverses it for up to 7 days afterwards, and logs you out on every device.",
        ] {
            assert!(old.text.contains(sentence), "{}", old.text);
        }
        assert!(old.html.contains("<strong>If this wasn't you</strong>"));
    }
}
