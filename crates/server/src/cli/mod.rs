//! The command line.

mod audit;
mod backup;
mod bulk;
mod demo;
mod doctor;
pub mod export;
mod member;
mod member_data;
mod post;
mod report;
mod waitlist;

use crate::features::moderation;
use crate::ops::startup;
use crate::platform::clock::Clock;
use crate::platform::config::{Settings, Store};
use crate::platform::crypto;
use crate::platform::fs::temporary_file;
use crate::platform::ids::COMMAND_NODE;
use crate::platform::output::say;
#[cfg(unix)]
use crate::platform::telemetry;
use crate::router;
use crate::state::AppState;
use audit::AuditCommand;
use backup::{Archive, Restoring};
use clap::{Parser, Subcommand};
use demo::Demo;
use doctor::Doctor;
use member::MemberCommand;
use post::PostCommand;
use report::ReportCommand;
use serde::Serialize;
use waitlist::WaitlistCommand;

/// The human network: an invite-only social network in one program.
#[derive(Debug, Parser)]
#[command(
    name = "kith",
    version,
    max_term_width = 100,
    after_help = "Example: kith serve --data /var/lib/kith --public-url https://kith.example"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serve the network.
    #[command(
        after_help = "Example: KITH_SMTP_URL=smtps://user:password@mail.example:465 kith serve --data /var/lib/kith --public-url https://kith.example --trusted-proxies 127.0.0.1\n\nGive addresses that hold a password in the environment: everybody on the machine sees flags."
    )]
    Serve(Box<Settings>),
    /// Invite codes from the operator.
    #[command(after_help = "Example: kith invite create --count 10 --data /var/lib/kith")]
    Invite {
        #[command(subcommand)]
        command: InviteCommand,
    },
    /// Members, from the operator's side.
    #[command(after_help = "Example: kith member list --data /var/lib/kith")]
    Member {
        #[command(subcommand)]
        command: MemberCommand,
    },
    /// The people who asked to be let in.
    #[command(after_help = "Example: kith waitlist list --data /var/lib/kith")]
    Waitlist {
        #[command(subcommand)]
        command: WaitlistCommand,
    },
    /// Posts, from the operator's side.
    #[command(after_help = "Example: kith post remove 247513998712340480 --note Spam")]
    Post {
        #[command(subcommand)]
        command: PostCommand,
    },
    /// What members reported, and deciding about it.
    #[command(after_help = "Example: kith report list --data /var/lib/kith")]
    Report {
        #[command(subcommand)]
        command: ReportCommand,
    },
    /// The log of what moderators, admins and the operator did.
    #[command(after_help = "Example: kith audit verify --data /var/lib/kith")]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Write the database, the key and the images to a new file, while the server runs.
    #[command(after_help = "Example: kith backup /backup/kith.tar --data /var/lib/kith")]
    Backup(Archive),
    /// Fill an empty data folder from a backup, and look whether all of it is right.
    #[command(after_help = "Example: kith restore /backup/kith.tar --data /var/lib/kith")]
    Restore(Restoring),
    /// Look at everything that the server needs, with the server's settings, and say what to do.
    #[command(
        after_help = "Example: kith doctor --data /var/lib/kith --public-url https://kith.example --send-mail me@example.org"
    )]
    Doctor(Box<Doctor>),
    /// Fill an empty network with invented members and what they wrote, for a trial.
    #[command(after_help = "Example: kith demo --members 60 --posts 1500 --data ./demo")]
    Demo(Box<Demo>),
    /// Print the API's OpenAPI description.
    #[command(after_help = "Example: kith openapi > openapi.json")]
    Openapi,
}

#[derive(Debug, Subcommand)]
enum InviteCommand {
    /// Make codes and print them, one a line.
    #[command(after_help = "Example: kith invite create --count 10")]
    Create {
        /// How many.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        #[command(flatten)]
        store: Store,
    },
}

impl Cli {
    /// Runs the command; an error is a sentence for the operator.
    pub async fn run(self) -> Result<(), String> {
        match self.command {
            Command::Serve(settings) => startup::serve(*settings).await,
            Command::Invite {
                command: InviteCommand::Create { count, store },
            } => create_invites(count, store).await,
            Command::Member { command } => command.run().await,
            Command::Waitlist { command } => command.run().await,
            Command::Post { command } => command.run().await,
            Command::Report { command } => command.run().await,
            Command::Audit { command } => command.run().await,
            Command::Backup(archive) => backup::make(archive).await,
            Command::Restore(restoring) => backup::restore(restoring).await,
            Command::Doctor(doctor) => doctor::run(*doctor).await,
            Command::Demo(demo) => demo::run(*demo).await,
            Command::Openapi => say!("{}", router::openapi().trim_end()),
        }
    }
}

async fn create_invites(count: u32, store: Store) -> Result<(), String> {
    let app = open(store).await?;
    let codes = (0..count)
        .map(|_| crypto::random_code(12))
        .collect::<Vec<_>>();
    let issue = moderation::IssueCodes {
        codes: codes.clone(),
        now: app.now(),
    };
    app.db
        .write(issue)
        .await
        .map_err(|error| format!("The codes could not be stored: {error}."))?;
    app.db.close().await;
    say!("{}", codes.join("\n"))
}

async fn sign_in(username: &str, settings: Settings) -> Result<(), String> {
    // With a new key the address would work nowhere, also where the database is the right one.
    if !settings.store.key().is_file() {
        return Err(no_network(&settings.store));
    }
    let app = open_with(settings).await?;
    let address = crate::features::auth::sign_in_address(&app, username).await;
    app.db.close().await;
    say!("{}", address.map_err(|error| error.message().to_owned())?)
}

/// Opens a network that is there, beside its server.
async fn open(store: Store) -> Result<AppState, String> {
    open_with(Settings::for_command(store)).await
}

/// The same with the images, wherever they are.
async fn open_whole(whole: Whole) -> Result<AppState, String> {
    let mut settings = Settings::for_command(whole.store);
    settings.storage_url = whole.storage_url;
    open_with(settings).await
}

/// The same with these settings. A wrong folder must not become a new network.
async fn open_with(settings: Settings) -> Result<AppState, String> {
    let store = &settings.store;
    if store.is_new() {
        return Err(no_network(store));
    }
    AppState::open(settings, Clock::system(), COMMAND_NODE).await
}

/// Removes what is half made when somebody ends the command: a backup holds the key and every address.
#[cfg(unix)]
fn leave_nothing() {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [
        SignalKind::interrupt(),
        SignalKind::terminate(),
        SignalKind::hangup(),
    ] {
        if is_ignored(kind) {
            continue;
        }
        let Ok(mut end) = signal(kind) else {
            continue;
        };
        tokio::spawn(async move {
            end.recv().await;
            temporary_file::remove_all();
            tracing::error!("the command was ended, and leaves nothing");
            telemetry::flush();
            std::process::exit(1);
        });
    }
}

/// Whether who started this wants it to go on through that signal, as `nohup` does: a handler would undo that.
#[cfg(unix)]
fn is_ignored(kind: tokio::signal::unix::SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (kind.as_raw_value() - 1)) != 0)
}

#[cfg(not(unix))]
const fn leave_nothing() {}

fn no_network(store: &Store) -> String {
    format!(
        "There is no network in {}: give --data as the server has it.",
        store.data.display()
    )
}

/// Which data a command works on that needs the images too.
#[derive(Debug, clap::Args)]
struct Whole {
    #[command(flatten)]
    store: Store,
    /// Where images live: empty for files in the data folder.
    // It is read later: a refusal here would print a key that somebody put into it.
    #[arg(
        long,
        env = "KITH_STORAGE_URL",
        default_value = "",
        hide_env_values = true
    )]
    storage_url: String,
}

/// A note as it is typed after a command.
#[derive(Debug, clap::Args)]
struct Why {
    /// Why, for the audit log. Write no mail address into it.
    #[arg(long, default_value = "")]
    note: String,
}

impl Why {
    fn clean(&self) -> Result<String, String> {
        moderation::clean_note(Some(&self.note)).map_err(|error| error.message().to_owned())
    }
}

/// A text as a shell takes it for one word: in quotation marks where it needs them. People paste what is listed.
fn shell_word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@+._/-".contains(&byte);
    if !text.starts_with('-') && !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

fn print_json(value: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(value);
    say!("{}", text.map_err(|error| format!("{error}."))?)
}

#[cfg(test)]
mod tests {
    use super::shell_word;

    /// proves: waitlist-quoted
    #[test]
    fn a_pasted_address_is_one_word() {
        for (text, word) in [
            ("ada.l+x@b-c.co", "ada.l+x@b-c.co"),
            ("o'brien@b.co", r"'o'\''brien@b.co'"),
            ("a&/tmp/x@b.co", "'a&/tmp/x@b.co'"),
            ("-x@b.co", "'-x@b.co'"),
        ] {
            assert_eq!(shell_word(text), word);
        }
        for mark in "`$|&;<>(){}\"\\*!?#~=^%\t ".chars() {
            assert_eq!(shell_word(&mark.to_string()), format!("'{mark}'"));
        }
    }
}
