//! `GET /api/trending`: up to six pinned topics, then the most used tags of the last week.

use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::settings::{self, PinnedTopic};
use crate::features::tags::TagsState;
use crate::features::tags::dto::TrendingTag;
use crate::http::error::Result;
use crate::http::extract::{OffsetQuery, Query};
use crate::platform::clock::{DAY, MINUTE, Millis};
use crate::platform::ids::Id;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Sql, params, sql};
use kith_text::normalize_hashtag;
use std::sync::Arc;

/// Age of the oldest posts that count.
const WINDOW: Millis = 7 * DAY;
/// TTL of the cached counts: counting reads a week of tagged posts.
const CACHE_TTL: Millis = MINUTE;

/// Ranks tags by distinct authors first, so that one prolific author cannot make a tag trend. The inner
/// limit makes SQLite and PostgreSQL scan a range of the newest rows, and bounds the cost.
const RANKED: Sql = sql!(
    "select tag, count(*) from
       (select id, tag, author_id from tag_posts where id >= $1 order by id desc limit 200000) as recent
     where author_id not in (select id from members where suspended_at is not null and username <> 'deleted')
     group by tag order by count(distinct author_id) desc, count(*) desc, max(id) desc, tag limit 100"
);
const COUNT: Sql = sql!(
    "select count(*) from
       (select author_id from tag_posts where tag = $1 and id >= $2 order by id desc limit 200000) as recent
     where author_id not in (select id from members where suspended_at is not null and username <> 'deleted')"
);

/// Lists the pinned topics in their order, up to six, then the hashtags of the last 7 days used by most members; at
/// most 106 in total. Counts are at most one minute old.
#[utoipa::path(get, path = "/api/trending", operation_id = "listTrending", tag = "hashtags", params(OffsetQuery),
    responses((status = 200, body = [TrendingTag])))]
pub async fn list_trending(
    State(state): State<Arc<TagsState>>,
    _auth: AuthenticatedMember,
    Query(slice): Query<OffsetQuery>,
) -> Result<Json<Vec<TrendingTag>>> {
    let (limit, offset) = slice.bounds(20)?;
    let topics = load_trending(&state).await?;
    let page = topics.iter().skip(offset).take(limit);
    Ok(Json(page.cloned().collect()))
}

async fn load_trending(state: &TagsState) -> Result<Arc<[TrendingTag]>> {
    let now = state.now();
    // The lock is held while counting, so that concurrent requests share one count.
    let mut cached = state.trending.0.lock().await;
    if let Some((counted_at, topics)) = &*cached
        && (0..CACHE_TTL).contains(&(now - counted_at))
    {
        return Ok(Arc::clone(topics));
    }
    let topics: Arc<[TrendingTag]> = count_topics(&state.db.reader(), now).await?.into();
    *cached = Some((now, Arc::clone(&topics)));
    Ok(topics)
}

async fn count_topics(db: &Reader<'_>, now: Millis) -> kith_db::Result<Vec<TrendingTag>> {
    let since = Id::first_at(now - WINDOW);
    let mut topics = Vec::new();
    let mut pinned = Vec::new();
    for PinnedTopic { tag: name, category } in settings::load_pinned_topics(db).await? {
        let tag = normalize_hashtag(&name).unwrap_or_default();
        let post_count = db.one(&COUNT, params![&tag, since], |row| row.int(0)).await?;
        topics.push(TrendingTag { tag: name, category: Some(category), post_count });
        pinned.push(tag);
    }
    let read = |row: &kith_db::Row<'_>| {
        Ok(TrendingTag { tag: row.text(0)?, category: None, post_count: row.int(1)? })
    };
    let ranked = db.all(&RANKED, params![since], read).await?;
    topics.extend(ranked.into_iter().filter(|topic| !pinned.contains(&topic.tag)));
    Ok(topics)
}
