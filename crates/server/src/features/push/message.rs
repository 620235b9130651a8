//! Texts of pushes.

use crate::features::notifications::{Notification, NotificationKind};
use crate::platform::mail::Language;
use serde_json::json;

/// Maximum characters of a post in a push, which has about 3 KB.
const MAX_TEXT: usize = 200;

/// Builds the message about a member's unread notifications, newest first; `None` without any.
pub(super) fn notification_message(
    language: Language,
    notifications: &[Notification],
    shows_text: bool,
) -> Option<Vec<u8>> {
    let (newest, others) = notifications.split_first()?;
    let (action, and, more) = match language {
        Language::English => (
            match newest.kind {
                NotificationKind::Follow => "followed you",
                NotificationKind::Like => "liked your post",
                NotificationKind::Reply => "replied to you",
                NotificationKind::Repost => "reposted your post",
                NotificationKind::Mention => "mentioned you",
            },
            "and",
            "more",
        ),
        Language::German => (
            match newest.kind {
                NotificationKind::Follow => "folgt dir",
                NotificationKind::Like => "gefällt dein Beitrag",
                NotificationKind::Reply => "hat dir geantwortet",
                NotificationKind::Repost => "hat deinen Beitrag geteilt",
                NotificationKind::Mention => "hat dich erwähnt",
            },
            "und",
            "weitere",
        ),
    };
    let mut title = format!("{} {action}", newest.actor.display_name);
    if !others.is_empty() {
        title = format!("{title}, {and} {} {more}", others.len());
    }
    let post = newest.post.as_ref();
    let path = match post {
        Some(post) if others.is_empty() => format!("/post/{}", post.id.0),
        _ => "/notifications".to_owned(),
    };
    let text = post.filter(|_| shows_text).map(|post| truncate(&post.content));
    Some(serialize(&title, text.as_deref().unwrap_or_default(), &path))
}

/// Builds the message of a test.
pub(super) fn test_message(language: Language, network: &str) -> Vec<u8> {
    let (title, text) = match language {
        Language::English => {
            (format!("{network} can reach you"), "This is the test that you asked for.")
        }
        Language::German => (format!("{network} erreicht dich"), "Du wolltest diesen Test."),
    };
    serialize(&title, text, "/settings")
}

/// Serializes a message, as the service worker reads it.
fn serialize(title: &str, body: &str, path: &str) -> Vec<u8> {
    json!({"title": title, "body": body, "path": path}).to_string().into_bytes()
}

fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
