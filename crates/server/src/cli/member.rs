//! `kith member`.

use super::bulk::{Order, all};
use super::member_data::OwnData;
use crate::cli::Why;
use crate::features::members::{MemberAdminRow, Role, SanctionKind};
use crate::platform::clock::rfc3339;
use crate::platform::config::{Settings, Store};
use crate::platform::ids::Id;
use crate::platform::output::say;
use clap::Subcommand;
use serde::Serialize;
use std::collections::HashMap;

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
        #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::platform::config::public_url)]
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
        why: Why,
        #[command(flatten)]
        store: Store,
    },
    /// Keep a member out: all their sessions end at once, and nobody finds them.
    #[command(after_help = "Example: kith member suspend ada")]
    Suspend(Order),
    /// Let a suspended member log in again.
    #[command(after_help = "Example: kith member unsuspend ada")]
    Unsuspend(Order),
    /// Let nobody join with a member's invites, and let them make no new ones.
    #[command(
        name = "freeze-invites",
        after_help = "Example: kith member freeze-invites ada --note \"Gives codes to bots\""
    )]
    FreezeInvites(Order),
    /// Let a member's invites work again.
    #[command(
        name = "unfreeze-invites",
        after_help = "Example: kith member unfreeze-invites ada"
    )]
    UnfreezeInvites(Order),
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
                why,
                store,
            } => {
                let (role, name) = match role {
                    RoleName::Member => (Role::Member, "a member"),
                    RoleName::Moderator => (Role::Moderator, "a moderator"),
                    RoleName::Admin => (Role::Admin, "an admin"),
                };
                let order = Order::to_one(username, why, store);
                order
                    .apply(SanctionKind::Role(role), &format!("is {name} now"))
                    .await
            }
            Self::Suspend(order) => order.apply(SanctionKind::Suspend, "is suspended").await,
            Self::Unsuspend(order) => order.apply(SanctionKind::Unsuspend, "may log in").await,
            Self::FreezeInvites(order) => {
                order
                    .apply(SanctionKind::FreezeInvites, "lets nobody in for now")
                    .await
            }
            Self::UnfreezeInvites(order) => {
                order
                    .apply(SanctionKind::UnfreezeInvites, "may invite again")
                    .await
            }
        }
    }
}

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
    invites_frozen_at: Option<String>,
    /// Whose invite they joined with.
    invited_by: Option<&'a str>,
}

impl<'a> Listed<'a> {
    fn of(member: &'a MemberAdminRow, names: &HashMap<Id, &'a str>) -> Self {
        Self {
            id: member.id,
            username: &member.username,
            display_name: &member.display_name,
            email: member.email.as_deref(),
            role: Role::name(member.role),
            joined_at: rfc3339(member.id.time()),
            suspended_at: member.suspended_at.map(rfc3339),
            invites_frozen_at: member.invites_frozen_at.map(rfc3339),
            invited_by: member.invited_by.and_then(|id| names.get(&id).copied()),
        }
    }
}

async fn list(json: bool, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let all = all(&app).await;
    app.db.close().await;
    let all = all?;
    let names = all.iter().map(|one| (one.id, one.username.as_str()));
    let names = names.collect::<HashMap<_, _>>();
    let listed = all.iter().map(|one| Listed::of(one, &names));
    let listed = listed.collect::<Vec<_>>();
    if json {
        return super::print_json(&listed);
    }
    for member in listed {
        let state = match &member.suspended_at {
            Some(time) => format!("suspended {time}"),
            None if member.invites_frozen_at.is_some() => "here, invites frozen".to_owned(),
            None => "here".to_owned(),
        };
        say!(
            "@{}\t{}\t{}\t{}\t{state}\t{}",
            member.username,
            member.role,
            member.email.map_or("-".to_owned(), super::shell_word),
            member.joined_at,
            member
                .invited_by
                .map_or("-".to_owned(), |name| format!("@{name}"))
        )?;
    }
    Ok(())
}
