//! Renders invite mails and the operator's test mail.

use crate::mail::Mail;
use crate::mail::rendered::build_mail;
use maud::html;

/// Renders the mail with an invite code to an admitted waitlist entry.
#[must_use]
pub fn render_invite_mail(to: &str, site: &str, code: &str) -> Mail {
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
    build_mail(to, subject, text, &main, site)
}

/// Renders the test mail of the doctor command.
#[must_use]
pub fn render_test_mail(to: &str, site: &str) -> Mail {
    let words = "This mail shows that Kith can send mail. There is nothing to do.";
    let subject = "Kith test email";
    let main = html! { h1 { "Mail works" } p { (words) } p { small { (site) } } };
    build_mail(to, subject, format!("{words}\n\n{site}\n"), &main, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_html_contain_the_code_and_url() {
        let mail = render_invite_mail("a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for text in [&mail.text, &mail.html] {
            assert!(text.contains("ABCDEFGHJKMN") && text.contains("https://kith.example"));
        }
    }

    /// proves: mail-invited
    #[test]
    fn an_invite_mail_explains_how_to_join() {
        let mail = render_invite_mail("a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for sentence in [
            "Your spot is ready:\nhttps://kith.example",
            "Choose Login, then enter this invite code and your email address:\nABCDEFGHJKMN",
            "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.",
        ] {
            assert!(mail.text.contains(sentence), "{}", mail.text);
        }
    }
}
