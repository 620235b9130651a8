//! Renders invite mails and the operator's test mail.

use crate::mail::rendered::{build_mail, signature};
use crate::mail::{Language, Mail};
use maud::html;

/// Renders the mail with an invite code to an admitted waitlist entry.
#[must_use]
pub fn render_invite_mail(language: Language, to: &str, site: &str, code: &str) -> Mail {
    let (subject, title, ready, go) = match language {
        Language::English => (
            "You're invited to join Kith",
            "You're invited to Kith",
            "Your spot is ready",
            "Go to Kith",
        ),
        Language::German => (
            "Du bist zu Kith eingeladen",
            "Du bist zu Kith eingeladen",
            "Dein Platz ist frei",
            "Zu Kith",
        ),
    };
    let (choose, login, steps, notes) = match language {
        Language::English => (
            "Choose ",
            "Login",
            ", then enter this invite code and your email address:",
            "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.",
        ),
        Language::German => (
            "Wähle ",
            "Anmelden",
            " und gib diesen Einladungscode und deine E-Mail-Adresse ein:",
            "Der Code gilt einmal und 7 Tage lang. Wenn du nicht zu Kith wolltest, kannst du diese E-Mail ignorieren.",
        ),
    };
    let signature = signature(language);
    let text = format!(
        "{title}\n\n{ready}:\n{site}\n\n{choose}{login}{steps}\n{code}\n\n{notes}\n\n{signature}\n"
    );
    let main = html! {
        h1 { (title) }
        p { (ready) "." }
        p { a.go href=(site) { (go) } }
        p { (choose) strong { (login) } (steps) }
        p.code { (code) }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(language, to, subject, text, &main, site)
}

/// Renders the test mail of the doctor command.
#[must_use]
pub fn render_test_mail(to: &str, site: &str) -> Mail {
    let words = "This mail shows that Kith can send mail. There is nothing to do.";
    let subject = "Kith test email";
    let main = html! { h1 { "Mail works" } p { (words) } p { small { (site) } } };
    build_mail(Language::English, to, subject, format!("{words}\n\n{site}\n"), &main, site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_html_contain_the_code_and_url() {
        let mail =
            render_invite_mail(Language::English, "a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for text in [&mail.text, &mail.html] {
            assert!(text.contains("ABCDEFGHJKMN") && text.contains("https://kith.example"));
        }
    }

    /// proves: mail-invited
    #[test]
    fn an_invite_mail_explains_how_to_join() {
        let mail =
            render_invite_mail(Language::English, "a@b.co", "https://kith.example", "ABCDEFGHJKMN");
        for sentence in [
            "Your spot is ready:\nhttps://kith.example",
            "Choose Login, then enter this invite code and your email address:\nABCDEFGHJKMN",
            "The code works once and expires in 7 days. If you didn't ask to join Kith, you can safely ignore this email.",
        ] {
            assert!(mail.text.contains(sentence), "{}", mail.text);
        }
    }
}
