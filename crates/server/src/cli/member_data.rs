//! `kith member email`, `sign-out`, `export` and `delete`, which members can also do themselves.

use crate::cli::DataArgs;
use crate::features::account::deletion::{self, RequestDeletion};
use crate::features::auth::{Email, RevokeMemberSessions, SetEmail, SetEmailOutcome};
use crate::features::members;
use crate::features::moderation::{ChangeEmail, DeleteMember, EndSessions, RevokeAllSessions};
use crate::platform::clock::{DAY, rfc3339};
use crate::platform::config::DatabaseArgs;
use crate::platform::output::print_line;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(super) enum MemberDataCommand {
    /// Change the email of a member who cannot access their mailbox. Ends all sessions.
    #[command(after_help = "Example: kith member email ada ada@example.org")]
    Email {
        /// With or without the @.
        username: String,
        /// The new email.
        email: String,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// End a member's sessions, login links and pending email change.
    #[command(
        name = "sign-out",
        after_help = "Example: kith member sign-out ada\nExample: kith member sign-out --everybody"
    )]
    SignOut {
        /// With or without the @.
        #[arg(required_unless_present = "everybody", conflicts_with = "everybody")]
        username: Option<String>,
        /// Log out all members. Use after restoring a database by other means than `kith restore`.
        #[arg(long)]
        everybody: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Export all data of a member to a new ZIP file.
    #[command(after_help = "Example: kith member export ada ada.zip")]
    Export {
        /// With or without the @.
        username: String,
        /// Path of the new ZIP file.
        file: PathBuf,
        #[command(flatten)]
        data: DataArgs,
    },
    /// Delete a member's account and all its content in 7 days.
    #[command(after_help = "Example: kith member delete ada --now")]
    Delete {
        /// With or without the @.
        username: String,
        /// Delete immediately instead. This cannot be undone.
        #[arg(long)]
        now: bool,
        #[command(flatten)]
        data: DataArgs,
    },
}

impl MemberDataCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::Email { username, email, store } => {
                set_email(strip_at(&username), &email, store).await
            }
            Self::SignOut { username, store, .. } => match username {
                Some(username) => sign_out(strip_at(&username), store).await,
                None => sign_out_all(store).await,
            },
            Self::Export { username, file, data } => {
                super::remove_temporary_files_on_signal();
                let state = super::open_state_with_images(data).await?;
                let name = strip_at(&username);
                let written = super::export::export_to_file(&state.account, name, &file).await;
                state.db.close().await;
                written?;
                print_line!("{} contains all data of @{name}.", file.display())
            }
            Self::Delete { username, now, data } => delete(strip_at(&username), now, data).await,
        }
    }
}

fn strip_at(username: &str) -> &str {
    username.trim_start_matches('@')
}

async fn set_email(name: &str, input: &str, store: DatabaseArgs) -> Result<(), String> {
    let email = Email::parse(input).map_err(|_| format!("{input} is not an email address."))?;
    let state = super::open_state(store).await?;
    let set_email = SetEmail { username: name.to_owned(), email: email.clone(), now: state.now() };
    let done = state.db.write(ChangeEmail(set_email)).await;
    state.db.close().await;
    match done {
        Ok(SetEmailOutcome::Set(_)) => {
            print_line!("@{name} now logs in with {}.", email.as_str())
        }
        Ok(SetEmailOutcome::Taken) => Err(format!("Another member has {}.", email.as_str())),
        Ok(SetEmailOutcome::UnknownMember) => Err(super::unknown_member(name)),
        Err(error) => Err(format!("The email could not be changed: {error}.")),
    }
}

async fn sign_out(name: &str, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let sign_out = RevokeMemberSessions { username: name.to_owned(), now: state.now() };
    let done = state.db.write(EndSessions(sign_out)).await;
    state.db.close().await;
    match done {
        Ok(Some(member)) => {
            tracing::warn!(member = member.0, "an operator ended a member's sessions");
            print_line!("@{name} is logged out everywhere.")
        }
        Ok(None) => Err(super::unknown_member(name)),
        Err(error) => Err(format!("The sessions could not be ended: {error}.")),
    }
}

async fn sign_out_all(store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let done = state.db.write(RevokeAllSessions { now: state.now() }).await;
    state.db.close().await;
    let ended = done.map_err(|error| format!("The sessions could not be ended: {error}."))?;
    tracing::warn!(ended, "an operator ended all sessions");
    print_line!("sessions ended: {ended}, all members have to log in again")
}

async fn delete(name: &str, immediately: bool, data: DataArgs) -> Result<(), String> {
    let state = super::open_state_with_images(data).await?;
    let done = async {
        let found = members::find_by_username(&state.db.reader(), name)
            .await
            .map_err(|error| format!("The member cannot be loaded: {error}."))?;
        let now = state.now();
        let member = found.ok_or_else(|| super::unknown_member(name))?;
        if immediately {
            super::export::check_export_is_reachable(&state.account, member).await?;
        }
        let request = RequestDeletion {
            member,
            username: None,
            session: None,
            delete_at: if immediately { now } else { now + 7 * DAY },
            job: state.id(),
            now,
        };
        let requested = state.db.write(DeleteMember(request)).await;
        let requested = requested.map_err(|error| error.message().to_owned())?;
        if immediately {
            let deleted = deletion::delete_if_due(&state.account, member).await;
            deleted.map_err(|error| {
                format!("The server continues the deletion: {}", error.message())
            })?;
            // A step may have been postponed, or another worker holds the lease.
            let delete_at = deletion::find_delete_at(&state.db.reader(), member).await;
            return match delete_at {
                Ok(None) => Ok(format!("@{name} is deleted.")),
                Ok(Some(_)) => Err(format!(
                    "@{name} is not deleted yet. The server finishes the deletion within minutes, unless it logs that a file \
                     cannot be deleted."
                )),
                Err(error) => Err(format!("The status of the deletion cannot be read: {error}.")),
            };
        }
        Ok(format!("@{name} will be deleted at {}.", rfc3339(requested.delete_at)))
    };
    let done: Result<String, String> = done.await;
    state.db.close().await;
    print_line!("{}", done?)
}
