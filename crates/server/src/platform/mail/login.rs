//! Renders login mails as plain text and as HTML with a dark mode.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Rendered mail to one recipient.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Canonical email of the recipient.
    pub to: String,
    /// Subject line.
    pub subject: String,
    /// Plain text body.
    pub text: String,
    /// HTML body with equal content.
    pub html: String,
    /// Main URL of the mail, printed for operators without a mail server.
    pub link: String,
}

const STYLE: &str = ":root{color-scheme:light dark}body{margin:0;background:#faf8f4;color:#2b2622}\
    main{max-width:32rem;margin:0 auto;padding:2.5rem 1.5rem;font:16px/1.5 Figtree,'Segoe UI',Helvetica,Arial,sans-serif}\
    h1{font:400 28px/1.2 Georgia,serif;margin:0 0 1rem}a.go{display:inline-block;background:#b4491f;color:#fff;\
    padding:.75rem 1.5rem;border-radius:999px;text-decoration:none;font-weight:600}\
    .code{font:600 22px/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.15em}small{color:#6f665f}\
    @media(prefers-color-scheme:dark){body{background:#171310;color:#efebe4}small{color:#b3aaa0}a{color:#f0a27c}a.go{color:#fff}}";

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

/// Builds a mail and wraps the content in the styled HTML page.
pub(super) fn build_mail(to: &str, subject: &str, text: String, main: &Markup, link: &str) -> Mail {
    let html = html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; meta name="color-scheme" content="light dark"; title { (subject) } style { (PreEscaped(STYLE)) } }
            body { main { (main) } }
        }
    };
    Mail {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text,
        html: html.into_string(),
        link: link.to_owned(),
    }
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
