//! `kith member email`, `sign-out`, `export` and `delete`: what members else decide themselves.

use crate::cli::Whole;
use crate::features::account::deletion::{self, RequestDeletion};
use crate::features::auth::{Email, RevokeMemberSessions, SetEmail, SetEmailOutcome};
use crate::features::members;
use crate::features::moderation::{ChangeAddress, DeleteMember, EndSessions, RevokeAllSessions};
use crate::platform::clock::{DAY, rfc3339};
use crate::platform::config::Store;
use crate::platform::output::say;
use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(super) enum OwnData {
    /// Give a member another mail address, when the old mailbox is out of reach; all their sessions end.
    #[command(after_help = "Example: kith member email ada ada@example.org")]
    Email {
        /// With or without the @.
        username: String,
        /// The new address.
        address: String,
        #[command(flatten)]
        store: Store,
    },
    /// End all sessions of a member, the addresses that were printed to log them in, and a change of their mail address that waits.
    #[command(
        name = "sign-out",
        after_help = "Example: kith member sign-out ada\nExample: kith member sign-out --everybody"
    )]
    SignOut {
        /// With or without the @.
        #[arg(required_unless_present = "everybody", conflicts_with = "everybody")]
        username: Option<String>,
        /// Of all members, as `kith restore` does: after a database came back by other means.
        #[arg(long)]
        everybody: bool,
        #[command(flatten)]
        store: Store,
    },
    /// Write everything that is known of a member to a new ZIP file.
    #[command(after_help = "Example: kith member export ada ada.zip")]
    Export {
        /// With or without the @.
        username: String,
        /// The file to make.
        file: PathBuf,
        #[command(flatten)]
        whole: Whole,
    },
    /// Delete a member's account with everything in it, in 7 days.
    #[command(after_help = "Example: kith member delete ada --now")]
    Delete {
        /// With or without the @.
        username: String,
        /// Not in 7 days but at once. Nothing brings it back.
        #[arg(long)]
        now: bool,
        #[command(flatten)]
        whole: Whole,
    },
}

impl OwnData {
    pub(super) async fn run(self) -> Result<(), String> {
        match self {
            Self::Email {
                username,
                address,
                store,
            } => set_email(plain(&username), &address, store).await,
            Self::SignOut {
                username, store, ..
            } => match username {
                Some(username) => sign_out(plain(&username), store).await,
                None => sign_everybody_out(store).await,
            },
            Self::Export {
                username,
                file,
                whole,
            } => {
                super::leave_nothing();
                let app = super::open_whole(whole).await?;
                let name = plain(&username);
                let written = super::export::to_file(&app.account, name, &file).await;
                app.db.close().await;
                written?;
                say!("{} holds everything of @{name}.", file.display())
            }
            Self::Delete {
                username,
                now,
                whole,
            } => delete(plain(&username), now, whole).await,
        }
    }
}

fn plain(username: &str) -> &str {
    username.trim_start_matches('@')
}

fn nobody(name: &str) -> String {
    format!("There is no member @{name}.")
}

async fn set_email(name: &str, address: &str, store: Store) -> Result<(), String> {
    let email = Email::parse(address).map_err(|_| format!("{address} is not a mail address."))?;
    let app = super::open(store).await?;
    let set = SetEmail {
        username: name.to_owned(),
        email: email.clone(),
        now: app.now(),
    };
    let done = app.db.write(ChangeAddress(set)).await;
    app.db.close().await;
    match done {
        Ok(SetEmailOutcome::Set(_)) => {
            say!("@{name} logs in with {} now.", email.as_str())
        }
        Ok(SetEmailOutcome::Taken) => Err(format!("Another member has {}.", email.as_str())),
        Ok(SetEmailOutcome::UnknownMember) => Err(nobody(name)),
        Err(error) => Err(format!("The address could not be changed: {error}.")),
    }
}

async fn sign_out(name: &str, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let sign_out = RevokeMemberSessions {
        username: name.to_owned(),
        now: app.now(),
    };
    let done = app.db.write(EndSessions(sign_out)).await;
    app.db.close().await;
    match done {
        Ok(Some(member)) => {
            tracing::warn!(member = member.0, "an operator ended a member's sessions");
            say!("@{name} is logged out everywhere.")
        }
        Ok(None) => Err(nobody(name)),
        Err(error) => Err(format!("The sessions could not be ended: {error}.")),
    }
}

async fn sign_everybody_out(store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let done = app.db.write(RevokeAllSessions { now: app.now() }).await;
    app.db.close().await;
    let ended = done.map_err(|error| format!("The sessions could not be ended: {error}."))?;
    tracing::warn!(ended, "an operator ended everybody's sessions");
    say!("sessions ended: {ended}, everybody logs in again")
}

async fn delete(name: &str, at_once: bool, whole: Whole) -> Result<(), String> {
    let app = super::open_whole(whole).await?;
    let done = async {
        let found = members::find_by_username(&app.db.reader(), name)
            .await
            .map_err(|error| format!("The member cannot be looked for: {error}."))?;
        let now = app.now();
        let member = found.ok_or_else(|| nobody(name))?;
        if at_once {
            super::export::check_reach(&app.account, member).await?;
        }
        let leave = RequestDeletion {
            member,
            username: None,
            session: None,
            delete_at: if at_once { now } else { now + 7 * DAY },
            job: app.id(),
            now,
        };
        let asked = app.db.write(DeleteMember(leave)).await;
        let asked = asked.map_err(|error| error.message().to_owned())?;
        if at_once {
            let deleted = deletion::work_on(&app.account, member).await;
            deleted.map_err(|error| format!("It goes on in the server: {}", error.message()))?;
            // It may be left for later, or another has it in hand.
            let left = deletion::deletes_at(&app.db.reader(), member).await;
            return match left {
                Ok(None) => Ok(format!("@{name} is deleted.")),
                Ok(Some(_)) => Err(format!(
                    "@{name} is not deleted yet. It goes on in the server: within minutes, unless the log tells of a file \
                     that cannot be deleted."
                )),
                Err(error) => Err(format!("Whether it is done cannot be told: {error}.")),
            };
        }
        Ok(format!(
            "@{name} will be deleted at {}.",
            rfc3339(asked.delete_at)
        ))
    };
    let done: Result<String, String> = done.await;
    app.db.close().await;
    say!("{}", done?)
}
