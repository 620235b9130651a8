//! Responses with one small error, and the difference that each must report.

use crate::world::{Reply, Tamper};
use serde_json::{Value, json};

/// A change of responses, and the place of the difference that it must cause.
pub(crate) type Lie = (Tamper, &'static str);

/// Changes a whole list.
type Change = fn(Vec<Value>) -> Vec<Value>;

/// Changes a value if it is a list.
fn change_list(list: &mut Value, change: Change) {
    if let Some(rows) = list.as_array_mut() {
        *rows = change(std::mem::take(rows));
    }
}

fn at((start, end): (&str, &str), path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    path.starts_with(start) && path.ends_with(end)
}

/// Changes the rows of lists whose paths have this prefix and suffix.
fn rows(place: (&str, &str), path: &str, reply: &mut Reply, change: Change) {
    if at(place, path) {
        change_list(&mut reply.body, change);
    }
}

fn nothing(_: Vec<Value>) -> Vec<Value> {
    Vec::new()
}

fn reverse(rows: Vec<Value>) -> Vec<Value> {
    rows.into_iter().rev().collect()
}

fn lose_last(mut rows: Vec<Value>) -> Vec<Value> {
    rows.pop();
    rows
}

/// Inverts a flag of each row.
fn flip(place: (&str, &str), path: &str, reply: &mut Reply, field: &str) {
    if at(place, path) {
        for row in reply.body.as_array_mut().into_iter().flatten() {
            row[field] = json!(row[field] == false);
        }
    }
}

/// Sets a field of each row that has it.
fn each(place: (&str, &str), path: &str, reply: &mut Reply, (field, value): (&str, Value)) {
    if at(place, path) {
        for row in reply.body.as_array_mut().into_iter().flatten() {
            if let Some(found) = row.pointer_mut(field) {
                *found = value.clone();
            }
        }
    }
}

fn unread_first(mut rows: Vec<Value>) -> Vec<Value> {
    if let Some(row) = rows.first_mut() {
        row["isRead"] = json!(false);
    }
    rows
}

/// Reverses the topics after the pinned ones.
fn reverse_trends(mut rows: Vec<Value>) -> Vec<Value> {
    let own = rows.len().min(6);
    rows[own..].reverse();
    rows
}

fn lose_tombstones(mut rows: Vec<Value>) -> Vec<Value> {
    rows.retain(|row| row["isDeleted"] == false);
    rows
}

fn revive_tombstones(mut rows: Vec<Value>) -> Vec<Value> {
    for row in &mut rows {
        row["isDeleted"] = json!(false);
    }
    rows
}

fn let_tombstones_speak(mut rows: Vec<Value>) -> Vec<Value> {
    for row in rows.iter_mut().filter(|row| row["content"] == "") {
        row["content"] = json!("hello");
    }
    rows
}

fn lose_the_twentieth(mut rows: Vec<Value>) -> Vec<Value> {
    if rows.len() == 20 {
        rows.remove(0);
    }
    rows
}

/// Removes the URL of the next page.
fn no_next(place: (&str, &str), path: &str, reply: &mut Reply) {
    if at(place, path) {
        reply.next = None;
    }
}

/// Replaces one status by another.
fn status(place: (&str, &str), path: &str, reply: &mut Reply, (from, to): (u16, u16)) {
    if at(place, path) && reply.status == from {
        reply.status = to;
    }
}

/// Sets a field of a response.
fn field(place: (&str, &str), path: &str, reply: &mut Reply, (field, value): (&str, Value)) {
    if at(place, path) && reply.status == 200 {
        reply.body[field] = value;
    }
}

/// Adds one to a number of a response.
fn one_more(place: (&str, &str), path: &str, reply: &mut Reply, field: &str) {
    if at(place, path)
        && let Some(count) = reply.body.pointer_mut(field)
    {
        *count = json!(count.as_i64().unwrap_or_default() + 1);
    }
}

/// Changes a list inside a thread.
fn in_thread(path: &str, reply: &mut Reply, list: &str, change: Change) {
    if at(THREAD, path) {
        change_list(&mut reply.body[list], change);
    }
}

fn lose_page(offset: &str, path: &str, reply: &mut Reply) {
    if path.ends_with(offset) {
        change_list(&mut reply.body, nothing);
    }
}

const THREAD: (&str, &str) = ("/api/posts/", "/thread");
const VOTE: (&str, &str) = ("/api/posts/", "/vote");
const LIKE: (&str, &str) = ("/api/posts/", "/like");
const USER: (&str, &str) = ("/api/users/", "");
const FOLLOW: (&str, &str) = ("/api/follows/", "/status");
const REVOKED: (&str, &str) = ("/api/invites/", "");
const FEED: (&str, &str) = ("/api/posts/feed", "");
const FOR_YOU: (&str, &str) = ("/api/posts/for-you", "");
const SUGGESTED: (&str, &str) = ("/api/users/suggested", "");
const SEARCH: (&str, &str) = ("/api/users/search", "");
const FOLLOWERS: (&str, &str) = ("/api/users/", "/followers");
const FOLLOWING: (&str, &str) = ("/api/users/", "/following");
const TAGGED: (&str, &str) = ("/api/hashtags/", "/posts");
const TRENDING: (&str, &str) = ("/api/trending", "");
const NOTIFICATIONS: (&str, &str) = ("/api/notifications", "");
const INVITES: (&str, &str) = ("/api/invites", "");
const BLOCK: (&str, &str) = ("/api/blocks/", "");
const BLOCKS: (&str, &str) = ("/api/blocks", "");
const MUTES: (&str, &str) = ("/api/mutes", "");
const ME: (&str, &str) = ("/api/auth/me", "");
const CHOICE: (&str, &str) = ("/api/users/username", "");

/// Errors in lists of posts.
pub(crate) const OF_POSTS: &[Lie] = &[
    (|path, reply| rows(FEED, path, reply, lose_last), FEED.0),
    (|path, reply| rows(FEED, path, reply, reverse), FEED.0),
    (|path, reply| no_next(FEED, path, reply), "and next is None"),
    (|path, reply| lose_page("limit=2&offset=2", path, reply), "by offset"),
    (|path, reply| each(FEED, path, reply, ("/hashtags", json!([]))), "hashtags: expected ["),
    (|path, reply| each(FEED, path, reply, ("/hashtags/0/start", json!(0))), "hashtags[0].start"),
    (|path, reply| rows(TAGGED, path, reply, lose_last), TAGGED.0),
    (|path, reply| no_next(TAGGED, path, reply), TAGGED.0),
    (|path, reply| rows(FOR_YOU, path, reply, lose_last), FOR_YOU.0),
    (|path, reply| rows(FOR_YOU, path, reply, reverse), FOR_YOU.0),
    (|path, reply| no_next(FOR_YOU, path, reply), FOR_YOU.0),
    (|path, reply| each(FOR_YOU, path, reply, ("/reason/code", json!("new"))), "reason.code"),
    (|path, reply| in_thread(path, reply, "replies", reverse), "thread of post-"),
    (|path, reply| in_thread(path, reply, "replies", lose_tombstones), "replies: expected ["),
    (
        |path, reply| in_thread(path, reply, "replies", revive_tombstones),
        "isDeleted: expected true",
    ),
    (
        |path, reply| in_thread(path, reply, "replies", let_tombstones_speak),
        "content: expected \"\"",
    ),
    (|path, reply| in_thread(path, reply, "ancestors", nothing), "ancestors: expected ["),
    (|path, reply| in_thread(path, reply, "ancestors", reverse), "ancestors: expected ["),
    (|path, reply| one_more(THREAD, path, reply, "/post/replyCount"), "post.replyCount"),
];

/// More nested replies than a thread shows above the last one.
pub(crate) const OF_ANCESTORS: Lie = (
    |path, reply| in_thread(path, reply, "ancestors", lose_the_twentieth),
    "ancestors: expected [",
);

/// More posts than For You orders together.
pub(crate) const OF_BLOCKS: Lie = (
    |path, reply| lose_page("/api/posts/for-you?limit=50&offset=200", path, reply),
    "/api/posts/for-you",
);

/// Errors in interactions.
pub(crate) const OF_INTERACTIONS: &[Lie] = &[
    (|path, reply| status(VOTE, path, reply, (409, 200)), "expected (409"),
    (|path, reply| field(VOTE, path, reply, ("pollMyVote", json!(null))), "pollMyVote"),
    (|path, reply| field(LIKE, path, reply, ("isLiked", json!(true))), "isLiked: expected false"),
    (
        |path, reply| status(("/api/posts/", ""), path, reply, (403, 204)),
        "expected (403, \"not_yours\")",
    ),
    (|path, reply| status(THREAD, path, reply, (404, 200)), "expected (404, \"post_not_found\")"),
    (|path, reply| status(REVOKED, path, reply, (409, 204)), "expected (409, \"invite_used\")"),
    (
        |path, reply| status(REVOKED, path, reply, (404, 204)),
        "expected (404, \"invite_not_found\")",
    ),
    (|path, reply| status(CHOICE, path, reply, (409, 200)), "expected (409, \"username_"),
    (|path, reply| status(CHOICE, path, reply, (422, 200)), "expected (422, \"invalid\")"),
    (|path, reply| status(CHOICE, path, reply, (200, 409)), "expected (200, \"\")"),
];

/// Errors in members' data.
pub(crate) const OF_MEMBERS: &[Lie] = &[
    (|path, reply| rows(BLOCKS, path, reply, lose_last), BLOCKS.0),
    (|path, reply| rows(MUTES, path, reply, lose_last), MUTES.0),
    (
        |path, reply| field(BLOCK, path, reply, ("isBlocked", json!(true))),
        "isBlocked: expected false",
    ),
    (|path, reply| field(ME, path, reply, ("invitesAvailable", json!(2))), "me.invitesAvailable"),
    (
        |path, reply| field(ME, path, reply, ("unreadNotificationCount", json!(1))),
        "NotificationCount",
    ),
    (|path, reply| one_more(ME, path, reply, "/postCount"), "me.postCount"),
    (|path, reply| field(USER, path, reply, ("displayName", json!("Ada"))), "displayName"),
    (|path, reply| field(FOLLOW, path, reply, ("isFollowing", json!(false))), "follow status"),
    (|path, reply| rows(NOTIFICATIONS, path, reply, unread_first), "isRead: expected true"),
    (|path, reply| no_next(NOTIFICATIONS, path, reply), NOTIFICATIONS.0),
    (|path, reply| rows(INVITES, path, reply, lose_last), INVITES.0),
    (|path, reply| no_next(INVITES, path, reply), INVITES.0),
    (|path, reply| rows(FOLLOWERS, path, reply, reverse), "/followers"),
    (|path, reply| no_next(FOLLOWERS, path, reply), "/followers"),
    (|path, reply| flip(FOLLOWERS, path, reply, "isFollowing"), "isFollowing"),
    (|path, reply| rows(FOLLOWING, path, reply, reverse), "/following"),
    (|path, reply| flip(FOLLOWING, path, reply, "followsYou"), "followsYou"),
    (|path, reply| rows(SUGGESTED, path, reply, lose_last), SUGGESTED.0),
    (|path, reply| rows(SUGGESTED, path, reply, reverse), SUGGESTED.0),
    (
        |path, reply| each(SUGGESTED, path, reply, ("/reason/message", json!("New"))),
        "reason.message",
    ),
    (|path, reply| rows(SEARCH, path, reply, lose_last), SEARCH.0),
    (|path, reply| rows(SEARCH, path, reply, reverse), SEARCH.0),
    (|path, reply| each(TRENDING, path, reply, ("/postCount", json!(0))), "postCount"),
    (|path, reply| rows(TRENDING, path, reply, lose_last), TRENDING.0),
    (|path, reply| rows(TRENDING, path, reply, reverse_trends), TRENDING.0),
];
