//! Rendered mail, and the result of rendering the mail of a job.

use crate::clock::Millis;
use crate::mail::Language;
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
    /// URL to which a mail program posts if the recipient wants no more of these mails (RFC 8058).
    pub unsubscribe: Option<String>,
}

const STYLE: &str = ":root{color-scheme:light dark}body{margin:0;background:#faf8f4;color:#2b2622}\
    main{max-width:32rem;margin:0 auto;padding:2.5rem 1.5rem;font:16px/1.5 Figtree,'Segoe UI',Helvetica,Arial,sans-serif}\
    h1{font:400 28px/1.2 Georgia,serif;margin:0 0 1rem}a.go{display:inline-block;background:#b4491f;color:#fff;\
    padding:.75rem 1.5rem;border-radius:999px;text-decoration:none;font-weight:600}\
    .code{font:600 22px/1 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.15em}small{color:#6f665f}\
    @media(prefers-color-scheme:dark){body{background:#171310;color:#efebe4}small{color:#b3aaa0}a{color:#f0a27c}a.go{color:#fff}}";

/// Returns the last line of each mail.
pub(super) const fn signature(language: Language) -> &'static str {
    match language {
        Language::English => "Kith · The human network",
        Language::German => "Kith · Das menschliche Netzwerk",
    }
}

/// Builds a mail and wraps the content in the styled HTML page.
pub(super) fn build_mail(
    language: Language,
    to: &str,
    subject: &str,
    text: String,
    main: &Markup,
    link: &str,
) -> Mail {
    let html = html! {
        (DOCTYPE)
        html lang=(language.tag()) {
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
        unsubscribe: None,
    }
}

/// Mail of a job, or the reason to send none now.
#[derive(Debug)]
pub enum RenderedMail {
    /// Send this mail now.
    Mail(Mail),
    /// Delay the job until this time.
    NotBefore(Millis),
    /// Delete the job, because its mail is obsolete.
    Obsolete,
}

impl From<Option<Mail>> for RenderedMail {
    fn from(mail: Option<Mail>) -> Self {
        mail.map_or(Self::Obsolete, Self::Mail)
    }
}
