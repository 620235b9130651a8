//! The command line.

mod audit;
mod backup;
mod bulk;
mod config;
mod demo;
mod doctor;
pub mod export;
mod invite;
mod manual;
mod member;
mod member_data;
mod move_network;
mod network_settings;
mod objection;
mod post;
mod report;
mod shell_quote;
mod sources;
mod unknown_variables;
mod waitlist;
mod waitlist_add;

use crate::features::moderation::{self, NoticeText};
use crate::ops::startup;
use crate::platform::clock::{Clock, DAY, Millis};
use crate::platform::config::{DatabaseArgs, LogSettings, Settings};
use crate::platform::fs::temporary_file;
use crate::platform::ids::COMMAND_NODE;
use crate::platform::output::print_line;
#[cfg(unix)]
use crate::platform::telemetry;
use crate::router;
use crate::state::AppState;
pub use sources::parse;

use audit::AuditCommand;
use axum::http::StatusCode;
use backup::{BackupArgs, RestoreArgs};
use clap::builder::{OsStringValueParser, TypedValueParser as _};
use clap::{Parser, Subcommand};
use config::ConfigCommand;
use demo::DemoArgs;
use doctor::DoctorArgs;
use invite::InviteCommand;
use manual::{CompletionsArgs, ManArgs};
use member::MemberCommand;
use move_network::MoveArgs;
use network_settings::SettingsCommand;
use objection::ObjectionCommand;
use post::PostCommand;
use report::ReportCommand;
use serde::Serialize;
use shell_quote::shell_quote;
use std::path::{Path, PathBuf};
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
    /// TOML file with settings, whose keys are the variables' names in lower case without `KITH_`. A flag or variable
    /// overrides it.
    // Empty counts as missing.
    #[arg(
        long,
        global = true,
        env = "KITH_CONFIG",
        value_name = "FILE",
        value_parser = OsStringValueParser::new().map(PathBuf::from)
    )]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the server.
    #[command(
        after_help = "Example: KITH_SMTP_URL=smtps://user:password@mail.example:465 kith serve --data /var/lib/kith --public-url https://kith.example --trusted-proxies 127.0.0.1\n\nSet URLs that contain a password in the environment, or in files that KITH_SMTP_URL_FILE, KITH_DATABASE_URL_FILE and KITH_STORAGE_URL_FILE name: all users of the machine can see flags."
    )]
    Serve(Box<Settings>),
    /// Create, list and revoke invite codes.
    #[command(after_help = "Example: kith invite create --count 10 --data /var/lib/kith")]
    Invite {
        #[command(subcommand)]
        command: InviteCommand,
    },
    /// Manage members.
    #[command(after_help = "Example: kith member list --data /var/lib/kith")]
    Member {
        #[command(subcommand)]
        command: MemberCommand,
    },
    /// Manage the waitlist.
    #[command(after_help = "Example: kith waitlist list --data /var/lib/kith")]
    Waitlist {
        #[command(subcommand)]
        command: WaitlistCommand,
    },
    /// Manage posts.
    #[command(after_help = "Example: kith post remove 247513998712340480 --note Spam")]
    Post {
        #[command(subcommand)]
        command: PostCommand,
    },
    /// List the objections of members to their sanctions, and decide about them.
    #[command(after_help = "Example: kith objection list --data /var/lib/kith")]
    Objection {
        #[command(subcommand)]
        command: ObjectionCommand,
    },
    /// List and resolve reports.
    #[command(after_help = "Example: kith report list --data /var/lib/kith")]
    Report {
        #[command(subcommand)]
        command: ReportCommand,
    },
    /// Print and verify the log of actions by moderators, admins and the operator.
    #[command(after_help = "Example: kith audit verify --data /var/lib/kith")]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Back up the database, the secret key and the images to a new file. The server can keep running.
    #[command(after_help = "Example: kith backup /backup/kith.tar --data /var/lib/kith")]
    Backup(BackupArgs),
    /// Restore a backup into an empty data folder and verify it.
    #[command(after_help = "Example: kith restore /backup/kith.tar --data /var/lib/kith")]
    Restore(RestoreArgs),
    /// Move the network from SQLite to an empty PostgreSQL database, or back, and verify it. Stop the server first.
    #[command(
        after_help = "Example: kith move --to sqlite --data /var/lib/kith\n\nSet a URL with a password in KITH_MOVE_TO: all users of the machine can see flags."
    )]
    Move(MoveArgs),
    /// Check everything the server needs, with the server's settings, and print how to fix problems.
    #[command(
        after_help = "Example: kith doctor --data /var/lib/kith --public-url https://kith.example --send-mail me@example.org"
    )]
    Doctor(Box<DoctorArgs>),
    /// Show and change the network's name, texts and pages.
    #[command(after_help = "Example: kith settings set name Rookery --data /var/lib/kith")]
    Settings {
        #[command(subcommand)]
        command: SettingsCommand,
    },
    /// Print the settings of the server and check them.
    #[command(after_help = "Example: kith config check --config /etc/kith/kith.toml")]
    Config {
        #[command(subcommand)]
        command: ConfigCommand,
    },
    /// Create a demo network with generated members and posts.
    #[command(after_help = "Example: kith demo --members 60 --posts 1500 --data ./demo")]
    Demo(Box<DemoArgs>),
    /// Print the API's OpenAPI description.
    #[command(after_help = "Example: kith openapi > openapi.json")]
    Openapi,
    /// Write manual pages of all commands to a folder, or print the page of `kith`.
    #[command(after_help = "Example: kith man /usr/local/share/man/man1")]
    Man(ManArgs),
    /// Print a script that completes commands and options in a shell.
    #[command(
        after_help = "Example: kith completions bash > /usr/local/share/bash-completion/completions/kith\n\nCreate the folder first if it does not exist."
    )]
    Completions(CompletionsArgs),
}

impl Cli {
    /// Returns the settings of the log. Only the server logs to a file: a command's errors are for the terminal.
    #[must_use]
    pub fn log_settings(&self) -> LogSettings {
        match &self.command {
            Command::Serve(settings) => settings.log.clone(),
            _ => LogSettings::for_command(),
        }
    }

    /// Executes the command; an error is a sentence for the operator.
    pub async fn execute(self) -> Result<(), String> {
        match self.command {
            Command::Serve(settings) => {
                unknown_variables::log_unknown();
                startup::serve(*settings).await
            }
            Command::Invite { command } => command.execute().await,
            Command::Member { command } => command.execute().await,
            Command::Waitlist { command } => command.execute().await,
            Command::Post { command } => command.execute().await,
            Command::Objection { command } => command.execute().await,
            Command::Report { command } => command.execute().await,
            Command::Audit { command } => command.execute().await,
            Command::Backup(args) => backup::create_backup(args).await,
            Command::Restore(args) => backup::restore_backup(args).await,
            Command::Move(args) => move_network::move_network(args).await,
            Command::Doctor(args) => doctor::run_checks(*args).await,
            Command::Settings { command } => command.execute().await,
            Command::Config { command } => command.execute(),
            Command::Demo(args) => demo::create_demo(*args).await,
            Command::Openapi => print_line!("{}", router::openapi().trim_end()),
            Command::Man(args) => manual::print_manual(&args),
            Command::Completions(args) => manual::print_completions(&args),
        }
    }
}

/// Prints a URL that logs a member in once, within 15 minutes.
async fn print_login_url(username: &str, settings: Settings) -> Result<(), String> {
    // Without the file a new key would be created, whose links the server rejects.
    if !settings.store.key_file().is_file() {
        return Err(no_network_error(&settings.store));
    }
    let state = open_state_with(settings).await?;
    let url = crate::features::auth::create_operator_login_url(&state, username).await;
    state.db.close().await;
    let url = url.map_err(|error| match error.status() {
        StatusCode::NOT_FOUND => unknown_member(username.trim_start_matches('@')),
        _ => error.message().to_owned(),
    });
    print_line!("{}", url?)
}

fn unknown_member(name: &str) -> String {
    format!("There is no member @{name}.")
}

/// Opens an existing network; its server may be running.
async fn open_state(store: DatabaseArgs) -> Result<AppState, String> {
    open_state_with(Settings::for_command(store)).await
}

/// Opens an existing network and its image store.
async fn open_state_with_images(data: DataArgs) -> Result<AppState, String> {
    let mut settings = Settings::for_command(data.store);
    settings.storage_url = data.storage_url;
    open_state_with(settings).await
}

/// Opens an existing network with the given settings; an error in an empty folder, so that a typo in a path creates
/// no network.
async fn open_state_with(settings: Settings) -> Result<AppState, String> {
    let store = &settings.store;
    if store.is_new() {
        return Err(no_network_error(store));
    }
    AppState::open(settings, Clock::system(), COMMAND_NODE).await
}

/// Reads a file, or standard input for `-`.
fn read_input(file: &Path) -> Result<String, String> {
    if file == Path::new("-") {
        return std::io::read_to_string(std::io::stdin())
            .map_err(|error| format!("Standard input cannot be read: {error}."));
    }
    std::fs::read_to_string(file)
        .map_err(|error| format!("{} cannot be read: {error}.", file.display()))
}

/// Removes temporary files when a signal ends the command: a partial backup contains the secret key and emails.
#[cfg(unix)]
fn remove_temporary_files_on_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        if is_ignored(kind) {
            continue;
        }
        let Ok(mut end) = signal(kind) else {
            continue;
        };
        tokio::spawn(async move {
            end.recv().await;
            temporary_file::remove_all();
            tracing::error!("interrupted; temporary files were removed");
            telemetry::flush();
            std::process::exit(1);
        });
    }
}

/// Checks whether the parent process ignores the signal, as `nohup` does: a handler would override that.
#[cfg(unix)]
fn is_ignored(kind: tokio::signal::unix::SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (kind.as_raw_value() - 1)) != 0)
}

#[cfg(not(unix))]
const fn remove_temporary_files_on_signal() {}

fn no_network_error(store: &DatabaseArgs) -> String {
    format!(
        "There is no network in {}: give --data as configured for the server.",
        store.data.display()
    )
}

/// Data folder, database and image store of a command.
#[derive(Debug, clap::Args)]
struct DataArgs {
    #[command(flatten)]
    store: DatabaseArgs,
    /// URL of the image store; empty for files in the data folder.
    // Parsed later, because clap would print an invalid value, which may contain a secret key.
    #[arg(long, env = "KITH_STORAGE_URL", default_value = "", hide_env_values = true)]
    storage_url: String,
}

/// Argument `--note` of a moderation command.
#[derive(Debug, clap::Args)]
struct NoteArg {
    /// Reason, recorded in the audit log. Don't include email addresses.
    #[arg(long, default_value = "")]
    note: String,
}

impl NoteArg {
    /// Cleans the note; an error is a sentence.
    fn validate(&self) -> Result<String, String> {
        moderation::clean_note(Some(&self.note)).map_err(|error| error.message().to_owned())
    }
}

/// What the notice to a sanctioned member says.
#[derive(Debug, Default, clap::Args)]
struct NoticeArgs {
    /// Rule that was broken, for the notice to the member.
    #[arg(long, default_value = "")]
    rule: String,
    /// Message to the member, which the notice contains.
    #[arg(long, default_value = "")]
    message: String,
}

impl NoticeArgs {
    /// Cleans the texts; an error is a sentence.
    fn validate(&self) -> Result<NoticeText, String> {
        NoticeText::clean(Some(&self.rule), Some(&self.message))
            .map_err(|error| error.message().to_owned())
    }
}

/// End of a sanction.
#[derive(Debug, Default, clap::Args)]
struct EndArgs {
    /// When it ends, within the next two years, such as 2026-12-24T18:00:00Z. Default: when it is undone.
    #[arg(long, value_name = "DATE", conflicts_with = "days")]
    until: Option<String>,
    /// Number of days after which it ends.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=731))]
    days: Option<u16>,
}

impl EndArgs {
    const fn is_given(&self) -> bool {
        self.until.is_some() || self.days.is_some()
    }

    /// Returns the end, if there is one; an error is a sentence.
    fn validate(&self, now: Millis) -> Result<Option<Millis>, String> {
        let end = match self.days {
            Some(days) => moderation::check_end(now + Millis::from(days) * DAY, now).map(Some),
            None => moderation::parse_end(self.until.as_deref(), now),
        };
        end.map_err(|_| {
            "--until must be a time within the next two years, such as 2026-12-24T18:00:00Z."
                .to_owned()
        })
    }
}

fn print_json(value: &impl Serialize) -> Result<(), String> {
    let text = serde_json::to_string_pretty(value);
    print_line!("{}", text.map_err(|error| format!("{error}."))?)
}
