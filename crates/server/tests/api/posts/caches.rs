//! Cached responses equal those read from the database.

use crate::harness::{Browser, Server, id_of, on_both_engines};
use axum::http::Method;
use kith::features::members::{Role, SanctionKind};
use kith::features::moderation::{Actor, NoticeText, Sanction, Target};
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings};
use kith::platform::ids::COMMAND_NODE;
use kith::state::AppState;
use serde_json::{Value, json};

const FEED: &str = "/api/posts/feed?limit=50";

/// Reproducible pseudo-random numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % end as u64).unwrap()
    }
}

/// Lists beside the feed whose first page is cached.
const OTHERS: [&str; 4] = [
    "/api/posts/for-you",
    "/api/notifications",
    "/api/notifications?limit=3",
    "/api/posts/feed?limit=4",
];

/// Paths of a member's public profile and posts.
fn profile(name: &str) -> [String; 2] {
    let path = format!("/api/users/{name}/posts");
    [path.clone(), format!("{path}?filter=replies&limit=4")]
}

/// Paths of the threads of the first posts, which have most replies, and of the newest.
fn threads(posts: &[String]) -> Vec<String> {
    let first = posts.iter().take(6);
    let newest = posts.iter().skip(6).rev().take(4);
    let threads = first.chain(newest);
    threads.map(|post| format!("/api/posts/{post}/thread")).collect()
}

/// Every member requests everything, so that all of it is cached before the next action.
async fn warm(members: &[Browser], names: &[String], posts: &[String]) {
    for viewer in members {
        for path in [FEED].iter().chain(&OTHERS) {
            viewer.get(path).await.expect(200);
        }
        for path in names.iter().flat_map(|name| profile(name)) {
            viewer.get(&path).await;
        }
        for path in threads(posts) {
            viewer.get(&path).await;
        }
    }
}

/// A random member performs a random action.
async fn act(numbers: &mut Numbers, members: &[Browser], posts: &mut Vec<String>) {
    let who = &members[numbers.below(members.len())];
    let other = &members[numbers.below(members.len())];
    let post = posts[numbers.below(posts.len())].clone();
    let text = format!("\"quoted\" #tag\\{} by @{}", posts.len(), other.name().await);
    let body = match numbers.below(14) {
        0 => json!({"content": text}),
        1 => json!({"content": text, "pollOptions": ["\"pollVotes\":{}", "b"]}),
        2 | 3 => json!({"content": text, "replyToId": post}),
        4 => json!({"content": ",\"repostOf\":null", "repostOfId": post}),
        5 | 6 => return drop(who.post_empty(&format!("/api/posts/{post}/like")).await),
        7 => return drop(who.delete(&format!("/api/posts/{post}/repost")).await),
        8 => {
            let option = json!({"option": "b"});
            return drop(who.post(&format!("/api/posts/{post}/vote"), option).await);
        }
        9 => return who.follow_if(other).await,
        10 => {
            let kind = ["mutes", "blocks"][numbers.below(2)];
            let path = format!("/api/{kind}/{}", other.id().await);
            let undo = numbers.below(2) == 0;
            return drop(if undo { who.delete(&path).await } else { who.post_empty(&path).await });
        }
        11 => {
            let name = format!("\"{}\" the {}th", other.name().await, posts.len());
            let profile = json!({"displayName": name, "bio": "", "website": ""});
            let path = "/api/users/profile";
            return drop(who.json(Method::PUT, path, profile).await);
        }
        12 => {
            let path = "/api/notifications/read-all";
            return drop(who.json(Method::PUT, path, Value::Null).await);
        }
        _ => return drop(who.delete(&format!("/api/posts/{post}")).await),
    };
    let made = who.post("/api/posts", body).await;
    if made.status == 201 {
        posts.push(id_of(&made.expect(201)));
    }
}

impl Browser {
    async fn follow_if(&self, other: &Self) {
        let body = json!({"followingId": other.id().await});
        self.post("/api/follows", body).await;
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Compares three versions of the feed byte by byte: cached, uncached, and composed of posts that are requested
/// individually, past the caches.
async fn check(server: &Server, viewer: &Browser) -> usize {
    let first = viewer.get(FEED).await;
    let warm = viewer.get(FEED).await;
    server.state.versions.invalidate_all();
    let cold = viewer.get(FEED).await;
    assert_eq!(text(&first.bytes), text(&cold.bytes));
    assert_eq!(text(&warm.bytes), text(&cold.bytes));
    let posts = cold.expect(200);
    let posts = posts.as_array().unwrap();
    let mut alone = Vec::new();
    for post in posts {
        let path = format!("/api/posts/{}/like", id_of(post));
        // Changes nothing, since a repost counts as its original.
        let liked = if post["repostOf"].is_null() { post } else { &post["repostOf"] };
        let answer = if liked["isLiked"] == true {
            viewer.post_empty(&path).await
        } else {
            viewer.delete(&path).await
        };
        answer.expect(200);
        alone.push(text(&answer.bytes));
    }
    assert_eq!(text(&warm.bytes), format!("[{}]", alone.join(",")));
    posts.len()
}

/// Compares the other lists byte by byte: cached, cached again, and uncached.
async fn check_others(server: &Server, viewer: &Browser, names: &[String], posts: &[String]) {
    let mut paths = OTHERS.map(str::to_owned).to_vec();
    paths.extend(names.iter().flat_map(|name| profile(name)));
    paths.extend(threads(posts));
    let mut cached = Vec::new();
    for path in &paths {
        let (first, warm) = (viewer.get(path).await, viewer.get(path).await);
        assert_eq!(text(&first.bytes), text(&warm.bytes), "{path}");
        cached.push(first);
    }
    server.state.versions.invalidate_all();
    for (path, cached) in paths.iter().zip(cached) {
        let cold = viewer.get(path).await;
        assert_eq!(text(&cached.bytes), text(&cold.bytes), "{path}");
        assert_eq!(cached.next(), cold.next(), "{path}");
    }
}

fn texts(posts: &Value) -> Vec<&str> {
    let posts = posts.as_array().unwrap().iter();
    posts.map(|post| post["content"].as_str().unwrap()).collect()
}

on_both_engines! {
    /// A random network, requested by every member repeatedly.
    /// proves: memory-equal
    async fn cached_feeds_equal_the_database(server) {
        let mut members = Vec::new();
        for name in ["ada", "bob", "cat", "dan"] {
            members.push(server.member(name).await);
        }
        // Her posts get replies and reposts, and she is suspended and restored.
        let eve = server.member("eve").await;
        let mut posts = vec![members[0].write("first").await, eve.write("by eve").await];
        for viewer in &members {
            viewer.follow(&eve).await;
        }
        let mut names = vec![eve.name().await];
        for member in &members {
            names.push(member.name().await);
        }
        let moderator = server.with_role("mia", Role::Moderator).await;
        let suspension = format!("/api/admin/members/{}/suspension", eve.id().await);
        let mut numbers = Numbers(7);
        let mut seen = 0;
        for round in 0..30 {
            if server.state.versions.is_current() {
                warm(&members, &names, &posts).await;
            }
            if round % 5 == 3 {
                let method = [Method::PUT, Method::DELETE][round / 5 % 2].clone();
                moderator.json(method, &suspension, json!({"note": ""})).await;
            } else {
                for _ in 0..5 {
                    act(&mut numbers, &members, &mut posts).await;
                }
            }
            let viewer = &members[round % members.len()];
            check_others(&server, viewer, &names, &posts).await;
            seen += check(&server, viewer).await;
        }
        assert!(seen > 100, "only {seen} posts were looked at");
    }

    /// A cached feed is correct after many new posts and after deletions.
    /// proves: memory-equal
    async fn a_cached_feed_follows_new_and_deleted_posts(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.follow(&bob).await;
        let mut written = Vec::new();
        for number in 0..150 {
            written.push(bob.write(&number.to_string()).await);
            if number % 40 == 0 || number > 140 {
                let newest = ada.get("/api/posts/feed?limit=3").await.expect(200);
                assert_eq!(texts(&newest)[0], number.to_string());
            }
        }
        // All pages by their links, across cached and uncached ones.
        let mut path = Some(FEED.to_owned());
        let mut all = Vec::new();
        while let Some(page) = path {
            let answer = ada.get(&page).await;
            all.extend(texts(&answer.expect(200)).into_iter().map(str::to_owned));
            path = answer.next();
        }
        let expected = (0..150).rev().map(|number| number.to_string());
        assert_eq!(all, expected.collect::<Vec<_>>());
        for (number, post) in written.iter().enumerate().skip(3) {
            bob.delete(&format!("/api/posts/{post}")).await;
            // From the hundredth on, each deletion changes the first page.
            if number % 10 == 0 || number >= 100 {
                check(&server, &ada).await;
            }
        }
        assert_eq!(texts(&ada.get(FEED).await.expect(200)), ["2", "1", "0"]);
    }
}

/// When a command that suspends a member has ended, the running server has dropped their sessions and posts.
/// proves: memory-command
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commands_change_invalidates_caches() {
    let server = Server::sqlite().await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    ada.follow(&bob).await;
    bob.write("mine").await;
    let name = bob.name().await;
    assert_eq!(ada.contents(FEED).await, ["mine"]);
    let store = DatabaseArgs::new(server.data.path(), "");
    let beside = AppState::open(Settings::for_command(store), Clock::system(), COMMAND_NODE).await;
    let beside = beside.unwrap();
    let sanction = Sanction {
        actor: Actor::Operator,
        target: Target::Name(name),
        kind: SanctionKind::Suspend,
        note: String::new(),
        notice_text: NoticeText::default(),
        notice: server.state.id(),
        until: None,
        now: server.state.now(),
    };
    beside.db.write(sanction).await.unwrap();
    beside.db.close().await;
    // The command waits for the server's deadline; a slow machine may need longer.
    for _ in 0..500 {
        if bob.get(FEED).await.status == 401 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(bob.get(FEED).await.status, 401);
    assert_eq!(ada.contents(FEED).await, [""; 0]);
}
