//! Renders login mails as plain text and as HTML with a dark mode.

use crate::mail::rendered::{build_mail, signature};
use crate::mail::{Language, Mail};
use maud::html;

/// Renders the mail with a login link and its code.
#[must_use]
pub fn render_login_mail(
    language: Language,
    to: &str,
    link: &str,
    code: &str,
    is_new: bool,
) -> Mail {
    let (subject, title, action) = match (language, is_new) {
        (Language::English, true) => {
            ("Welcome to Kith: your link to join", "Welcome to Kith", "Join Kith")
        }
        (Language::English, false) => {
            ("Your link to log in to Kith", "Welcome back", "Log in to Kith")
        }
        (Language::German, true) => (
            "Willkommen bei Kith: dein Link zum Mitmachen",
            "Willkommen bei Kith",
            "Bei Kith mitmachen",
        ),
        (Language::German, false) => {
            ("Dein Link zur Anmeldung bei Kith", "Willkommen zurück", "Bei Kith anmelden")
        }
    };
    let (or_code, notes) = match language {
        Language::English => (
            "Or enter this code where you requested the link:",
            "The link and code work once and expire in 15 minutes. If you didn't request this email, you can safely ignore it.",
        ),
        Language::German => (
            "Oder gib diesen Code dort ein, wo du den Link angefordert hast:",
            "Link und Code gelten einmal und 15 Minuten lang. Wenn du diese E-Mail nicht angefordert hast, kannst du sie ignorieren.",
        ),
    };
    let signature = signature(language);
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
    build_mail(language, to, subject, text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: mail-login
    #[test]
    fn text_and_html_contain_the_link_and_code() {
        let mail = render_login_mail(
            Language::English,
            "a@b.co",
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
