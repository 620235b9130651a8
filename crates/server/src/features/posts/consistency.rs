//! Compares the stored counters of posts with the counted rows, and lists the images in use.

use crate::features::media::Image;
use crate::platform::ids::Id;
use kith_db::{Reader, Result, Sql, SqlIn, params, sql, sql_in};
use std::collections::HashMap;

const LIKES: Sql = sql!(
    "select count(*) from posts where deleted_at is null and like_count <>
       (select count(*) from likes where likes.post_id = posts.id)"
);
const REPOSTS: Sql = sql!(
    "select count(*) from posts where deleted_at is null and repost_count <>
       (select count(*) from reposts where reposts.post_id = posts.id)"
);
const REPLIES: Sql = sql!(
    "select count(*) from posts where deleted_at is null and reply_count <>
       (select count(*) from replies where replies.post_id = posts.id and replies.deleted_at is null)"
);
const PARTICIPANTS: Sql = sql!(
    "select count(*) from posts where deleted_at is null and people_count <>
       (select count(*) from (
          select likes.member_id from likes where likes.post_id = posts.id
          union select reposts.member_id from reposts where reposts.post_id = posts.id
          union select replies.author_id from replies
            where replies.post_id = posts.id and replies.deleted_at is null
        ) as people where people.member_id <> posts.author_id)"
);
const VOTES: Sql = sql!(
    "select count(*) from poll_choices where votes <>
       (select count(*) from poll_votes where poll_votes.post_id = poll_choices.post_id
          and poll_votes.choice = poll_choices.choice)"
);
const LIST_IMAGES: Sql = sql!(
    "select id, images from posts where images is not null and deleted_at is null and id > $1
     order by id limit $2"
);
static COUNT_WRITTEN: SqlIn = sql_in!(
    "select author_id, count(*) from author_posts where author_id in ($ids) and kind <> 2
     group by author_id"
);

/// Counts the rows with a wrong counter. Returns (name of the counter, rows) for each.
pub async fn find_wrong_counts(db: &Reader<'_>) -> Result<Vec<(&'static str, i64)>> {
    let mut wrong = Vec::new();
    for (counter, sql) in [
        ("likes of a post", LIKES),
        ("reposts of a post", REPOSTS),
        ("replies to a post", REPLIES),
        ("people at a post", PARTICIPANTS),
        ("votes of a poll", VOTES),
    ] {
        wrong.push((counter, db.one(&sql, &[], |row| row.int(0)).await?));
    }
    Ok(wrong)
}

/// Counts the posts and replies of members; members without any are absent from the map.
pub async fn count_written_posts(db: &Reader<'_>, members: &[i64]) -> Result<HashMap<i64, i64>> {
    let rows = db.all_in(&COUNT_WRITTEN, &[], members, |row| Ok((row.int(0)?, row.int(1)?)));
    Ok(rows.await?.into_iter().collect())
}

/// Posts per query.
const IMAGE_BATCH: u32 = 500;

/// Returns the image URLs of the next batch of posts after `after` and the last post of the batch; `None` at
/// the end.
pub async fn list_shown_images(db: &Reader<'_>, after: Id) -> Result<Option<(Vec<String>, Id)>> {
    let bound = params![after.0, IMAGE_BATCH];
    let rows = db.all(&LIST_IMAGES, bound, |row| Ok((Id(row.int(0)?), row.text(1)?)));
    let rows = rows.await?;
    let Some((last, _)) = rows.last() else {
        return Ok(None);
    };
    let last = *last;
    let images = rows
        .into_iter()
        .flat_map(|(_, images)| serde_json::from_str::<Vec<Image>>(&images).unwrap_or_default());
    Ok(Some((images.map(|image| image.url).collect(), last)))
}
