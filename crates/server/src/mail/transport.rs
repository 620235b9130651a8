//! How a mail leaves: by SMTP, or as a file in the outbox folder.

use crate::config::Settings;
use crate::mail::Letter;
use lettre::message::{Mailbox, MultiPart};
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

/// How long a mail server may take for one mail.
const PATIENCE: Duration = Duration::from_secs(20);

/// The way mails go.
#[derive(Debug, Clone)]
pub struct Transport {
    from: Mailbox,
    route: Route,
    /// Whether links are printed when there is no mail server.
    announce: bool,
}

#[derive(Debug, Clone)]
enum Route {
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
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
            let folder = settings.store.data.join("outbox");
            std::fs::create_dir_all(&folder).map_err(|error| {
                format!(
                    "KITH_DATA: the outbox {} cannot be made: {error}.",
                    folder.display()
                )
            })?;
            Route::Folder(folder)
        };
        Ok(Self {
            from,
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

    /// Connects to the mail server, encrypts and logs in as far as the settings say, and hears
    /// whether it listens. An error says why not, without a full stop.
    pub async fn greet(&self) -> Result<(), String> {
        let Route::Smtp(smtp) = &self.route else {
            return Ok(());
        };
        match smtp.test_connection().await {
            Ok(true) => Ok(()),
            Ok(false) => Err("it hung up".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Sends one mail.
    pub async fn send(&self, letter: &Letter) -> Result<(), Failure> {
        // A server's words may name the recipient; the log must not.
        let told = |error: &dyn std::fmt::Display| error.to_string().replace(&letter.to, "…");
        let hopeless = |error: &dyn std::fmt::Display| Failure::Hopeless(told(error));
        let message = Message::builder()
            .from(self.from.clone())
            .to(letter.to.parse().map_err(|error| hopeless(&error))?)
            .subject(&letter.subject)
            .message_id(None)
            .multipart(MultiPart::alternative_plain_html(
                letter.text.clone(),
                letter.html.clone(),
            ))
            .map_err(|error| hopeless(&error))?;
        match &self.route {
            Route::Folder(folder) => write_file(folder, &message, letter, self.announce).await,
            Route::Smtp(smtp) => match smtp.send(message).await {
                Ok(_) => Ok(()),
                Err(error) if error.is_permanent() => Err(hopeless(&error)),
                Err(error) => Err(Failure::Later(told(&error))),
            },
        }
    }
}

fn sender(settings: &Settings) -> Result<Mailbox, String> {
    settings.mail_from.parse().map_err(|error| {
        format!("KITH_MAIL_FROM is not a sender such as \"Kith <kith@example.org>\": {error}.")
    })
}

/// The way to the mail server, when there is one.
fn smtp(settings: &Settings) -> Result<Option<AsyncSmtpTransport<Tokio1Executor>>, String> {
    if settings.smtp_url.is_empty() {
        return Ok(None);
    }
    let smtp = AsyncSmtpTransport::<Tokio1Executor>::from_url(&settings.smtp_url)
        .map_err(|error| format!("KITH_SMTP_URL is not an address such as smtp://user:password@mail.example.org:587?tls=required: {error}."))?;
    Ok(Some(smtp.timeout(Some(PATIENCE)).build()))
}

/// Without a mail server the operator is the postman: the link is printed too.
async fn write_file(
    folder: &std::path::Path,
    message: &Message,
    letter: &Letter,
    announce: bool,
) -> Result<(), Failure> {
    let name = crate::secrets::encode(&crate::secrets::random()[..12]);
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
        // Nobody may be reading any more; the file is the mail.
        let _ = writeln!(std::io::stdout(), "Mail to {}: {}", letter.to, letter.link);
    }
    Ok(())
}
