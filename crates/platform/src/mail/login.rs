//! Renders login mails as plain text and as HTML with a dark mode.

use crate::mail::Mail;
use crate::mail::rendered::build_mail;
use maud::html;

/// Renders the mail with a login link and its code.
#[must_use]
pub fn render_login_mail(to: &str, link: &str, code: &str, is_new: bool) -> Mail {
    let (subject, title, action) = if is_new {
        ("Welcome to Kith: your link to join", "Welcome to Kith", "Join Kith")
    } else {
        ("Your link to log in to Kith", "Welcome back", "Log in to Kith")
    };
    let notes = "The link and code work once and expire in 15 minutes. If you didn't request this email, you can safely ignore it.";
    let text = format!(
        "{title}\n\n{action}:\n{link}\n\nOr enter this code where you requested the link:\n{code}\n\n{notes}\n\nKith · The human network\n"
    );
    let main = html! {
        h1 { (title) }
        p { a.go href=(link) { (action) } }
        p { "Or enter this code where you requested the link:" }
        p.code { (code) }
        p { small { (notes) } }
        p { small { "Kith · The human network" } }
    };
    build_mail(to, subject, text, &main, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: mail-login
    #[test]
    fn text_and_html_contain_the_link_and_code() {
        let mail = render_login_mail(
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
