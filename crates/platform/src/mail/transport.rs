//! Sends mails by SMTP, or writes them to the outbox folder.

use crate::clock::Millis;
use crate::config::{Settings, is_loopback};
use crate::crypto;
use crate::mail::Mail;
use crate::mail::smtp::{SmtpClient, SmtpError};
use crate::telemetry;
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::extension::ClientId;
use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use url::{Host, Url};

/// Time to send a mail. Together with [`CHECK_TIMEOUT`] it is less than the time for which a worker claims a mail job.
const SEND_TIMEOUT: Duration = Duration::from_secs(40);
/// Time for a connection check.
const CHECK_TIMEOUT: Duration = Duration::from_secs(15);
/// Folder in the data folder that receives mails when no mail server is configured.
const OUTBOX: &str = "outbox";
/// Random bytes in the name of an outbox file or message id.
const NAME_BYTES: usize = 12;
const OUTBOX_PREFIX: &str = "mail-";

/// Configured mail transport.
#[derive(Debug, Clone)]
pub struct Transport {
    from: Mailbox,
    /// Client name in EHLO and message ids. The local host name is private and meaningless to mail servers.
    client_name: ClientId,
    route: Route,
    /// Whether the link of a mail written to the outbox is printed.
    print_links: bool,
}

#[derive(Debug, Clone)]
enum Route {
    Smtp(SmtpClient),
    Outbox(PathBuf),
}

/// Error that decides whether a mail is retried.
#[derive(Debug)]
pub enum SendError {
    /// A retry may succeed.
    Temporary(String),
    /// A retry would fail again.
    Permanent(String),
}

impl Transport {
    /// Validates the mail settings. The error names the invalid setting.
    pub fn check(settings: &Settings) -> Result<(), String> {
        sender(settings)?;
        smtp(settings).map(drop)
    }

    /// Creates the transport from the mail settings. The error names the invalid setting.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let from = sender(settings)?;
        let route = if let Some(smtp) = smtp(settings)? {
            Route::Smtp(smtp)
        } else {
            let folder = settings.store.data.join(OUTBOX);
            kith_storage::create_private_dir(&folder).map_err(|error| {
                format!("KITH_DATA: the outbox {} cannot be created: {error}.", folder.display())
            })?;
            Route::Outbox(folder)
        };
        Ok(Self { from, client_name: client_name(&settings.public_url), route, print_links: false })
    }

    /// Enables printing the link of each mail written to the outbox.
    #[must_use]
    pub fn with_printed_links(self) -> Self {
        Self { print_links: true, ..self }
    }

    /// Connects, encrypts and authenticates as configured. Errors have no full stop.
    pub async fn check_connection(&self) -> Result<(), String> {
        let Route::Smtp(smtp) = &self.route else {
            return Ok(());
        };
        match tokio::time::timeout(CHECK_TIMEOUT, smtp.check_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("it closed the connection".to_owned()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it did not respond in time".to_owned()),
        }
    }

    /// Checks whether the server accepts connections. A status code that rejects a mail permanently can also reject
    /// the client or its password.
    async fn accepts_connections(&self) -> bool {
        self.check_connection().await.is_ok()
    }

    fn message_id(&self) -> String {
        let random = crypto::encode(&crypto::random_bytes()[..NAME_BYTES]);
        format!("<{random}@{}>", self.client_name)
    }

    /// Sends one mail by SMTP, or writes it to the outbox.
    pub async fn send(&self, mail: &Mail) -> Result<(), SendError> {
        let permanent = |error: &dyn std::fmt::Display| SendError::Permanent(error.to_string());
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(mail.to.parse().map_err(|error| permanent(&error))?)
            .subject(&mail.subject)
            .message_id(Some(self.message_id()));
        if let Some(url) = &mail.unsubscribe {
            for header in unsubscribe_headers(url) {
                message = message.raw_header(header);
            }
        }
        let message = message
            .multipart(MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone()))
            .map_err(|error| permanent(&error))?;
        match &self.route {
            Route::Outbox(folder) => {
                write_to_outbox(folder, &message, mail, self.print_links).await
            }
            Route::Smtp(smtp) => {
                let text = message.formatted();
                match smtp.send(message.envelope(), &text, SEND_TIMEOUT).await {
                    Err(error) if is_permanent(&error) && self.accepts_connections().await => {
                        Err(SendError::Permanent(error.log_message()))
                    }
                    sent => sent.map_err(|error| SendError::Temporary(error.log_message())),
                }
            }
        }
    }
}

/// Returns the headers with which mail programs offer to unsubscribe by one click (RFC 8058).
fn unsubscribe_headers(url: &str) -> [HeaderValue; 2] {
    let header = |name, value| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
    [
        header("List-Unsubscribe", format!("<{url}>")),
        header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()),
    ]
}

fn is_permanent(error: &SmtpError) -> bool {
    error.code.is_some_and(is_about_the_mail)
}

/// Checks whether a status code rejects the mail's recipient, size or content, so that a retry would fail again.
/// Errors of credentials, encryption or commands are retried, because the operator can fix them.
fn is_about_the_mail(code: u16) -> bool {
    matches!(code, 501 | 510 | 521 | 541 | 550..=556)
}

fn sender(settings: &Settings) -> Result<Mailbox, String> {
    settings.mail_from.parse().map_err(|error| {
        format!("KITH_MAIL_FROM is not a sender such as \"Kith <kith@example.org>\": {error}.")
    })
}

/// Returns the public host name or IP address; 127.0.0.1 for a public URL on this machine.
fn client_name(public: &Url) -> ClientId {
    match public.host() {
        Some(Host::Domain(name)) if !is_loopback(name) => ClientId::Domain(name.to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        _ => ClientId::Ipv4(Ipv4Addr::LOCALHOST),
    }
}

/// Checks whether a password could be sent to another machine unencrypted. Opportunistic STARTTLS counts as
/// unencrypted, because an attacker can suppress it.
fn exposes_password(smtp_url: &str) -> bool {
    let Ok(url) = Url::parse(smtp_url) else {
        return false;
    };
    let has_password = url.password().is_some() || !url.username().is_empty();
    let is_required = url.query_pairs().any(|(name, value)| name == "tls" && value == "required");
    let is_local = url.host_str().is_some_and(is_loopback);
    has_password && url.scheme() == "smtp" && !is_required && !is_local
}

/// Creates the SMTP client; `None` without a configured mail server.
fn smtp(settings: &Settings) -> Result<Option<SmtpClient>, String> {
    if settings.smtp_url.is_empty() {
        return Ok(None);
    }
    if exposes_password(&settings.smtp_url) {
        return Err(
            "KITH_SMTP_URL would send its password unencrypted: begin it with smtps://, or end it \
             with ?tls=required."
                .to_owned(),
        );
    }
    let client = SmtpClient::new(&settings.smtp_url, client_name(&settings.public_url));
    client.map(Some).map_err(|error| {
        format!(
            "KITH_SMTP_URL is not a URL such as \
             smtp://user:password@mail.example.org:587?tls=required: {error}."
        )
    })
}

/// Writes a mail to the outbox and optionally prints its link.
async fn write_to_outbox(
    folder: &Path,
    message: &Message,
    mail: &Mail,
    print_links: bool,
) -> Result<(), SendError> {
    let random = crypto::encode(&crypto::random_bytes()[..NAME_BYTES]);
    // Programs would take a name that begins with `-` for an option.
    let name = format!("{OUTBOX_PREFIX}{random}");
    let (part, path) = (folder.join(format!("{name}.part")), folder.join(format!("{name}.eml")));
    let written = async {
        tokio::fs::write(&part, message.formatted()).await?;
        // Renames the complete file, so that other programs never read an incomplete mail.
        tokio::fs::rename(&part, &path).await
    };
    written.await.map_err(|error| SendError::Temporary(error.to_string()))?;
    if print_links {
        telemetry::print(&format!("Mail to {}: {}\n", mail.to, mail.link));
    }
    Ok(())
}

/// Checks whether a file name is that of a complete or incomplete outbox mail.
fn is_outbox_name(name: &str) -> bool {
    let name = name.strip_prefix(OUTBOX_PREFIX).unwrap_or(name);
    let stem = name.strip_suffix(".eml").or_else(|| name.strip_suffix(".part"));
    let bytes = stem.and_then(crypto::decode);
    bytes.is_some_and(|bytes| bytes.len() == NAME_BYTES)
}

/// Deletes outbox mails written until `until`. Continues after errors and returns the last one.
pub async fn purge_outbox(data: &Path, until: Millis) -> io::Result<()> {
    let until = UNIX_EPOCH + Duration::from_millis(u64::try_from(until).unwrap_or_default());
    let mut files = match tokio::fs::read_dir(data.join(OUTBOX)).await {
        // With a mail server, the folder is not created.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let mut done = Ok(());
    while let Some(file) = files.next_entry().await? {
        if !file.file_name().to_str().is_some_and(is_outbox_name) {
            continue;
        }
        let deleted = async {
            let metadata = file.metadata().await?;
            if metadata.is_file() && metadata.modified()? <= until {
                tokio::fs::remove_file(file.path()).await?;
            }
            Ok::<_, io::Error>(())
        };
        match deleted.await {
            // Another node may have deleted the file.
            Err(error) if error.kind() != ErrorKind::NotFound => done = Err(error),
            _ => {}
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_sent_encrypted_or_locally_only() {
        for safe in [
            "smtp://mail.example:25",
            "smtps://u:p@mail.example",
            "smtp://u:p@mail.example?tls=required",
            "smtp://u:p@localhost:25",
            "smtp://u:p@127.0.0.1:25",
            "smtp://u:p@[::1]:25",
            "no address",
        ] {
            assert!(!exposes_password(safe), "{safe}");
        }
        for exposed in [
            "smtp://u:p@mail.example",
            "smtp://u@mail.example:587",
            "smtp://u:p@mail.example?tls=opportunistic",
            "smtp://u:p@127.0.0.1.example.org",
            "smtp://u:p@10.0.0.7",
        ] {
            assert!(exposes_password(exposed), "{exposed}");
        }
    }

    /// proves: mail-name
    #[test]
    fn the_client_name_is_the_public_host() {
        for (public, expected) in [
            ("https://kith.example:8443/", "kith.example"),
            ("http://192.0.2.7:8080", "[192.0.2.7]"),
            ("http://[2001:db8::7]", "[IPv6:2001:db8::7]"),
            ("http://localhost:8080", "[127.0.0.1]"),
        ] {
            let name = client_name(&Url::parse(public).unwrap());
            assert_eq!(name.to_string(), expected);
        }
    }

    #[test]
    fn only_status_codes_about_the_mail_are_final() {
        for code in [550, 551, 552, 553, 554, 501] {
            assert!(is_about_the_mail(code), "{code}");
        }
        for code in [0, 421, 450, 454, 500, 502, 503, 530, 534, 535, 538] {
            assert!(!is_about_the_mail(code), "{code}");
        }
    }
}
