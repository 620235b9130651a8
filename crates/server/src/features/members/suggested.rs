//! Suggests members to follow, second-degree contacts first, each with a reason.

use crate::features::members::MembersState;
use crate::features::members::{self, User};
use crate::features::posts;
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::HiddenMembers;
use crate::features::relationships::follows::{self, Neighborhood};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::http::error::Result;
use crate::http::extract::{Query, SliceQuery};
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
#[utoipa::path(get, path = "/api/users/suggested", operation_id = "listSuggestedUsers", tag = "users", params(SliceQuery),
    responses((status = 200, body = [Suggestion])))]
pub async fn suggested(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<SliceQuery>,
) -> Result<Json<Vec<Suggestion>>> {
    let (limit, offset) = slice.bounds(10)?;
    let db = state.db.reader();
    let viewer = auth.member;
    let (circle, unseen) = futures_util::try_join!(
        follows::load_neighborhood(&state.relationships.neighborhoods, &db, viewer),
        HiddenMembers::load_cached(&state.relationships.visibility, &db, viewer)
    )?;
    let wanted = offset.saturating_add(limit);
    let candidates = load_candidates(&db, viewer, &circle, &unseen, wanted).await?;
    let page = candidates.get(offset..).unwrap_or_default();
    let ids = page.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let friends = ids.iter().filter_map(|id| circle.second_degree(*id));
    let friends = friends.map(|near| near.by);
    let friends = friends.filter(|friend| !unseen.hides_from_lists(*friend));
    let friends = friends.collect::<Vec<_>>();
    let (users, friends) = futures_util::try_join!(
        members::load_users(&state.members, &db, viewer, &unseen, &ids),
        members::load_display_names(&state.members, &db, &friends),
    )?;
    let suggestions = users.into_iter().map(|user| {
        let near = circle.second_degree(user.id.0);
        let friend = near.and_then(|near| Some((near, friends.get(&near.by)?)));
        let why = page.iter().find(|(id, _)| *id == user.id.0);
        let reason = match friend {
            Some((near, friend)) => followed_by_reason(friend, near.count),
            None if user.follows_you => Reason::new("follows_you", "Follows you"),
            None => why.map_or_else(newest_reason, |(_, why)| why.clone()),
        };
        Suggestion { user, reason }
    });
    Ok(Json(suggestions.collect()))
}

fn newest_reason() -> Reason {
    Reason::new("new", "New on Kith")
}

fn followed_by_reason(friend: &str, count: usize) -> Reason {
    let message = match count {
        0 | 1 => format!("Followed by {friend}"),
        2 => format!("Followed by {friend} and 1 other you follow"),
        _ => format!("Followed by {friend} and {} others you follow", count - 1),
    };
    Reason::new("followed_by", message)
}

/// Collects the first `wanted` members to suggest, best first, without duplicates.
async fn load_candidates(
    db: &Reader<'_>,
    viewer: Id,
    circle: &Neighborhood,
    unseen: &HiddenMembers,
    wanted: usize,
) -> Result<Vec<(i64, Reason)>> {
    let mut seen = HashSet::from([viewer.0]);
    let mut found = Vec::new();
    let mut add = |members: &[i64], why: fn() -> Reason| {
        let new = members
            .iter()
            .filter(|member| !circle.follows(**member) && !unseen.hides_from_lists(**member))
            .filter(|member| seen.insert(**member));
        // Thousands may be in the second degree; stop at the wanted number.
        let room = wanted.saturating_sub(found.len());
        found.extend(new.take(room).map(|member| (*member, why())));
        found.len() >= wanted
    };
    let done = add(circle.ranked_second_degree(), newest_reason)
        || add(&follows::load_newest_followers(db, viewer, MAX_FOLLOWERS).await?, newest_reason)
        || add(&posts::load_popular_authors(db).await?, || {
            Reason::new("popular", "Popular on Kith")
        });
    let mut before = i64::MAX;
    for _ in 0..if done { 0 } else { MAX_BATCHES } {
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
