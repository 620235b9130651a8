//! Suggests members to follow, second-degree contacts first, each with a reason.

use crate::features::members::MembersState;
use crate::features::members::{self, User};
use crate::features::posts;
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, Query};
use crate::platform::ids::Id;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Sql, params, sql};
use serde::Serialize;
use std::collections::HashSet;
use std::sync::Arc;
use utoipa::ToSchema;

/// Newest followers considered as candidates.
const MAX_FOLLOWERS: usize = 50;
/// Members per read of the newest members.
const BATCH: usize = 100;
/// Maximum reads of the newest members: bounds the scan for a viewer who follows nearly all members.
const MAX_BATCHES: usize = 20;

const NEWEST: Sql =
    sql!("select id from members where id < $1 and suspended_at is null order by id desc limit $2");

/// A suggested member to follow.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The suggested member.
    #[serde(flatten)]
    pub user: User,
    /// Reason for the suggestion.
    pub reason: Reason,
}

/// Lists suggested members the viewer does not follow. Ranks members followed by most of the members
/// the viewer follows first, then followers of the viewer, authors of the most popular posts, and the
/// newest members.
#[utoipa::path(get, path = "/api/users/suggested", operation_id = "listSuggestedUsers", tag = "users", params(OffsetQuery),
    responses((status = 200, body = [Suggestion])))]
pub async fn list_suggested_users(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<OffsetQuery>,
) -> Result<Json<Vec<Suggestion>>> {
    let (limit, offset) = slice.bounds(10)?;
    let db = state.db.reader();
    let viewer = auth.member;
    let (neighborhood, hidden) = futures_util::try_join!(
        follows::load_neighborhood(&state.relationships.neighborhoods, &db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, &db, viewer)
    )?;
    let wanted = offset.saturating_add(limit);
    let candidates = load_candidates(&db, viewer, &neighborhood, &hidden, wanted).await?;
    let page = candidates.get(offset..).unwrap_or_default();
    let ids = page.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let contacts = ids.iter().filter_map(|id| neighborhood.second_degree(*id));
    let contacts = contacts.map(|near| near.by);
    let contacts = contacts.filter(|contact| !hidden.hides_from_lists(*contact));
    let contacts = contacts.collect::<Vec<_>>();
    let (users, contact_names) = futures_util::try_join!(
        members::load_users(&state.members, &db, viewer, &hidden, &ids),
        members::load_display_names(&state.members, &db, &contacts),
    )?;
    let suggestions = users.into_iter().map(|user| {
        let near = neighborhood.second_degree(user.id.0);
        let contact = near.and_then(|near| Some((near, contact_names.get(&near.by)?)));
        let candidate = page.iter().find(|(id, _)| *id == user.id.0);
        let reason = match contact {
            Some((near, name)) => followed_by_reason(name, near.count),
            None if user.follows_you => Reason::new("follows_you", "Follows you"),
            None => candidate.map_or_else(newest_reason, |(_, reason)| reason.clone()),
        };
        Suggestion { user, reason }
    });
    Ok(Json(suggestions.collect()))
}

fn newest_reason() -> Reason {
    Reason::new("new", "New on this network")
}

fn followed_by_reason(contact: &str, count: usize) -> Reason {
    let message = match count {
        0 | 1 => format!("Followed by {contact}"),
        2 => format!("Followed by {contact} and 1 other you follow"),
        _ => format!("Followed by {contact} and {} others you follow", count - 1),
    };
    let reason = Reason::new("followed_by", message).with_name(contact);
    Reason { others: i64::try_from(count.saturating_sub(1)).ok(), ..reason }
}

/// Collects the first `wanted` members to suggest, best first, without duplicates.
async fn load_candidates(
    db: &Reader<'_>,
    viewer: Id,
    neighborhood: &Neighborhood,
    hidden: &HiddenMembers,
    wanted: usize,
) -> Result<Vec<(i64, Reason)>> {
    let mut seen = HashSet::from([viewer.0]);
    let mut found = Vec::new();
    let mut add = |members: &[i64], reason: fn() -> Reason| {
        let new = members
            .iter()
            .filter(|member| !neighborhood.follows(**member) && !hidden.hides_from_lists(**member))
            .filter(|member| seen.insert(**member));
        // Thousands may be in the second degree; stop at the wanted number.
        let missing = wanted.saturating_sub(found.len());
        found.extend(new.take(missing).map(|member| (*member, reason())));
        found.len() >= wanted
    };
    let is_full = add(neighborhood.ranked_second_degree(), newest_reason)
        || add(&follows::load_newest_followers(db, viewer, MAX_FOLLOWERS).await?, newest_reason)
        || add(&posts::load_popular_authors(db).await?, || {
            Reason::new("popular", "Popular on this network")
        });
    let mut before = i64::MAX;
    for _ in 0..if is_full { 0 } else { MAX_BATCHES } {
        let members = db.all(&NEWEST, params![before, BATCH], |row| row.int(0)).await?;
        let Some(last) = members.last() else {
            break;
        };
        before = *last;
        if add(&members, newest_reason) {
            break;
        }
    }
    Ok(found)
}
