//! Renders login mails as plain text and as HTML with a dark mode.

use crate::mail::rendered::build_mail;
use crate::mail::{Language, Mail, Recipient};
use maud::html;

/// Renders the mail with a login link and its code.
#[must_use]
pub fn render_login_mail(to: Recipient<'_>, link: &str, code: &str, is_new: bool) -> Mail {
    let network = &to.network.name;
    let (subject, title, action) = match (to.language, is_new) {
        (Language::English, true) => (
            format!("Welcome to {network}: your link to join"),
            format!("Welcome to {network}"),
            format!("Join {network}"),
        ),
        (Language::English, false) => (
            format!("Your link to log in to {network}"),
            "Welcome back".to_owned(),
            format!("Log in to {network}"),
        ),
        (Language::German, true) => (
            format!("Willkommen bei {network}: dein Link zum Mitmachen"),
            format!("Willkommen bei {network}"),
            format!("Bei {network} mitmachen"),
        ),
        (Language::German, false) => (
            format!("Dein Link zur Anmeldung bei {network}"),
            "Willkommen zurück".to_owned(),
            format!("Bei {network} anmelden"),
        ),
    };
    let (or_code, notes) = match to.language {
        Language::English => (
            "Or enter this code where you requested the link:",
            "The link and code work once and expire in 15 minutes. If you didn't request this email, you can safely ignore it.",
        ),
        Language::German => (
            "Oder gib diesen Code dort ein, wo du den Link angefordert hast:",
            "Link und Code gelten einmal und 15 Minuten lang. Wenn du diese E-Mail nicht angefordert hast, kannst du sie ignorieren.",
        ),
    };
    let signature = to.network.signature(to.language);
    let text =
        format!("{title}\n\n{action}:\n{link}\n\n{or_code}\n{code}\n\n{notes}\n\n{signature}\n");
    let main = html! {
        h1 { (title) }
        p { a.go href=(link) { (action) } }
        p { (or_code) }
        p.code { (code) }
        p { small { (notes) } }
        p { small { (signature) } }
    };
    build_mail(to, &subject, text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::rendered::tests::recipient;

    /// proves: mail-login
    #[test]
    fn text_and_html_contain_the_link_and_code() {
        let mail = render_login_mail(
            recipient(Language::English, "a@b.co"),
            "https://kith.example/auth/verify?token=x&invite=Y",
            "ABCDEFGH",
            true,
        );
        assert!(
            mail.text.contains("https://kith.example/auth/verify?token=x&invite=Y")
                && mail.text.contains("ABCDEFGH")
        );
        assert!(mail.html.contains("token=x&amp;invite=Y") && mail.html.contains("ABCDEFGH"));
        assert!(!mail.html.contains("<img"));
        for sentence in [
            "Or enter this code where you requested the link:\nABCDEFGH",
            "The link and code work once and expire in 15 minutes. If you didn't request this email, you can safely ignore it.",
        ] {
            assert!(mail.text.contains(sentence), "{}", mail.text);
        }
    }
}
