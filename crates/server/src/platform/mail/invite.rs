//! Mails without a login link: an invitation, and the operator's test.

use crate::platform::mail::Letter;
use crate::platform::mail::login::letter;
use maud::html;

/// The mail to somebody on the waitlist whose turn it is.
#[must_use]
pub fn invite_letter(to: &str, site: &str, code: &str) -> Letter {
    let steps = ", then enter this invite code and your email address:";
    let notes = "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.";
    let text = format!(
        "You're invited to Kith\n\nYour spot is ready:\n{site}\n\nChoose Login{steps}\n{code}\n\n{notes}\n\nKith · The human network\n"
    );
    let subject = "You're invited to join Kith";
    let main = html! {
        h1 { "You're invited to Kith" }
        p { "Your spot is ready." }
        p { a.go href=(site) { "Go to Kith" } }
        p { "Choose " strong { "Login" } (steps) }
        p.code { (code) }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    letter(to, subject, text, &main, site)
}

/// The mail that shows an operator that mails arrive.
#[must_use]
pub fn test_letter(to: &str, site: &str) -> Letter {
    let words = "This mail shows that Kith can send mail. There is nothing to do.";
    let subject = "Kith test email";
    let main = html! { h1 { "Mail works" } p { (words) } p { small { (site) } } };
    letter(to, subject, format!("{words}\n\n{site}\n"), &main, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_carries_the_code_and_the_address_in_both_forms() {
        let letter = invite_letter("a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for text in [&letter.text, &letter.html] {
            assert!(text.contains("ABCDEFGHJKMN") && text.contains("https://kith.example"));
        }
    }

    /// proves: mail-invited
    #[test]
    fn an_invitation_says_what_to_do() {
        let letter = invite_letter("a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for sentence in [
            "Your spot is ready:\nhttps://kith.example",
            "Choose Login, then enter this invite code and your email address:\nABCDEFGHJKMN",
            "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.",
        ] {
            assert!(letter.text.contains(sentence), "{}", letter.text);
        }
    }
}
