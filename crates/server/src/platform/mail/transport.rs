//! How a mail leaves: by SMTP, or as a file in the outbox folder.

use crate::platform::clock::Millis;
use crate::platform::config::{Settings, is_own_machine};
use crate::platform::crypto;
use crate::platform::mail::Letter;
use crate::platform::mail::smtp::{Refusal, Relay};
use crate::platform::telemetry;
use lettre::Message;
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::extension::ClientId;
use std::io::{self, ErrorKind};
use std::net::Ipv4Addr;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use url::{Host, Url};

/// Time for a mail, and for a greeting after it: together less than the lease after which another worker takes it.
const WHOLE: Duration = Duration::from_secs(40);
const GREETING: Duration = Duration::from_secs(15);
/// Where mails lie in the data folder when there is no mail server.
const FOLDER: &str = "outbox";
/// Random bytes in the name of a mail there.
const NAME: usize = 12;

/// The way mails go.
#[derive(Debug, Clone)]
pub struct Transport {
    from: Mailbox,
    /// The name in greetings and message ids. The machine's own name is private, and of no use to mail servers.
    name: ClientId,
    route: Route,
    /// Whether links are printed when there is no mail server.
    announce: bool,
}

#[derive(Debug, Clone)]
enum Route {
    Smtp(Relay),
    Folder(PathBuf),
}

/// Why a mail did not go.
#[derive(Debug)]
pub enum Failure {
    /// The server may take it later.
    Later(String),
    /// It will never be taken.
    Hopeless(String),
}

impl Transport {
    /// Whether the mail settings can be read; a wrong one is a sentence that names it.
    pub fn check(settings: &Settings) -> Result<(), String> {
        sender(settings)?;
        smtp(settings).map(drop)
    }

    /// Reads the mail settings; a wrong one is a sentence that names it.
    pub fn new(settings: &Settings) -> Result<Self, String> {
        let from = sender(settings)?;
        let route = if let Some(smtp) = smtp(settings)? {
            Route::Smtp(smtp)
        } else {
            let folder = settings.store.data.join(FOLDER);
            kith_storage::create_private_dir(&folder).map_err(|error| {
                format!(
                    "KITH_DATA: the outbox {} cannot be made: {error}.",
                    folder.display()
                )
            })?;
            Route::Folder(folder)
        };
        Ok(Self {
            from,
            name: name(&settings.public_url),
            route,
            announce: false,
        })
    }

    /// Prints the link of each mail that becomes a file.
    #[must_use]
    pub fn announced(self) -> Self {
        Self {
            announce: true,
            ..self
        }
    }

    /// Connects, encrypts and logs in as the settings say. An error says why not, without a full stop.
    pub async fn greet(&self) -> Result<(), String> {
        let Route::Smtp(smtp) = &self.route else {
            return Ok(());
        };
        match tokio::time::timeout(GREETING, smtp.greet()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err("it hung up".to_owned()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it says nothing".to_owned()),
        }
    }

    /// Whether the server accepts us: the reply that rejects a mail for good also rejects a machine or a password.
    async fn lets_in(&self) -> bool {
        self.greet().await.is_ok()
    }

    fn message_id(&self) -> String {
        let random = crypto::encode(&crypto::random_bytes()[..NAME]);
        format!("<{random}@{}>", self.name)
    }

    /// Sends one mail.
    pub async fn send(&self, letter: &Letter) -> Result<(), Failure> {
        let hopeless = |error: &dyn std::fmt::Display| Failure::Hopeless(error.to_string());
        let message = Message::builder()
            .from(self.from.clone())
            .to(letter.to.parse().map_err(|error| hopeless(&error))?)
            .subject(&letter.subject)
            .message_id(Some(self.message_id()))
            .multipart(MultiPart::alternative_plain_html(
                letter.text.clone(),
                letter.html.clone(),
            ))
            .map_err(|error| hopeless(&error))?;
        match &self.route {
            Route::Folder(folder) => write_file(folder, &message, letter, self.announce).await,
            Route::Smtp(smtp) => {
                let text = message.formatted();
                match smtp.send(message.envelope(), &text, WHOLE).await {
                    Err(error) if is_final(&error) && self.lets_in().await => {
                        Err(Failure::Hopeless(error.to_log()))
                    }
                    sent => sent.map_err(|error| Failure::Later(error.to_log())),
                }
            }
        }
    }
}

fn is_final(refusal: &Refusal) -> bool {
    refusal.code.is_some_and(is_about_the_mail)
}

/// Whether a reply is about the mail's addresses, size or text, so that it would be rejected again. Passwords,
/// encryption and commands are for an operator to fix.
fn is_about_the_mail(code: u16) -> bool {
    matches!(code, 501 | 510 | 521 | 541 | 550..=556)
}

fn sender(settings: &Settings) -> Result<Mailbox, String> {
    settings.mail_from.parse().map_err(|error| {
        format!("KITH_MAIL_FROM is not a sender such as \"Kith <kith@example.org>\": {error}.")
    })
}

/// The name by which the network is known; of one that nobody else reaches, this machine's address.
fn name(public: &Url) -> ClientId {
    match public.host() {
        Some(Host::Domain(name)) if !is_own_machine(name) => ClientId::Domain(name.to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        _ => ClientId::Ipv4(Ipv4Addr::LOCALHOST),
    }
}

/// Whether a password would go to another machine unless somebody on the way prevents encryption.
fn shows_password(smtp_url: &str) -> bool {
    let Ok(url) = Url::parse(smtp_url) else {
        return false;
    };
    let has_password = url.password().is_some() || !url.username().is_empty();
    let is_required = url
        .query_pairs()
        .any(|(name, value)| name == "tls" && value == "required");
    let is_near = url.host_str().is_some_and(is_own_machine);
    has_password && url.scheme() == "smtp" && !is_required && !is_near
}

/// The way to the mail server, when there is one.
fn smtp(settings: &Settings) -> Result<Option<Relay>, String> {
    if settings.smtp_url.is_empty() {
        return Ok(None);
    }
    if shows_password(&settings.smtp_url) {
        return Err("KITH_SMTP_URL would show its password on the way: begin it with smtps://, or end it with ?tls=required.".to_owned());
    }
    let relay = Relay::new(&settings.smtp_url, name(&settings.public_url));
    relay.map(Some).map_err(|error| {
        format!("KITH_SMTP_URL is not an address such as smtp://user:password@mail.example.org:587?tls=required: {error}.")
    })
}

/// Without a mail server the operator is the postman: the link is printed too.
async fn write_file(
    folder: &Path,
    message: &Message,
    letter: &Letter,
    announce: bool,
) -> Result<(), Failure> {
    let name = crypto::encode(&crypto::random_bytes()[..NAME]);
    let (part, path) = (
        folder.join(format!("{name}.part")),
        folder.join(format!("{name}.eml")),
    );
    let written = async {
        tokio::fs::write(&part, message.formatted()).await?;
        // A reader of the folder never meets half a mail.
        tokio::fs::rename(&part, &path).await
    };
    written
        .await
        .map_err(|error| Failure::Later(error.to_string()))?;
    if announce {
        telemetry::print(&format!("Mail to {}: {}\n", letter.to, letter.link));
    }
    Ok(())
}

/// Whether a file has the name of a mail, or of half a one.
fn is_mail(name: &str) -> bool {
    let stem = name
        .strip_suffix(".eml")
        .or_else(|| name.strip_suffix(".part"));
    let bytes = stem.and_then(crypto::decode);
    bytes.is_some_and(|bytes| bytes.len() == NAME)
}

/// Deletes mails in a data folder that were written by `until`. A failure keeps no other from being deleted.
pub async fn purge_files(data: &Path, until: Millis) -> io::Result<()> {
    let until = UNIX_EPOCH + Duration::from_millis(u64::try_from(until).unwrap_or_default());
    let mut files = match tokio::fs::read_dir(data.join(FOLDER)).await {
        // With a mail server there is none.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    let mut done = Ok(());
    while let Some(file) = files.next_entry().await? {
        if !file.file_name().to_str().is_some_and(is_mail) {
            continue;
        }
        let deleted = async {
            let known = file.metadata().await?;
            if known.is_file() && known.modified()? <= until {
                tokio::fs::remove_file(file.path()).await?;
            }
            Ok::<_, io::Error>(())
        };
        match deleted.await {
            // Somebody else may have been faster.
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
    fn a_password_goes_encrypted_or_stays_on_this_machine() {
        for near in [
            "smtp://mail.example:25",
            "smtps://u:p@mail.example",
            "smtp://u:p@mail.example?tls=required",
            "smtp://u:p@localhost:25",
            "smtp://u:p@127.0.0.1:25",
            "smtp://u:p@[::1]:25",
            "no address",
        ] {
            assert!(!shows_password(near), "{near}");
        }
        for open in [
            "smtp://u:p@mail.example",
            "smtp://u@mail.example:587",
            "smtp://u:p@mail.example?tls=opportunistic",
            "smtp://u:p@127.0.0.1.example.org",
            "smtp://u:p@10.0.0.7",
        ] {
            assert!(shows_password(open), "{open}");
        }
    }

    /// proves: mail-name
    #[test]
    fn mails_are_named_by_the_public_address() {
        for (public, expected) in [
            ("https://kith.example:8443/", "kith.example"),
            ("http://192.0.2.7:8080", "[192.0.2.7]"),
            ("http://[2001:db8::7]", "[IPv6:2001:db8::7]"),
            ("http://localhost:8080", "[127.0.0.1]"),
        ] {
            let name = name(&Url::parse(public).unwrap());
            assert_eq!(name.to_string(), expected);
        }
    }

    #[test]
    fn only_what_is_said_of_a_mail_is_final() {
        for code in [550, 551, 552, 553, 554, 501] {
            assert!(is_about_the_mail(code), "{code}");
        }
        for code in [0, 421, 450, 454, 500, 502, 503, 530, 534, 535, 538] {
            assert!(!is_about_the_mail(code), "{code}");
        }
    }
}
