//! Renders a digest from what is waiting for its recipient when it is sent.

use crate::features::digest::{WEEK, store, unsubscribe};
use crate::features::notifications::{self, Notification, NotificationKind};
use crate::features::relationships::{HiddenMembers, follows};
use crate::features::{members, posts, sessions};
use crate::platform::Platform;
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use crate::platform::mail::{
    Digest, DigestPost, Mail, MailIdentity, Recipient, render_digest_mail,
};
use kith_db::Reader;

/// Age of a notification at which a digest leaves it out.
const MAX_AGE: Millis = 4 * WEEK;
/// Time in which a digest is sent or given up.
const MAX_DELAY: Millis = DAY;

/// Renders the digest that was queued at `queued_at`. `None` if it is too late, if the member turned digests off, was
/// suspended, has been here or has no email, and if nothing is waiting.
pub(crate) async fn render_mail(
    platform: &Platform,
    network: &MailIdentity,
    member: Id,
    queued_at: Millis,
) -> kith_db::Result<Option<Mail>> {
    let now = platform.now();
    let db = platform.db.reader();
    let Some(row) = store::find(&db, member).await?.filter(|_| now <= queued_at + MAX_DELAY) else {
        return Ok(None);
    };
    if !members::is_active(&db, member).await?
        || sessions::was_here_since(&db, member, now - WEEK, now).await?
    {
        return Ok(None);
    }
    let since = row.sent_at.unwrap_or_default().max(now - MAX_AGE);
    let digest = load_content(&db, member, since, now).await?;
    let email = members::load_email(&db, member).await?.filter(|_| !digest.is_empty());
    let Some(email) = email else {
        return Ok(None);
    };
    let language = members::load_language(&db, member).await?.unwrap_or(network.language);
    let link = platform.settings.url_for("/notifications");
    let unsubscribe = unsubscribe::unsubscribe_url(platform, member);
    let to = Recipient { email: &email, language, network };
    Ok(Some(render_digest_mail(to, &digest, &link, &unsubscribe)))
}

/// Loads what is waiting: unread notifications since `since`, and the week's posts of followed members.
async fn load_content(
    db: &Reader<'_>,
    member: Id,
    since: Millis,
    now: Millis,
) -> kith_db::Result<Digest> {
    let hidden = HiddenMembers::load(db, member).await?;
    let unread = notifications::load_unread_summary(db, &hidden, member, since).await?;
    let mut friends = follows::load_followees(db, member).await?;
    friends.retain(|friend| !hidden.hides_from_lists(*friend));
    let max = Digest::MAX_FRIENDS + 1;
    Ok(Digest {
        posts: unread.newest.into_iter().map(describe_post).collect(),
        further_posts: unread.further,
        likes: unread.likes,
        reposts: unread.reposts,
        followers: unread.follows,
        friends: posts::count_recent_authors(db, &friends, now - WEEK, max).await?,
    })
}

fn describe_post(notification: Notification) -> DigestPost {
    DigestPost {
        author: notification.actor.display_name,
        is_reply: notification.kind == NotificationKind::Reply,
        text: notification.post.map(|post| post.content).unwrap_or_default(),
    }
}
