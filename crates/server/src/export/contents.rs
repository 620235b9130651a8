//! What is in an export. Everything is read page by page, as the member themselves would see it.

use crate::app::App;
use crate::auth;
use crate::clock::rfc3339;
use crate::export::archive::{Archive, List};
use crate::export::worker::{Failure, Progress};
use crate::extract::Page;
use crate::follows::{self, Side};
use crate::ids::Id;
use crate::safety::{self, Away};
use crate::{invites, leaving, media, moderation, notifications, posts, users, waitlist};
use futures_util::TryStreamExt as _;
use kith_db::Reader;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const README: &str = "\
Everything that Kith knows of your account, as it was when you asked for it.

account.json        who you are, where you are logged in, your invites, whom you
                    vouch for, addresses you changed to lately, and when your
                    account will be deleted, if you asked for that
posts.json          your posts, replies and reposts, newest first
likes.json          what you liked
votes.json          the polls you voted in; pollMyVote is your vote
following.json      whom you follow
followers.json      who follows you
blocked.json        whom you blocked
muted.json          whom you muted
reports.json        what you reported to the moderators
notifications.json  what you were told
media/              your images, as Kith shows them

The JSON files hold what the programming interface of Kith answers; its description is at
/api/openapi.json of the network. A post names its images by addresses such as
/images/0123.../1600.webp; here that image is media/0123....webp.
";

const PAGE: Page = Page {
    limit: 50,
    offset: 0,
    before: i64::MAX,
};

/// Where a list begins, and each further page of it.
fn from(before: i64) -> Page {
    Page { before, ..PAGE }
}

/// Writes everything of a member into an archive; answers the images that it should hold and that are not in
/// the store.
pub(super) async fn write(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<Vec<String>, Failure> {
    archive.text("README.txt").await?;
    archive.bytes(README.into()).await?;
    let (written, mut shown) = account(app, member, archive).await?;
    progress.at(1).await?;
    write_posts(app, member, archive, progress, (written, &mut shown)).await?;
    write_likes(app, member, archive, progress).await?;
    write_votes(app, member, archive, progress).await?;
    write_edges(app, member, archive, progress).await?;
    write_reports(app, member, archive, progress).await?;
    write_notifications(app, member, archive, progress).await?;
    images(app, &shown, archive, progress).await
}

/// Addresses of images that the member's own profile and posts show. What only a case holds would tell of
/// the report, and what else was made of their files, who shows the same.
type Images = BTreeSet<String>;

/// Who they are; answers how many posts they wrote, and what their profile shows.
async fn account(app: &App, member: Id, archive: &Archive) -> Result<(i64, Images), Failure> {
    let me = users::kept(app, member).await?;
    let db = app.db.reader();
    let now = app.now();
    let devices = auth::devices_of(&db, member, now, "").await?;
    let devices = devices.iter().map(|one| {
        json!({"name": one.name, "createdAt": one.created_at, "lastUsedAt": one.last_used_at})
    });
    let devices = devices.collect::<Vec<_>>();
    let (mut all, mut next) = (Vec::new(), Some(i64::MAX));
    while let Some(before) = next {
        let (page, last) = invites::page_of(&db, member, now, from(before)).await?;
        all.extend(page);
        next = last;
    }
    let (mut vouches, mut next) = (Vec::new(), Some(i64::MAX));
    while let Some(before) = next {
        let (page, last) = waitlist::vouches_of(&db, member, from(before)).await?;
        vouches.extend(page);
        next = last;
    }
    let changes = auth::changes_of(&db, member).await?;
    let delete_at = leaving::deletes_at(&db, member).await?.map(rfc3339);
    drop(db);
    archive.text("account.json").await?;
    let account = json!({
        "member": me, "devices": devices, "invites": all, "vouches": vouches,
        "addressChanges": changes, "deleteAt": delete_at,
    });
    archive.json(&account).await?;
    let images = [me.user.profile_image_url, me.user.header_image_url];
    Ok((me.user.post_count, images.into_iter().flatten().collect()))
}

async fn write_posts(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
    (written, shown): (i64, &mut Images),
) -> Result<(), Failure> {
    let mut list = List::new(archive, "posts.json").await?;
    let (mut done, mut next) = (0, Some(i64::MAX));
    while let Some(before) = next {
        // A reader at a time: nobody holds a connection while the archive is slow.
        let db = app.db.reader();
        let (page, last) = posts::written_by(&db, member, before).await?;
        drop(db);
        list.extend(&page).await?;
        done += i64::try_from(page.len()).unwrap_or(0);
        shown.extend(page.into_iter().flat_map(|post| post.image_urls));
        progress
            .at(1 + 49 * done.min(written) / written.max(1))
            .await?;
        next = last;
    }
    Ok(list.end().await?)
}

async fn write_likes(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let mut list = List::new(archive, "likes.json").await?;
    let mut next = Some(i64::MAX);
    while let Some(before) = next {
        let db = app.db.reader();
        let (page, last) = posts::liked(&db, member, before).await?;
        drop(db);
        let like = |(id, time, post)| json!({"postId": id, "likedAt": rfc3339(time), "post": post});
        list.extend(&page.into_iter().map(like).collect::<Vec<Value>>())
            .await?;
        progress.at(55).await?;
        next = last;
    }
    Ok(list.end().await?)
}

async fn write_votes(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let mut list = List::new(archive, "votes.json").await?;
    let mut next = Some(i64::MAX);
    while let Some(before) = next {
        let db = app.db.reader();
        let (page, last) = posts::voted(&db, member, before).await?;
        drop(db);
        list.extend(&page).await?;
        progress.at(60).await?;
        next = last;
    }
    Ok(list.end().await?)
}

/// Members with whom this one has to do.
#[derive(Clone, Copy)]
enum Others {
    Edge(Side),
    Away(Away),
}

impl Others {
    /// Some of them below a place, newest first, each with its place; and where the next ones begin.
    async fn below(
        self,
        db: &Reader<'_>,
        member: Id,
        before: i64,
    ) -> kith_db::Result<(Vec<(i64, Id)>, Option<i64>)> {
        match self {
            Self::Edge(side) => follows::edges_of(db, member, side, before).await,
            Self::Away(away) => safety::kept_away(db, member, away, before).await,
        }
    }
}

async fn write_edges(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    for (name, who) in [
        ("following.json", Others::Edge(Side::Following)),
        ("followers.json", Others::Edge(Side::Followers)),
        ("blocked.json", Others::Away(Away::Blocked)),
        ("muted.json", Others::Away(Away::Muted)),
    ] {
        let mut list = List::new(archive, name).await?;
        let mut next = Some(i64::MAX);
        while let Some(before) = next {
            let db = app.db.reader();
            let (page, last) = who.below(&db, member, before).await?;
            let others = page.iter().map(|(other, _)| *other).collect::<Vec<_>>();
            let members = users::refs(&db, &others).await?;
            drop(db);
            let edge = |(other, place): (i64, Id)| {
                let since = rfc3339(place.time());
                json!({"member": members.get(&other), "since": since})
            };
            list.extend(&page.into_iter().map(edge).collect::<Vec<_>>())
                .await?;
            progress.at(65).await?;
            next = last;
        }
        list.end().await?;
    }
    Ok(())
}

async fn write_reports(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let mut list = List::new(archive, "reports.json").await?;
    let mut next = Some(i64::MAX);
    while let Some(before) = next {
        let db = app.db.reader();
        let (page, last) = moderation::sent_by(&db, member, before).await?;
        drop(db);
        list.extend(&page).await?;
        progress.at(67).await?;
        next = last;
    }
    Ok(list.end().await?)
}

async fn write_notifications(
    app: &App,
    member: Id,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<(), Failure> {
    let mut list = List::new(archive, "notifications.json").await?;
    let mut next = Some(i64::MAX);
    while let Some(before) = next {
        let db = app.db.reader();
        let (page, last) = notifications::page(&db, member, from(before)).await?;
        drop(db);
        list.extend(&page).await?;
        progress.at(70).await?;
        next = last;
    }
    Ok(list.end().await?)
}

async fn images(
    app: &App,
    shown: &Images,
    archive: &Archive,
    progress: &mut Progress<'_>,
) -> Result<Vec<String>, Failure> {
    let mut missing = Vec::new();
    let kept = shown.iter().filter_map(|url| media::kept_at(url));
    for (done, (image, key)) in kept.enumerate() {
        if let Some(mut object) = app.storage.read(key, None).await? {
            archive.image(&format!("media/{image}.webp")).await?;
            while let Some(bytes) = object.body.try_next().await? {
                archive.bytes(bytes).await?;
            }
        } else {
            missing.push(image.to_owned());
        }
        let percent = 25 * (done + 1) / shown.len();
        progress
            .at(70 + i64::try_from(percent).unwrap_or(0))
            .await?;
    }
    progress.at(95).await?;
    Ok(missing)
}
