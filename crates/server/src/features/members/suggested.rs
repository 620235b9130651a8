//! Whom to follow: people near me first, each with the reason.

use crate::features::members::MembersState;
use crate::features::members::{self, User};
use crate::features::posts;
use crate::features::recommendation_reason::Reason;
use crate::features::relationships::Unseen;
use crate::features::relationships::follows::{self, Circle};
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

/// Followers who are looked at, the newest first.
const FANS: usize = 50;
/// Members that one step of the last part reads.
const STEP: usize = 100;
/// Steps of the last part: who follows nearly everybody is not looked for any further.
const STEPS: usize = 20;

const NEWEST: Sql =
    sql!("select id from members where id < $1 and suspended_at is null order by id desc limit $2");

/// A member to follow, and why.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// The member.
    #[serde(flatten)]
    pub user: User,
    /// Why they are suggested.
    pub reason: Reason,
}

/// Members I do not follow: first those whom most people I follow do, then those who follow me,
/// then the authors of what is most popular, then the newest.
#[utoipa::path(get, path = "/api/users/suggested", operation_id = "listSuggestedUsers", tag = "users", params(SliceQuery),
    responses((status = 200, body = [Suggestion])))]
pub async fn suggested(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Query(slice): Query<SliceQuery>,
) -> Result<Json<Vec<Suggestion>>> {
    let (limit, offset) = slice.bounds(10)?;
    let db = app.db.reader();
    let reader = auth.member;
    let (circle, unseen) = futures_util::try_join!(
        follows::circle(&app.relationships.circles, &db, reader),
        Unseen::remembered(&app.relationships.visibility, &db, reader)
    )?;
    let wanted = offset.saturating_add(limit);
    let candidates = candidates(&db, reader, &circle, &unseen, wanted).await?;
    let page = candidates.get(offset..).unwrap_or_default();
    let ids = page.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let friends = ids.iter().filter_map(|id| circle.near(*id));
    let friends = friends.map(|near| near.by);
    let friends = friends.filter(|friend| !unseen.hides(*friend));
    let friends = friends.collect::<Vec<_>>();
    let (users, friends) = futures_util::try_join!(
        members::list(&app.members, &db, reader, &unseen, &ids),
        members::display_names(&app.members, &db, &friends),
    )?;
    let suggestions = users.into_iter().map(|user| {
        let near = circle.near(user.id.0);
        let friend = near.and_then(|near| Some((near, friends.get(&near.by)?)));
        let why = page.iter().find(|(id, _)| *id == user.id.0);
        let reason = match friend {
            Some((near, friend)) => followed_by(friend, near.count),
            None if user.follows_you => Reason::new("follows_you", "Follows you"),
            None => why.map_or_else(newest, |(_, why)| why.clone()),
        };
        Suggestion { user, reason }
    });
    Ok(Json(suggestions.collect()))
}

fn newest() -> Reason {
    Reason::new("new", "New on Kith")
}

fn followed_by(friend: &str, count: usize) -> Reason {
    let message = match count {
        0 | 1 => format!("Followed by {friend}"),
        2 => format!("Followed by {friend} and 1 other you follow"),
        _ => format!("Followed by {friend} and {} others you follow", count - 1),
    };
    Reason::new("followed_by", message)
}

/// The first `wanted` members to suggest, best first, each once.
async fn candidates(
    db: &Reader<'_>,
    reader: Id,
    circle: &Circle,
    unseen: &Unseen,
    wanted: usize,
) -> Result<Vec<(i64, Reason)>> {
    let mut seen = HashSet::from([reader.0]);
    let mut found = Vec::new();
    let mut take = |members: &[i64], why: fn() -> Reason| {
        let new = members
            .iter()
            .filter(|member| !circle.follows(**member) && !unseen.hides(**member))
            .filter(|member| seen.insert(**member));
        // Thousands may be near, of whom the first few are wanted.
        let room = wanted.saturating_sub(found.len());
        found.extend(new.take(room).map(|member| (*member, why())));
        found.len() >= wanted
    };
    let done = take(circle.nearest(), newest)
        || take(&follows::newest_followers(db, reader, FANS).await?, newest)
        || take(&posts::popular_authors(db).await?, || {
            Reason::new("popular", "Popular on Kith")
        });
    let mut before = i64::MAX;
    for _ in 0..if done { 0 } else { STEPS } {
        let members = db
            .all(&NEWEST, params![before, STEP], |row| row.int(0))
            .await?;
        let Some(last) = members.last() else {
            break;
        };
        before = *last;
        if take(&members, newest) {
            break;
        }
    }
    Ok(found)
}
