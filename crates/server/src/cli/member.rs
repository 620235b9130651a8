//! `kith member`.

use super::own_data::OwnData;
use crate::clock::rfc3339;
use crate::config::{Settings, Store};
use crate::ids::Id;
use crate::users::{self, Deed, Operate, Record, Role};
use clap::Subcommand;
use serde::Serialize;

#[derive(Debug, Subcommand)]
pub(super) enum MemberCommand {
    #[command(flatten)]
    OwnData(OwnData),
    /// Print an address that logs a member in, once, within 15 minutes.
    #[command(name = "sign-in", after_help = "Example: kith member sign-in founder")]
    SignIn {
        /// Without the @.
        username: String,
        /// Address that members see; the printed one starts with it.
        #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::config::public_url)]
        public_url: url::Url,
        #[command(flatten)]
        store: Store,
    },
    /// Print every member, the oldest first.
    #[command(after_help = "Example: kith member list --json --data /var/lib/kith")]
    List {
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: Store,
    },
    /// Give a member another role.
    #[command(after_help = "Example: kith member role ada moderator")]
    Role {
        /// With or without the @.
        username: String,
        /// What they may do.
        role: RoleName,
        #[command(flatten)]
        store: Store,
    },
    /// Keep a member out: all their sessions end at once, and nobody finds them.
    #[command(after_help = "Example: kith member suspend ada")]
    Suspend {
        /// With or without the @.
        username: String,
        #[command(flatten)]
        store: Store,
    },
    /// Let a suspended member log in again.
    #[command(after_help = "Example: kith member unsuspend ada")]
    Unsuspend {
        /// With or without the @.
        username: String,
        #[command(flatten)]
        store: Store,
    },
}

/// A role as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum RoleName {
    Member,
    Moderator,
    Admin,
}

impl MemberCommand {
    pub(super) async fn run(self) -> Result<(), String> {
        match self {
            Self::OwnData(command) => command.run().await,
            Self::SignIn {
                username,
                public_url,
                store,
            } => {
                let settings = Settings {
                    public_url,
                    ..Settings::for_command(store)
                };
                super::sign_in(&username, settings).await
            }
            Self::List { json, store } => list(json, store).await,
            Self::Role {
                username,
                role,
                store,
            } => {
                let (role, name) = match role {
                    RoleName::Member => (Role::Member, "a member"),
                    RoleName::Moderator => (Role::Moderator, "a moderator"),
                    RoleName::Admin => (Role::Admin, "an admin"),
                };
                operate(
                    &username,
                    Deed::Role(role),
                    &format!("is {name} now"),
                    store,
                )
                .await
            }
            Self::Suspend { username, store } => {
                operate(&username, Deed::Suspend, "is suspended", store).await
            }
            Self::Unsuspend { username, store } => {
                operate(&username, Deed::Unsuspend, "may log in", store).await
            }
        }
    }
}

/// A member as scripts read them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    id: Id,
    username: &'a str,
    display_name: &'a str,
    email: Option<&'a str>,
    role: &'static str,
    joined_at: String,
    suspended_at: Option<String>,
}

impl<'a> Listed<'a> {
    fn of(member: &'a Record) -> Self {
        Self {
            id: member.id,
            username: &member.username,
            display_name: &member.display_name,
            email: member.email.as_deref(),
            role: Role::name(member.role),
            joined_at: rfc3339(member.id.time()),
            suspended_at: member.suspended_at.map(rfc3339),
        }
    }
}

async fn list(json: bool, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let all = async {
        let db = app.db.reader().await?;
        let mut all = users::records(&db, Id::NONE).await?;
        while let Some(last) = all.last() {
            let page = users::records(&db, last.id).await?;
            if page.is_empty() {
                break;
            }
            all.extend(page);
        }
        Ok::<_, kith_db::Error>(all)
    };
    let all = all.await;
    app.db.close().await;
    let all = all.map_err(|error| format!("The members cannot be read: {error}."))?;
    // The empty rows of members who left are nobody.
    let here = all.iter().filter(|one| one.username != users::LEFT);
    let listed = here.map(Listed::of).collect::<Vec<_>>();
    if json {
        return super::print_json(&listed);
    }
    for member in listed {
        let state = match &member.suspended_at {
            Some(time) => format!("suspended {time}"),
            None => "here".to_owned(),
        };
        println!(
            "@{}\t{}\t{}\t{}\t{state}",
            member.username,
            member.role,
            member.email.unwrap_or("-"),
            member.joined_at
        );
    }
    Ok(())
}

async fn operate(username: &str, deed: Deed, done: &str, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let name = username.trim_start_matches('@');
    let operate = Operate {
        username: name.to_owned(),
        deed,
        now: app.now(),
    };
    let found = app.db.write(operate).await;
    app.db.close().await;
    match found {
        Ok(true) => {
            println!("@{name} {done}.");
            Ok(())
        }
        Ok(false) => Err(format!("There is no member @{name}.")),
        Err(error) => Err(format!("The member could not be changed: {error}.")),
    }
}
