//! Mails about a member's own account.

use crate::mail::Letter;
use crate::mail::letter::letter;
use maud::html;

/// The mail to the new address of a member.
#[must_use]
pub fn new_address_letter(to: &str, link: &str, code: &str) -> Letter {
    let title = "Confirm this address";
    let words = "A member of Kith wants to log in with this address from now on.";
    let notes = "The link and the code work for 15 minutes. The old address must confirm as well. If you did not ask for this, ignore this mail: nothing happens without a click.";
    let text = format!(
        "{title}\n\n{words}\n\nConfirm this address:\n{link}\n\nOr type this code in your settings:\n{code}\n\n{notes}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(link) { "Confirm this address" } }
        p { "Or type this code in your settings:" }
        p.code { (code) }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    letter(to, "Confirm your new address for Kith", text, &main, link)
}

/// The mail to the old address of a member: to confirm, and to call it off.
#[must_use]
pub fn old_address_letter(to: &str, new: &str, confirm: &str, undo: &str) -> Letter {
    let title = "Your address is about to change";
    // Which one: two wishes at once, one of them a thief's, must not read alike.
    let words = format!(
        "Somebody who is logged in to your Kith account asked to use {new} instead of this address. It changes once both have confirmed."
    );
    let notes = "The confirmation works for 15 minutes. \"This was not me\" calls the change off, within 7 days also after it was made, and logs all devices out.";
    let text = format!(
        "{title}\n\n{words}\n\nConfirm the change:\n{confirm}\n\nThis was not me:\n{undo}\n\n{notes}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { (words) }
        p { a.go href=(confirm) { "Confirm the change" } }
        p { a href=(undo) { "This was not me" } }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    let subject = "Your address for Kith is about to change";
    letter(to, subject, text, &main, confirm)
}

/// The mail that tells when an account will be deleted.
#[must_use]
pub fn leaving_letter(to: &str, day: &str, link: &str) -> Letter {
    let title = "Your account will be deleted";
    let words = format!(
        "On {day} your Kith account and everything you posted will be deleted for good. Until then you can log in as always, and keep it."
    );
    let notes =
        "If this was not you, log in, keep your account, and log out everywhere in your settings.";
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
    letter(to, "Your Kith account will be deleted", text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_carry_what_matters() {
        let new = new_address_letter("a@b.co", "https://kith.example/x?a=1&token=n", "ABCDEFGH");
        assert!(new.text.contains("a=1&token=n") && new.text.contains("ABCDEFGH"));
        assert!(new.html.contains("a=1&amp;token=n") && new.html.contains("ABCDEFGH"));
        let old = old_address_letter(
            "a@b.co",
            "new@b.co",
            "https://kith.example/yes",
            "https://kith.example/no",
        );
        for text in [&old.text, &old.html] {
            assert!(text.contains("use new@b.co instead"));
            assert!(text.contains("example/yes") && text.contains("example/no"));
        }
        let leaving = leaving_letter(
            "a@b.co",
            "28 November 2026",
            "https://kith.example/?login=1",
        );
        for text in [&leaving.text, &leaving.html] {
            assert!(text.contains("28 November 2026") && text.contains("?login=1"));
        }
    }
}
