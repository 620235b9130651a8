//! `kith member`.

use super::bulk::{SanctionArgs, TimedSanctionArgs, load_all_members};
use super::member_data::MemberDataCommand;
use crate::cli::NoteArg;
use crate::features::members::{MemberAdminRow, Role, SanctionKind};
use crate::platform::clock::rfc3339;
use crate::platform::config::{DatabaseArgs, Settings};
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use clap::Subcommand;
use serde::Serialize;
use std::collections::HashMap;

#[derive(Debug, Subcommand)]
pub(super) enum MemberCommand {
    #[command(flatten)]
    Data(MemberDataCommand),
    /// Print a URL that logs a member in once, within 15 minutes.
    #[command(name = "sign-in", after_help = "Example: kith member sign-in founder")]
    SignIn {
        /// Without the @.
        username: String,
        /// Base URL of the printed login URL.
        #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::platform::config::parse_public_url)]
        public_url: url::Url,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// List all members, oldest first.
    #[command(after_help = "Example: kith member list --json --data /var/lib/kith")]
    List {
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Change a member's role.
    #[command(after_help = "Example: kith member role ada moderator")]
    Role {
        /// With or without the @.
        username: String,
        /// The new role.
        role: RoleName,
        #[command(flatten)]
        note: NoteArg,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Suspend a member: ends all sessions and hides the profile.
    #[command(after_help = "Example: kith member suspend ada --days 7")]
    Suspend(TimedSanctionArgs),
    /// Lift a member's suspension.
    #[command(after_help = "Example: kith member unsuspend ada")]
    Unsuspend(SanctionArgs),
    /// Freeze a member's invites: codes stop working, and new ones cannot be created.
    #[command(
        name = "freeze-invites",
        after_help = "Example: kith member freeze-invites ada --note \"Gives codes to bots\""
    )]
    FreezeInvites(TimedSanctionArgs),
    /// Unfreeze a member's invites.
    #[command(name = "unfreeze-invites", after_help = "Example: kith member unfreeze-invites ada")]
    UnfreezeInvites(SanctionArgs),
}

/// A role as a command-line argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum RoleName {
    Member,
    Moderator,
    Admin,
}

impl MemberCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::Data(command) => command.execute().await,
            Self::SignIn { username, public_url, store } => {
                let settings = Settings { public_url, ..Settings::for_command(store) };
                super::print_login_url(&username, settings).await
            }
            Self::List { json, store } => list(json, store).await,
            Self::Role { username, role, note, store } => {
                let (role, name) = match role {
                    RoleName::Member => (Role::Member, "a member"),
                    RoleName::Moderator => (Role::Moderator, "a moderator"),
                    RoleName::Admin => (Role::Admin, "an admin"),
                };
                let args = SanctionArgs::single(username, note, store);
                args.apply(SanctionKind::Role(role), &format!("is now {name}")).await
            }
            Self::Suspend(args) => args.apply(SanctionKind::Suspend, "is suspended").await,
            Self::Unsuspend(args) => args.apply(SanctionKind::Unsuspend, "may log in").await,
            Self::FreezeInvites(args) => {
                args.apply(SanctionKind::FreezeInvites, "has frozen invites").await
            }
            Self::UnfreezeInvites(args) => {
                args.apply(SanctionKind::UnfreezeInvites, "may invite again").await
            }
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MemberRow<'a> {
    id: Id,
    username: &'a str,
    display_name: &'a str,
    email: Option<&'a str>,
    role: &'static str,
    joined_at: String,
    suspended_at: Option<String>,
    invites_frozen_at: Option<String>,
    suspended_until: Option<String>,
    invites_frozen_until: Option<String>,
    /// Username of the inviter.
    invited_by: Option<&'a str>,
}

impl<'a> MemberRow<'a> {
    fn from_admin_row(member: &'a MemberAdminRow, names: &HashMap<Id, &'a str>) -> Self {
        Self {
            id: member.id,
            username: &member.username,
            display_name: &member.display_name,
            email: member.email.as_deref(),
            role: Role::name(member.role),
            joined_at: rfc3339(member.id.time()),
            suspended_at: member.suspended_at.map(rfc3339),
            invites_frozen_at: member.invites_frozen_at.map(rfc3339),
            suspended_until: member.suspended_until.map(rfc3339),
            invites_frozen_until: member.invites_frozen_until.map(rfc3339),
            invited_by: member.invited_by.and_then(|id| names.get(&id).copied()),
        }
    }
}

async fn list(json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let members = load_all_members(&state).await;
    state.db.close().await;
    let members = members?;
    let names = members.iter().map(|member| (member.id, member.username.as_str()));
    let names = names.collect::<HashMap<_, _>>();
    let rows = members.iter().map(|member| MemberRow::from_admin_row(member, &names));
    let rows = rows.collect::<Vec<_>>();
    if json {
        return super::print_json(&rows);
    }
    for member in rows {
        let until = |end: &Option<String>| {
            end.as_ref().map(|end| format!(" until {end}")).unwrap_or_default()
        };
        let status = match &member.suspended_at {
            Some(time) => format!("suspended {time}{}", until(&member.suspended_until)),
            None if member.invites_frozen_at.is_some() => {
                format!("active, invites frozen{}", until(&member.invites_frozen_until))
            }
            None => "active".to_owned(),
        };
        print_line!(
            "@{}\t{}\t{}\t{}\t{status}\t{}",
            member.username,
            member.role,
            member.email.map_or("-".to_owned(), super::shell_quote),
            member.joined_at,
            member.invited_by.map_or("-".to_owned(), |name| format!("@{name}"))
        )?;
    }
    Ok(())
}
