//! Content of an export, read page by page with the member as viewer.

use crate::features::account::AccountState;
use crate::features::account::deletion;
use crate::features::account::export::archive::{Archive, JsonArray};
use crate::features::account::export::progress::{ExportError, ExportProgress};
use crate::features::auth;
use crate::features::relationships::{self, follows};
use crate::features::{
    invites, media, members, moderation, notifications, posts, push, settings, waitlist,
};
use crate::http::extract::Page;
use crate::http::pagination;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use futures_util::TryStreamExt as _;
use kith_db::{Reader, Sql, params};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use std::io;

const README: &str = "\
A copy of everything in your {network} account, from the time of your request.

account.json        your account, sessions, invites, the people you vouched for,
                    recent changes of your email address, what you are notified
                    of, and the date of your account's deletion if you requested it
posts.json          your posts, replies and reposts, newest first
likes.json          posts you liked
votes.json          polls you voted in; pollMyVote is your vote
following.json      members you follow
followers.json      members who follow you
blocked.json        members you blocked
muted.json          members you muted
muted-conversations.json
                    conversations you muted, by their first posts
reports.json        your reports to the moderators, and their outcome
notices.json        notices from the moderators, and your objections
notifications.json  your notifications
media/              your images, as {network} shows them

The JSON files have the format of the API, which is described at /api/openapi.json on the
server. A post refers to its images by URLs such as /images/0123.../1600.webp; here that
image is media/0123....webp.
";

const PAGE: Page = Page { limit: 50, offset: 0, before: i64::MAX };

/// Returns the page parameters below a cursor.
fn page_before(before: i64) -> Page {
    Page { before, ..PAGE }
}

/// Writes a member's data into an archive; returns the images that are missing in the storage.
pub(crate) async fn write_archive(
    state: &AccountState,
    member: Id,
    archive: &Archive,
    progress: &mut ExportProgress<'_>,
) -> Result<Vec<String>, ExportError> {
    archive.start_text("README.txt").await?;
    let network = settings::load_mail_identity(&state.db.reader()).await?.name;
    archive.append(README.replace("{network}", &network).into()).await?;
    let (post_count, mut images) = write_account(state, member, archive).await?;
    progress.report(1).await?;
    write_posts(state, member, archive, progress, (post_count, &mut images)).await?;
    write_lists(state, member, archive, progress).await?;
    write_images(state, &images, archive, progress).await
}

/// URL paths of the images in the member's own profile and posts. Other images would reveal reports, or uses by other
/// members.
type Images = BTreeSet<String>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct PostImages {
    image_urls: Vec<String>,
}

fn post_images(post: &RawValue) -> io::Result<Vec<String>> {
    Ok(serde_json::from_str::<PostImages>(post.get())?.image_urls)
}

/// Writes `account.json`; returns the number of posts and the profile's images.
async fn write_account(
    state: &AccountState,
    member: Id,
    archive: &Archive,
) -> Result<(i64, Images), ExportError> {
    let me = members::load_me_with_suspended(state, member).await?;
    let db = state.db.reader();
    let now = state.now();
    let sessions = auth::list_member_sessions(&db, member, now, "").await?;
    let sessions = sessions.iter().map(|session| {
        json!({
            "name": session.name,
            "createdAt": session.created_at,
            "lastUsedAt": session.last_used_at,
        })
    });
    let sessions = sessions.collect::<Vec<_>>();
    let (mut invites, mut next) = (Vec::new(), Some(i64::MAX));
    while let Some(before) = next {
        let (page, cursor) = invites::load_invites(&db, member, now, page_before(before)).await?;
        invites.extend(page);
        next = cursor;
    }
    let (mut vouches, mut next) = (Vec::new(), Some(i64::MAX));
    while let Some(before) = next {
        let (page, cursor) = waitlist::load_vouches(&db, member, page_before(before)).await?;
        vouches.extend(page);
        next = cursor;
    }
    let changes = auth::list_email_changes(&db, member).await?;
    let delete_at = deletion::find_delete_at(&db, member).await?.map(rfc3339);
    let language = members::load_language(&db, member).await?;
    let notification_settings = notifications::load_settings(&db, member).await?;
    let push_devices = push::list_devices(&db, member).await?;
    drop(db);
    archive.start_text("account.json").await?;
    let account = json!({
        "member": me, "devices": sessions, "invites": invites, "vouches": vouches,
        "addressChanges": changes, "deleteAt": delete_at, "language": language,
        "notificationSettings": notification_settings, "pushDevices": push_devices,
    });
    archive.append_json(&account).await?;
    let images = [me.user.profile_image_url, me.user.header_image_url];
    Ok((me.user.post_count, images.into_iter().flatten().collect()))
}

async fn write_posts(
    state: &AccountState,
    member: Id,
    archive: &Archive,
    progress: &mut ExportProgress<'_>,
    (post_count, images): (i64, &mut Images),
) -> Result<(), ExportError> {
    let mut list = JsonArray::new(archive, "posts.json").await?;
    let (mut done, mut next) = (0, Some(i64::MAX));
    while let Some(before) = next {
        // Takes a new reader per page, so that a slow archive does not hold a connection.
        let db = state.db.reader();
        let (page, cursor) = posts::export_posts(&state.posts, &db, member, before).await?;
        drop(db);
        list.extend(&page).await?;
        done += i64::try_from(page.len()).unwrap_or(0);
        for post in &page {
            images.extend(post_images(post)?);
        }
        progress.report(1 + 49 * done.min(post_count) / post_count.max(1)).await?;
        next = cursor;
    }
    Ok(list.end().await?)
}

/// Writes a list page by page. `load` returns the rows below a cursor and the next cursor, and must release its
/// connection, because the archive may be slow.
async fn write_list<T: Serialize, F>(
    archive: &Archive,
    progress: &mut ExportProgress<'_>,
    (name, percent): (&str, i64),
    load: impl Fn(i64) -> F,
) -> Result<(), ExportError>
where
    F: Future<Output = Result<(Vec<T>, Option<i64>), ExportError>>,
{
    let mut list = JsonArray::new(archive, name).await?;
    let mut next = Some(i64::MAX);
    while let Some(before) = next {
        let (page, cursor) = load(before).await?;
        list.extend(&page).await?;
        progress.report(percent).await?;
        next = cursor;
    }
    Ok(list.end().await?)
}

async fn write_lists(
    state: &AccountState,
    member: Id,
    archive: &Archive,
    progress: &mut ExportProgress<'_>,
) -> Result<(), ExportError> {
    let likes = |before| async move {
        let (page, cursor) =
            posts::export_likes(&state.posts, &state.db.reader(), member, before).await?;
        let like = |(id, time, post)| json!({"postId": id, "likedAt": rfc3339(time), "post": post});
        Ok((page.into_iter().map(like).collect::<Vec<_>>(), cursor))
    };
    write_list(archive, progress, ("likes.json", 55), likes).await?;
    let votes = |before| async move {
        Ok(posts::export_votes(&state.posts, &state.db.reader(), member, before).await?)
    };
    write_list(archive, progress, ("votes.json", 60), votes).await?;
    for (name, edges) in [
        ("following.json", &follows::FOLLOWING),
        ("followers.json", &follows::FOLLOWERS),
        ("blocked.json", &relationships::BLOCKED),
        ("muted.json", &relationships::MUTED),
    ] {
        let load = |before| async move {
            let db = state.db.reader();
            let (page, cursor) = load_edges(&db, edges, member, before).await?;
            let others = page.iter().map(|(other, _)| *other).collect::<Vec<_>>();
            let members = members::load_refs(&db, &others).await?;
            let edge = |(other, edge_id): (i64, Id)| {
                let since = rfc3339(edge_id.time());
                json!({"member": members.get(&other), "since": since})
            };
            Ok((page.into_iter().map(edge).collect::<Vec<_>>(), cursor))
        };
        write_list(archive, progress, (name, 65), load).await?;
    }
    let conversations = |before| async move {
        let page = (before, PAGE.limit);
        Ok(notifications::list_muted_conversations(&state.db.reader(), member, page).await?)
    };
    let muted_conversations = ("muted-conversations.json", 66);
    write_list(archive, progress, muted_conversations, conversations).await?;
    let reports = |before| async move {
        Ok(moderation::load_sent_reports(&state.db.reader(), member, before).await?)
    };
    write_list(archive, progress, ("reports.json", 67), reports).await?;
    let notices = |before| async move {
        Ok(moderation::load_notices(&state.db.reader(), member, page_before(before)).await?)
    };
    write_list(archive, progress, ("notices.json", 68), notices).await?;
    let notifications = |before| async move {
        let db = state.db.reader();
        let all = notifications::NotificationFilter::All;
        Ok(notifications::load_page(&db, member, all, page_before(before)).await?)
    };
    write_list(archive, progress, ("notifications.json", 70), notifications).await
}

/// Loads a page of a member's edges, such as follows, with ids below `before`, newest first: the other member and the
/// edge's id. Also returns the cursor of the next page. `sql` selects member and id by member, id and count.
async fn load_edges(
    db: &Reader<'_>,
    sql: &Sql,
    member: Id,
    before: i64,
) -> kith_db::Result<(Vec<(i64, Id)>, Option<i64>)> {
    let parameters = params![member.0, before, PAGE.limit];
    let rows = db.all(sql, parameters, |row| Ok((row.int(0)?, Id(row.int(1)?)))).await?;
    let next = pagination::next_cursor(&rows, PAGE.limit, |(_, id)| id.0);
    Ok((rows, next))
}

async fn write_images(
    state: &AccountState,
    images: &Images,
    archive: &Archive,
    progress: &mut ExportProgress<'_>,
) -> Result<Vec<String>, ExportError> {
    let mut missing = Vec::new();
    let stored = images.iter().filter_map(|url| media::hash_and_storage_key(url));
    for (done, (image, key)) in stored.enumerate() {
        if let Some(mut object) = state.storage.read(key, None).await? {
            archive.start_image(&format!("media/{image}.webp")).await?;
            while let Some(bytes) = object.body.try_next().await? {
                archive.append(bytes).await?;
            }
        } else {
            missing.push(image.to_owned());
        }
        let percent = 25 * (done + 1) / images.len();
        progress.report(70 + i64::try_from(percent).unwrap_or(0)).await?;
    }
    progress.report(95).await?;
    Ok(missing)
}
