//! The comparison is alive: a server whose answers are wrong in one small way is found out.

use crate::run::{Failure, Plan};
use crate::world::{Reply, Tamper};
use kith_db::Engine;
use serde_json::{Value, json};

fn find(tamper: Tamper, shrinks: bool) -> Failure {
    let plan = Plan {
        engine: Engine::Sqlite,
        runs: 50,
        seed: 0,
        threads: 1,
        shrinks,
        tamper: Some(tamper),
    };
    plan.run().unwrap()
}

fn rows(reply: &mut Reply) -> &mut Vec<Value> {
    reply.body.as_array_mut().unwrap()
}

fn in_feed(change: impl Fn(&mut Reply), path: &str, reply: &mut Reply) {
    if path.starts_with("/api/posts/feed") {
        change(reply);
    }
}

/// Sets a field of the answers of one call.
fn lie(call: &str, field: &str, value: Value, path: &str, reply: &mut Reply) {
    if path.ends_with(call) && reply.status == 200 {
        reply.body[field] = value;
    }
}

fn clear_first_row(path: &str, reply: &mut Reply) {
    if path.starts_with("/api/notifications?") && !rows(reply).is_empty() {
        rows(reply)[0]["isRead"] = json!(false);
    }
}

fn reverse_replies(path: &str, reply: &mut Reply) {
    if path.ends_with("/thread") && reply.status == 200 {
        reply.body["replies"].as_array_mut().unwrap().reverse();
    }
}

fn lose_second_page(path: &str, reply: &mut Reply) {
    if path.contains("offset=2") {
        rows(reply).clear();
    }
}

fn count_late_votes(path: &str, reply: &mut Reply) {
    if path.ends_with("/vote") && reply.status == 409 {
        reply.status = 200;
    }
}

/// Each lie and what the report says of it.
const LIES: &[(Tamper, &str)] = &[
    (
        |path, reply| in_feed(|reply| drop(rows(reply).pop()), path, reply),
        "/api/posts/feed",
    ),
    (
        |path, reply| in_feed(|reply| rows(reply).reverse(), path, reply),
        "/api/posts/feed",
    ),
    (
        |path, reply| in_feed(|reply| reply.next = None, path, reply),
        "and next is None",
    ),
    (lose_second_page, "by offset"),
    (reverse_replies, "thread of post-"),
    (clear_first_row, "isRead: expected true"),
    (count_late_votes, "expected (409"),
    (
        |path, reply| lie("/me", "invitesAvailable", json!(2), path, reply),
        "me.invitesAvailable",
    ),
    (
        |path, reply| lie("/me", "unreadNotificationCount", json!(1), path, reply),
        "NotificationCount",
    ),
    (
        |path, reply| lie("/like", "isLiked", json!(true), path, reply),
        "isLiked: expected false",
    ),
    (
        |path, reply| lie("/status", "isFollowing", json!(false), path, reply),
        "follow status",
    ),
];

#[test]
fn every_lie_is_found_out() {
    for (lie, said) in LIES {
        let found = find(*lie, false).message;
        assert!(found.contains(said), "{said} is not in: {found}");
    }
}

/// An unlike that takes nothing back needs a post, a like and the unlike.
#[test]
fn a_failing_run_is_made_small() {
    let keeps: Tamper = |path, reply| {
        if path.ends_with("/like") && reply.body["likeCount"] == 0 {
            reply.body["likeCount"] = json!(1);
        }
    };
    let failure = find(keeps, true);
    assert!(
        failure.message.contains("likeCount: expected 0"),
        "{}",
        failure.message
    );
    assert!(failure.actions.len() <= 3, "{:?}", failure.actions);
}
