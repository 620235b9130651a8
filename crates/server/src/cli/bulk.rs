//! Deeds to a member, or to them and everybody who came by them.

use crate::cli::Why;
use crate::features::members;
use crate::features::members::{MemberAdminRow, Role, SanctionKind};
use crate::features::moderation::{Actor, Sanction, Target};
use crate::http::error::ApiError;
use crate::platform::clock::Millis;
use crate::platform::config::Store;
use crate::platform::ids::Id;
use crate::platform::output::say;
use crate::state::AppState;
use axum::http::StatusCode;
use std::collections::HashSet;

/// To whom something is done, and why.
#[derive(Debug, clap::Args)]
pub(super) struct Order {
    /// With or without the @.
    username: String,
    /// Do it to whom they let in as well, to whom those let in, and so on; not to moderators and admins among
    /// them. Taken back, it ends for whom it began when it did for the first, or later.
    #[arg(long)]
    with_invited: bool,
    #[command(flatten)]
    why: Why,
    #[command(flatten)]
    store: Store,
}

impl Order {
    /// Concerns nobody else.
    pub(super) const fn to_one(username: String, why: Why, store: Store) -> Self {
        Self {
            username,
            with_invited: false,
            why,
            store,
        }
    }

    /// Applies the action and prints the new status of each member.
    pub(super) async fn apply(self, action: SanctionKind, done: &str) -> Result<(), String> {
        let giver = Giver {
            note: self.why.clean()?,
            app: super::open(self.store).await?,
            action,
            done,
        };
        let name = self.username.trim_start_matches('@');
        let given = if self.with_invited {
            giver.to_branch(name).await
        } else {
            giver.to_one(name).await
        };
        giver.app.db.close().await;
        given
    }
}

/// Applies one action to members.
struct Giver<'a> {
    app: AppState,
    note: String,
    action: SanctionKind,
    done: &'a str,
}

impl Giver<'_> {
    async fn apply(&self, target: Target) -> Result<(), ApiError> {
        let sanction = Sanction {
            actor: Actor::Operator,
            target,
            kind: self.action,
            note: self.note.clone(),
            now: self.app.now(),
        };
        self.app.db.write(sanction).await
    }

    async fn to_one(&self, name: &str) -> Result<(), String> {
        match self.apply(Target::Name(name.to_owned())).await {
            Ok(()) => say!("@{name} {}.", self.done),
            Err(error) if error.status() == StatusCode::NOT_FOUND => {
                Err(format!("There is no member @{name}."))
            }
            Err(error) => Err(error.message().to_owned()),
        }
    }

    /// Whom the first let in come behind them, so that nobody else comes by who is still to come; when it is
    /// taken back they come before, so that a command that was cut short can be given once more.
    async fn to_branch(&self, name: &str) -> Result<(), String> {
        let members = all(&self.app).await?;
        let first = members
            .iter()
            .find(|one| one.username.eq_ignore_ascii_case(name));
        let Some(first) = first else {
            return Err(format!(
                "There is no member @{name}; with --with-invited an earlier name is not enough."
            ));
        };
        let left = match self.action {
            SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites => {
                if self.since(first).is_none() {
                    return Err(format!(
                        "@{name} was let off already, so that since when is not known: take it back of the others by name."
                    ));
                }
                let left = self.to_invited(first).await?;
                self.to_one(name).await?;
                left
            }
            _ => {
                self.to_one(name).await?;
                self.to_invited(first).await?
            }
        };
        if left.is_empty() {
            return Ok(());
        }
        Err(format!("Not done to all: {}.", left.join("; ")))
    }

    /// Looks until nobody is found any more, since others join meanwhile; answers to whom it was not done, and why.
    async fn to_invited(&self, first: &MemberAdminRow) -> Result<Vec<String>, String> {
        let began = self.since(first);
        let (mut seen, mut left) = (HashSet::from([first.id]), Vec::new());
        loop {
            let found = newly_seen(all(&self.app).await?, &mut seen, &mut left);
            if found.is_empty() {
                return Ok(left);
            }
            for one in found.iter().filter(|one| self.concerns(one, began)) {
                match self.apply(Target::Id(one.id)).await {
                    Ok(()) => say!("@{} {}.", one.username, self.done)?,
                    Err(error) => left.push(format!("@{}: {}", one.username, error.message())),
                }
            }
        }
    }

    /// Since when what this gives or takes back holds for a member.
    const fn since(&self, member: &MemberAdminRow) -> Option<Millis> {
        match self.action {
            SanctionKind::Suspend | SanctionKind::Unsuspend => member.suspended_at,
            SanctionKind::FreezeInvites | SanctionKind::UnfreezeInvites => member.invites_frozen_at,
            SanctionKind::Role(_) => None,
        }
    }

    /// Whether it is done to somebody whom the first, for whom it holds since `began`, brought. Who was kept out
    /// for something else before stays as they are.
    fn concerns(&self, member: &MemberAdminRow, began: Option<Millis>) -> bool {
        match (self.action, self.since(member)) {
            (SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites, Some(since)) => {
                began.is_some_and(|began| since >= began)
            }
            (SanctionKind::Unsuspend | SanctionKind::UnfreezeInvites, None) => false,
            (_, since) => since.is_none(),
        }
    }
}

/// Who came by those who were seen and was not seen yet, the oldest first: each before whom they let in. Those
/// with a role are named in `left`, and whom they let in is none of it.
fn newly_seen(
    members: Vec<MemberAdminRow>,
    seen: &mut HashSet<Id>,
    left: &mut Vec<String>,
) -> Vec<MemberAdminRow> {
    let mut found = Vec::new();
    for one in members {
        let is_below = one
            .invited_by
            .is_some_and(|inviter| seen.contains(&inviter));
        if !is_below || seen.contains(&one.id) {
            continue;
        }
        if one.role == Role::Member as i64 {
            seen.insert(one.id);
            found.push(one);
        } else {
            let named = format!("@{}: has the role {}", one.username, Role::name(one.role));
            if !left.contains(&named) {
                left.push(named);
            }
        }
    }
    found
}

/// Every member, the oldest first. The empty rows of members who left are nobody.
pub(super) async fn all(app: &AppState) -> Result<Vec<MemberAdminRow>, String> {
    let all = async {
        let db = app.db.reader();
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
    let all = all.await;
    all.map_err(|error| format!("The members cannot be read: {error}."))
}
