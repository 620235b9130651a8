//! Applies a sanction to a member, or to the member and everyone they invited, directly or indirectly.

use crate::cli::{EndArgs, NoteArg, NoticeArgs};
use crate::features::members;
use crate::features::members::{MemberAdminRow, Role, SanctionKind};
use crate::features::moderation::{Actor, NoticeText, Sanction, Target};
use crate::http::error::ApiError;
use crate::platform::clock::{Millis, rfc3339};
use crate::platform::config::DatabaseArgs;
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use crate::state::AppState;
use axum::http::StatusCode;
use std::collections::HashSet;

/// Arguments of a sanction: the member and the note.
#[derive(Debug, clap::Args)]
pub(super) struct SanctionArgs {
    /// With or without the @.
    username: String,
    /// Also apply to everyone this member invited, directly or indirectly. Moderators, admins and the people they
    /// invited are skipped. When undoing, only affects members whose suspension (or freeze) began at the same time as
    /// this member's, or later.
    #[arg(long)]
    with_invited: bool,
    #[command(flatten)]
    note: NoteArg,
    #[command(flatten)]
    store: DatabaseArgs,
}

/// Arguments of a suspension or an invite freeze.
#[derive(Debug, clap::Args)]
pub(super) struct TimedSanctionArgs {
    #[command(flatten)]
    sanction: SanctionArgs,
    #[command(flatten)]
    end: EndArgs,
    #[command(flatten)]
    notice: NoticeArgs,
}

impl TimedSanctionArgs {
    /// Applies the sanction and prints the new status of each member.
    pub(super) async fn apply(self, action: SanctionKind, done: &str) -> Result<(), String> {
        self.sanction.apply_until(action, self.end, &self.notice, done).await
    }
}

impl SanctionArgs {
    /// Builds the arguments for one member without the people they invited.
    pub(super) const fn single(username: String, note: NoteArg, store: DatabaseArgs) -> Self {
        Self { username, with_invited: false, note, store }
    }

    /// Applies the action and prints the new status of each member.
    pub(super) async fn apply(self, action: SanctionKind, done: &str) -> Result<(), String> {
        self.apply_until(action, EndArgs::default(), &NoticeArgs::default(), done).await
    }

    async fn apply_until(
        self,
        action: SanctionKind,
        end: EndArgs,
        notice: &NoticeArgs,
        done: &str,
    ) -> Result<(), String> {
        let note = self.note.validate()?;
        let notice_text = notice.validate()?;
        let state = super::open_state(self.store).await?;
        let until = match end.validate(state.now()) {
            Ok(until) => until,
            Err(error) => {
                state.db.close().await;
                return Err(error);
            }
        };
        let done = match until {
            Some(until) => &format!("{done} until {}", rfc3339(until)),
            None => done,
        };
        let run = SanctionRun { state, note, notice_text, action, until, done };
        let name = self.username.trim_start_matches('@');
        let applied = if self.with_invited {
            run.apply_to_invite_tree(name).await
        } else {
            run.apply_to_member(name).await
        };
        run.state.db.close().await;
        applied
    }
}

/// Applies one sanction to members in the operator's name.
struct SanctionRun<'a> {
    state: AppState,
    note: String,
    notice_text: NoticeText,
    action: SanctionKind,
    until: Option<Millis>,
    /// New status of a member, such as "is suspended".
    done: &'a str,
}

impl SanctionRun<'_> {
    async fn apply(&self, target: Target) -> Result<(), ApiError> {
        let sanction = Sanction {
            actor: Actor::Operator,
            target,
            kind: self.action,
            note: self.note.clone(),
            notice_text: self.notice_text.clone(),
            notice: self.state.id(),
            until: self.until,
            now: self.state.now(),
        };
        self.state.db.write(sanction).await
    }

    async fn apply_to_member(&self, name: &str) -> Result<(), String> {
        match self.apply(Target::Name(name.to_owned())).await {
            Ok(()) => print_line!("@{name} {}.", self.done),
            Err(error) if error.status() == StatusCode::NOT_FOUND => {
                Err(super::unknown_member(name))
            }
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// Applies the sanction to the root member first, so that no further member joins meanwhile. Undoing ends with the
    /// root, whose start time an interrupted command needs when it is rerun.
    async fn apply_to_invite_tree(&self, name: &str) -> Result<(), String> {
        let members = load_all_members(&self.state).await?;
        let root = members.iter().find(|member| member.username.eq_ignore_ascii_case(name));
        let Some(root) = root else {
            return Err(format!(
                "There is no member @{name}. Former usernames do not work with --with-invited."
            ));
        };
        let failed = match self.action {
            SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites => {
                if self.started_at(root).is_none() {
                    return Err(format!(
                        "@{name} was already released, so the start time is unknown. Release the others by name."
                    ));
                }
                let failed = self.apply_to_invited(root).await?;
                self.apply_to_member(name).await?;
                failed
            }
            _ => {
                self.apply_to_member(name).await?;
                self.apply_to_invited(root).await?
            }
        };
        if failed.is_empty() {
            return Ok(());
        }
        Err(format!("Not applied to all: {}.", failed.join("; ")))
    }

    /// Applies the sanction to everyone below `root`, and repeats until no new member is found, because others may join
    /// meanwhile. Returns the members that were skipped, with the reason.
    async fn apply_to_invited(&self, root: &MemberAdminRow) -> Result<Vec<String>, String> {
        let root_started_at = self.started_at(root);
        let (mut seen, mut failed) = (HashSet::from([root.id]), Vec::new());
        loop {
            let members = load_all_members(&self.state).await?;
            let found = find_new_invitees(members, &mut seen, &mut failed);
            if found.is_empty() {
                return Ok(failed);
            }
            for member in found.iter().filter(|member| self.is_affected(member, root_started_at)) {
                match self.apply(Target::Id(member.id)).await {
                    Ok(()) => print_line!("@{} {}.", member.username, self.done)?,
                    Err(error) => {
                        failed.push(format!("@{}: {}", member.username, error.message()));
                    }
                }
            }
        }
    }

    /// Returns when the member's suspension or freeze began.
    const fn started_at(&self, member: &MemberAdminRow) -> Option<Millis> {
        match self.action {
            SanctionKind::Suspend | SanctionKind::Unsuspend => member.suspended_at,
            SanctionKind::FreezeInvites | SanctionKind::UnfreezeInvites => member.invites_frozen_at,
            SanctionKind::Role(_) => None,
        }
    }

    /// Checks whether the sanction applies to a member below the root. Undoing skips members whose suspension or freeze
    /// began before the root's: it had another reason.
    fn is_affected(&self, member: &MemberAdminRow, root_started_at: Option<Millis>) -> bool {
        match (self.action, self.started_at(member)) {
            (SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites, Some(started_at)) => {
                root_started_at.is_some_and(|root| started_at >= root)
            }
            (SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites, None) => false,
            (_, started_at) => started_at.is_none(),
        }
    }
}

/// Returns the members invited by members in `seen`, and adds them to it; oldest first, so inviters come before the
/// members they invited. Moderators and admins are added to `failed` instead, and the people they invited are skipped.
fn find_new_invitees(
    members: Vec<MemberAdminRow>,
    seen: &mut HashSet<Id>,
    failed: &mut Vec<String>,
) -> Vec<MemberAdminRow> {
    let mut found = Vec::new();
    for member in members {
        let is_below = member.invited_by.is_some_and(|inviter| seen.contains(&inviter));
        if !is_below || seen.contains(&member.id) {
            continue;
        }
        if member.role == Role::Member as i64 {
            seen.insert(member.id);
            found.push(member);
        } else {
            let role = Role::name(member.role);
            let failure = format!("@{}: has the role {role}", member.username);
            if !failed.contains(&failure) {
                failed.push(failure);
            }
        }
    }
    found
}

/// Loads all members, oldest first, without the placeholder rows of deleted accounts.
pub(super) async fn load_all_members(state: &AppState) -> Result<Vec<MemberAdminRow>, String> {
    let loaded = async {
        let db = state.db.reader();
        let mut all = members::load_admin_rows(&db, Id::NONE).await?;
        while let Some(last) = all.last() {
            let page = members::load_admin_rows(&db, last.id).await?;
            if page.is_empty() {
                break;
            }
            all.extend(page);
        }
        Ok::<_, kith_db::Error>(all)
    };
    loaded.await.map_err(|error| format!("The members cannot be read: {error}."))
}
