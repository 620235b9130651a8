//! Every list and every kind of hidden member, as one table.

use super::operate;
use crate::harness::{Browser, Server, on_both_engines};
use kith::features::members::SanctionKind;
use serde_json::{Value, json};

/// Relationship of a member to the viewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relationship {
    Open,
    Muted,
    Blocked,
    Blocks,
    Suspended,
}

const RELATIONSHIPS: [Relationship; 5] = [
    Relationship::Open,
    Relationship::Muted,
    Relationship::Blocked,
    Relationship::Blocks,
    Relationship::Suspended,
];

/// What a viewer may see of a member: one column for each of [`RELATIONSHIPS`].
const TABLE: &[(&str, [u8; 5])] = &[
    ("friends: their posts", [1, 0, 0, 0, 0]),
    ("friends: their reposts", [1, 0, 0, 0, 0]),
    ("friends: reposts of their posts", [1, 0, 0, 0, 0]),
    ("for you", [1, 0, 0, 0, 0]),
    ("tag", [1, 0, 0, 0, 0]),
    ("notifications", [1, 0, 0, 0, 0]),
    ("search", [1, 1, 0, 0, 0]),
    ("followers of another", [1, 1, 0, 0, 0]),
    ("following of another", [1, 1, 0, 0, 0]),
    ("likes of another", [1, 1, 0, 0, 0]),
    ("reposts of another", [1, 1, 0, 0, 0]),
    ("their posts", [1, 1, 0, 0, 0]),
    ("their likes", [1, 1, 0, 0, 0]),
    ("their profile", [1, 1, 1, 1, 0]),
    ("their post", [1, 1, 0, 0, 0]),
    ("reply in a thread", [1, 1, 0, 0, 0]),
    ("reply without replies", [1, 1, 0, 0, 0]),
    ("gap in a thread", [0, 0, 1, 1, 1]),
    ("ancestor of a reply", [1, 1, 0, 0, 0]),
    ("parent of a reply", [1, 1, 0, 0, 0]),
    ("link of a mention", [1, 1, 1, 1, 0]),
    ("like", [1, 1, 0, 0, 0]),
];

/// A member, and others' interactions with them.
struct Other {
    browser: Browser,
    id: String,
    name: String,
    post: String,
    thread: String,
    answer: String,
    mention: String,
}

/// Creates a member who interacts in every way with a friend of the viewer, and the friend with that member.
async fn meet(server: &Server, ada: &Browser, fay: &Browser, nth: usize) -> Other {
    let browser = server.member(&format!("m{nth}")).await;
    let (id, name) = (browser.id().await, browser.name().await);
    ada.follow(&browser).await;
    fay.follow(&browser).await;
    browser.follow(fay).await;
    browser.follow(ada).await;
    let post = browser.write("theirs #meeting").await;
    let thread = fay.write("friend's").await;
    browser.repost(&thread).await;
    fay.repost(&post).await;
    for (who, liked) in [(fay, &post), (&browser, &thread)] {
        who.post_empty(&format!("/api/posts/{liked}/like")).await.expect(200);
    }
    let reply = browser.reply(&thread, "reply").await;
    browser.reply(&thread, "reply without replies").await;
    let answer = fay.reply(&reply, "answer").await;
    let mention = fay.write(&format!("hello @{name}")).await;
    Other { browser, id, name, post, thread, answer, mention }
}

/// Whether any row has this text at the JSON pointer.
async fn any(viewer: &Browser, path: &str, pointer: &str, text: &str) -> bool {
    let found = viewer.get(path).await;
    if found.status == 404 {
        return false;
    }
    let rows = found.expect(200);
    let mut rows = rows.as_array().unwrap().iter();
    rows.any(|row| row.pointer(pointer) == Some(&json!(text)))
}

async fn sees(ada: &Browser, fay: &Browser, other: &Other, what: &str) -> bool {
    let Other { id, name, .. } = other;
    let fay = fay.name().await;
    let feed = "/api/posts/feed?limit=50";
    let feed_rows = ada.get(feed).await.expect(200);
    let theirs = feed_rows.as_array().unwrap().iter();
    let mut theirs = theirs.filter(|row| row["author"]["id"] == id.as_str());
    let thread = format!("/api/posts/{}/thread", other.thread);
    let replies = ada.get(&thread).await.expect(200)["replies"].clone();
    let reply = |content: &str, field: &str, value: Value| {
        let mut rows = replies.as_array().unwrap().iter();
        rows.any(|row| row["content"] == content && row[field] == value)
    };
    let answer = format!("/api/posts/{}/thread", other.answer);
    let author = "/author/id";
    match what {
        "friends: their posts" => theirs.any(|row| row["repostOfId"].is_null()),
        "friends: their reposts" => theirs.any(|row| row["repostOfId"].is_string()),
        "friends: reposts of their posts" => any(ada, feed, "/repostOf/author/id", id).await,
        "for you" => any(ada, "/api/posts/for-you?limit=50", author, id).await,
        "tag" => any(ada, "/api/hashtags/meeting/posts", author, id).await,
        "notifications" => any(ada, "/api/notifications", "/actor/id", id).await,
        "search" => any(ada, &format!("/api/users/search?q={name}"), "/id", id).await,
        "followers of another" | "following of another" => {
            let list = what.split(' ').next().unwrap();
            any(ada, &format!("/api/users/{fay}/{list}"), "/id", id).await
        }
        "likes of another" => {
            let path = format!("/api/users/{fay}/posts?filter=likes");
            any(ada, &path, author, id).await
        }
        "reposts of another" => {
            let path = format!("/api/users/{fay}/posts?limit=50");
            any(ada, &path, "/repostOf/author/id", id).await
        }
        "their posts" => any(ada, &format!("/api/users/{name}/posts"), "/id", &other.post).await,
        "their likes" => {
            let path = format!("/api/users/{name}/posts?filter=likes");
            any(ada, &path, "/id", &other.thread).await
        }
        "their profile" => ada.get(&format!("/api/users/{name}")).await.status == 200,
        "their post" => {
            let path = format!("/api/posts/{}/thread", other.post);
            ada.get(&path).await.status == 200
        }
        "reply in a thread" => reply("reply", "isHidden", json!(false)),
        "reply without replies" => reply(what, "isHidden", json!(false)),
        "gap in a thread" => reply("", "isHidden", json!(true)),
        "ancestor of a reply" => {
            let above = ada.get(&answer).await.expect(200)["ancestors"].clone();
            assert_eq!(above.as_array().unwrap().len(), 2);
            above[1]["author"]["id"] == id.as_str()
        }
        "parent of a reply" => reply("answer", "replyTo", replies_to(&replies, id)),
        "link of a mention" => {
            ada.get_post(&other.mention).await["mentions"][0]["username"] == name.as_str()
        }
        "like" => {
            let path = format!("/api/posts/{}/like", other.post);
            ada.post_empty(&path).await.status == 200
        }
        _ => panic!("unknown row {what}"),
    }
}

/// The author's reply as a thread names it; `"no reply"` without one.
fn replies_to(replies: &Value, author: &str) -> Value {
    let mut rows = replies.as_array().unwrap().iter();
    let named = rows.find(|row| row["replyTo"]["author"]["id"] == author);
    named.map_or(json!("no reply"), |row| row["replyTo"].clone())
}

/// Creates the relationship between the viewer and a member, or ends it.
async fn set_relationship(
    server: &Server,
    ada: &Browser,
    other: &Browser,
    (relationship, name): (Relationship, &str),
    on: bool,
) {
    let method = if on { "POST" } else { "DELETE" };
    let action = if on { SanctionKind::Suspend } else { SanctionKind::Unsuspend };
    let (who, list, target) = match relationship {
        Relationship::Open => return,
        Relationship::Suspended => return operate(server, name, action).await,
        Relationship::Muted => (ada, "mutes", other),
        Relationship::Blocked => (ada, "blocks", other),
        Relationship::Blocks => (other, "blocks", ada),
    };
    let path = format!("/api/{list}/{}", target.id().await);
    who.request(method, &path, &[], "").await.expect(200);
}

/// Whether a block deletes this permanently, such as a follow.
fn ended_by_a_block(what: &str) -> bool {
    what.starts_with("friends: their") || what == "notifications"
}

on_both_engines! {
    /// proves: foryou-hidden, block-unseen, mute-unseen, mute-opened, suspended-unseen, suspended-back
    async fn every_list_omits_hidden_members(server) {
        let (ada, fay) = (server.member("ada").await, server.member("fay").await);
        ada.follow(&fay).await;
        let mut others = Vec::new();
        for nth in 0..RELATIONSHIPS.len() {
            others.push(meet(&server, &ada, &fay, nth).await);
        }
        for on in [true, false] {
            for (other, kind) in others.iter().zip(RELATIONSHIPS) {
                set_relationship(&server, &ada, &other.browser, (kind, &other.name), on).await;
            }
            for (what, row) in TABLE {
                for ((other, kind), shown) in others.iter().zip(RELATIONSHIPS).zip(row) {
                    let is_block = [Relationship::Blocked, Relationship::Blocks].contains(&kind);
                    let back = row[0] == 1 && !(is_block && ended_by_a_block(what));
                    let expected = if on { *shown == 1 } else { back };
                    let seen = sees(&ada, &fay, other, what).await;
                    assert_eq!(seen, expected, "{what}, {kind:?}, {on}");
                }
            }
        }
    }

    /// Hidden members are not suggested while they are hidden.
    /// proves: block-unseen, mute-unseen, suspended-unseen, suspended-back
    async fn suggestions_omit_hidden_members(server) {
        let ada = server.member("ada").await;
        let mut others = Vec::new();
        for (nth, kind) in RELATIONSHIPS.into_iter().enumerate() {
            let other = server.member(&format!("m{nth}")).await;
            let (id, name) = (other.id().await, other.name().await);
            others.push((other, kind, id, name));
        }
        for on in [true, false] {
            for (other, kind, _, name) in &others {
                set_relationship(&server, &ada, other, (*kind, name), on).await;
            }
            for (_, kind, id, _) in &others {
                let seen = any(&ada, "/api/users/suggested?limit=50", "/id", id).await;
                assert_eq!(seen, !on || *kind == Relationship::Open, "{kind:?}, {on}");
            }
        }
    }

    /// Tags of suspended members do not count and are not listed.
    /// proves: suspended-unseen
    async fn trends_omit_suspended_members(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.write("one #rowing").await;
        bob.write("two #rowing #webdev #solo").await;
        operate(&server, &bob.name().await, SanctionKind::Suspend).await;
        let topics = ada.get("/api/trending").await.expect(200);
        let count = |tag: &str| {
            let mut topics = topics.as_array().unwrap().iter();
            topics.find(|topic| topic["tag"] == tag).map(|topic| topic["postCount"].clone())
        };
        assert_eq!((count("rowing"), count("WebDev"), count("solo")), (Some(json!(1)), Some(json!(0)), None));
    }

    /// Pages are complete and have each row once, however many rows are hidden.
    /// proves: pages-whole
    async fn pages_stay_complete(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        ada.follow(&bob).await;
        ada.follow(&eve).await;
        let mut expected = Vec::new();
        for n in 0..9 {
            expected.insert(0, format!("bob {n} #here"));
            bob.write(&expected[0]).await;
            for _ in 0..3 {
                eve.write("eve #here").await;
            }
        }
        ada.mute(&eve).await;
        for list in ["/api/posts/feed?", "/api/posts/for-you?", "/api/hashtags/here/posts?"] {
            let mut found = Vec::new();
            let mut next = Some(format!("{list}limit=4"));
            while let Some(path) = next {
                let page = ada.get(&path).await;
                let rows = page.expect(200).as_array().unwrap().clone();
                assert!(rows.len() == 4 || page.next().is_none(), "{path}");
                found.extend(rows.iter().map(|row| row["content"].as_str().unwrap().to_owned()));
                next = page.next();
            }
            assert_eq!(found, expected, "{list}");
            assert_eq!(ada.contents(&format!("{list}limit=4&offset=5")).await, expected[5..], "{list}");
        }
    }
}
