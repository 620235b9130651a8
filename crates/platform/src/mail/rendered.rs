//! Rendered mail, and the result of rendering the mail of a job.

use crate::clock::Millis;
use crate::mail::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Name of a network whose operator chose none.
pub const DEFAULT_NAME: &str = "Kith";

/// The network as its mails name it.
#[derive(Debug, Clone)]
pub struct MailIdentity {
    /// Name of the network.
    pub name: String,
    /// Headline that the operator wrote; `None` for the default in the language of the mail.
    pub headline: Option<String>,
    /// Language of recipients who chose none.
    pub language: Language,
}

impl Default for MailIdentity {
    fn default() -> Self {
        Self { name: DEFAULT_NAME.to_owned(), headline: None, language: Language::English }
    }
}

impl MailIdentity {
    /// Returns the last line of each mail.
    pub(super) fn signature(&self, language: Language) -> String {
        let headline = self.headline.as_deref().unwrap_or(match language {
            Language::English => "The human network",
            Language::German => "Das menschliche Netzwerk",
        });
        format!("{} · {headline}", self.name)
    }
}

/// Recipient of a mail that is to be rendered.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// Canonical email.
    pub email: &'a str,
    /// Language of the mail.
    pub language: Language,
    /// The network that sends the mail.
    pub network: &'a MailIdentity,
}

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

/// Builds a mail and wraps the content in the styled HTML page.
pub(super) fn build_mail(
    to: Recipient<'_>,
    subject: &str,
    text: String,
    main: &Markup,
    link: &str,
) -> Mail {
    let html = html! {
        (DOCTYPE)
        html lang=(to.language.tag()) {
            head { meta charset="utf-8"; meta name="color-scheme" content="light dark"; title { (subject) } style { (PreEscaped(STYLE)) } }
            body { main { (main) } }
        }
    };
    Mail {
        to: to.email.to_owned(),
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::LazyLock;

    static KITH: LazyLock<MailIdentity> = LazyLock::new(MailIdentity::default);

    /// Returns the recipient of a mail from a network with the default texts.
    pub(crate) fn recipient(language: Language, email: &str) -> Recipient<'_> {
        Recipient { email, language, network: &KITH }
    }

    #[test]
    fn the_last_line_has_the_name_and_the_headline_of_the_network() {
        assert_eq!(KITH.signature(Language::English), "Kith · The human network");
        assert_eq!(KITH.signature(Language::German), "Kith · Das menschliche Netzwerk");
        let headline = Some("Caw".to_owned());
        let own = MailIdentity { name: "Rookery".to_owned(), headline, ..MailIdentity::default() };
        assert_eq!(own.signature(Language::German), "Rookery · Caw");
    }
}
