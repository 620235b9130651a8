//! Two nodes on one PostgreSQL database: each node's caches follow the other's writes.

use crate::harness::{Browser, Options, Server, id_of, postgres_url};
use axum::http::Method;
use kith::features::members::SanctionKind;
use kith::features::moderation::{Actor, NoticeText, Sanction, Target};
use kith::platform::clock::{Clock, HOUR, MINUTE};
use kith::platform::config::{DatabaseArgs, Settings, Toggle};
use kith::platform::ids::COMMAND_NODE;
use kith::state::AppState;
use serde_json::{Value, json};
use std::future::Future;
use std::time::Duration;

/// Cookie that names the node of a member's last write.
const WRITTEN_ON: &str = "written-on";
const FEED: &str = "/api/posts/feed?limit=50";

/// Starts two nodes and waits until both cache what they read.
async fn two_nodes() -> [Server; 2] {
    let here = Server::start(Options::on(postgres_url().await)).await;
    let there = here.start_second_node().await;
    let is_on = || async { here.state.versions.is_current() && there.state.versions.is_current() };
    soon("the change feed", is_on).await;
    [here, there]
}

/// Polls a condition that must hold within a second; panics if it does not.
async fn soon<F: Future<Output = bool>>(what: &str, holds: impl Fn() -> F) {
    for _ in 0..1000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what}: the other node does not see it");
}

async fn feed(viewer: &Browser) -> Vec<Value> {
    let posts = viewer.get(FEED).await.expect(200);
    posts.as_array().unwrap().clone()
}

/// Polls the feed until its newest post, or its absence, satisfies `is_right`.
async fn soon_first(what: &str, viewer: &Browser, is_right: impl Fn(Option<&Value>) -> bool) {
    soon(what, || async { is_right(feed(viewer).await.first()) }).await;
}

async fn put(browser: &Browser, path: &str, body: Value) {
    browser.json(Method::PUT, path, body).await.expect(200);
}

/// proves: memory-nodes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_on_one_node_is_visible_on_the_other() {
    let [here, there] = two_nodes().await;
    let (ada, bob) = (here.member("ada").await, here.member("bob").await);
    ada.follow(&bob).await;
    let (viewer, bob_there) = (there.adopt(&ada), there.adopt(&bob));
    let old_name = bob.name().await;
    let is_empty = |post: Option<&Value>| post.is_none();
    soon_first("a session and a follow", &viewer, is_empty).await;
    soon("a session", || async { bob_there.get(FEED).await.status == 200 }).await;

    let post = bob.write("one").await;
    let path = format!("/api/posts/{post}");
    soon_first("a post", &viewer, |post| post.is_some_and(|post| post["content"] == "one")).await;
    ada.post_empty(&format!("{path}/like")).await.expect(200);
    soon_first("a like", &viewer, |post| {
        post.is_some_and(|post| post["isLiked"] == true && post["likeCount"] == 1)
    })
    .await;
    let notifications = || async { bob_there.get("/api/notifications").await.expect(200) };
    soon("a notification", || async { !notifications().await.as_array().unwrap().is_empty() })
        .await;

    let profile = json!({"displayName": "Bobby", "bio": "", "website": ""});
    put(&bob, "/api/users/profile", profile).await;
    soon_first("a name", &viewer, |post| {
        post.is_some_and(|post| post["author"]["displayName"] == "Bobby")
    })
    .await;
    put(&bob, "/api/users/username", json!({"username": "robert"})).await;
    soon_first("a username", &viewer, |post| {
        post.is_some_and(|post| post["author"]["username"] == "robert")
    })
    .await;
    assert_ne!(old_name, "robert");
    viewer.get("/api/users/robert/posts").await.expect(200);

    let second = bob.write("two").await;
    soon_first("a post", &viewer, |post| post.is_some_and(|post| post["content"] == "two")).await;
    bob.delete(&format!("/api/posts/{second}")).await;
    soon_first("a deletion", &viewer, |post| post.is_some_and(|post| post["content"] == "one"))
        .await;

    let block = format!("/api/blocks/{}", bob.id().await);
    ada.post_empty(&block).await.expect(200);
    soon_first("a block", &viewer, is_empty).await;
    ada.delete(&block).await.expect(200);
    ada.follow(&bob).await;
    soon_first("a block's end", &viewer, |post| post.is_some()).await;

    here.apply_sanction("robert", SanctionKind::Suspend).await.unwrap();
    soon_first("a suspension", &viewer, is_empty).await;
    soon("its member's", || async { bob_there.get(FEED).await.status == 401 }).await;
    here.apply_sanction("robert", SanctionKind::Unsuspend).await.unwrap();
    soon_first("its end", &viewer, |post| post.is_some()).await;

    ada.post("/api/auth/logout", json!({})).await;
    soon("a session's end", || async { viewer.get(FEED).await.status == 401 }).await;
}

/// A member who wrote on a node reads that write there immediately and from then on, whatever the other node does.
/// proves: memory-nodes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn members_always_read_their_own_writes() {
    const ROUNDS: usize = 40;
    let nodes = two_nodes().await;
    let [here, there] = &nodes;
    let (ada, bob) = (here.member("ada").await, here.member("bob").await);
    ada.follow(&bob).await;
    let (ada_there, bob_there) = (there.adopt(&ada), there.adopt(&bob));
    soon_first("the follow", &ada_there, |post| post.is_none()).await;
    let has = |posts: &[Value], id: &str| posts.iter().any(|post| id_of(post) == id);

    // Ada writes and reads on the other node.
    let writer = async {
        let mut kept = Vec::new();
        for round in 0..ROUNDS {
            let post = ada_there.write(&round.to_string()).await;
            let posts = feed(&ada_there).await;
            assert!(has(&posts, &post), "an own post is missing");
            if round % 2 == 0 {
                ada_there.delete(&format!("/api/posts/{post}")).await;
                assert!(!has(&feed(&ada_there).await, &post), "a deleted post is shown");
            } else {
                kept.push(post);
            }
            let posts = feed(&ada_there).await;
            assert!(kept.iter().rev().take(5).all(|post| has(&posts, post)));
        }
    };
    // Bob's posts are deleted on the other node before this one knows, and must never reappear there.
    let deleter = async {
        let mut gone = Vec::new();
        for _ in 0..ROUNDS {
            let post = bob.write("short").await;
            bob_there.delete(&format!("/api/posts/{post}")).await;
            gone.push(post);
            let posts = feed(&ada_there).await;
            assert!(!gone.iter().any(|post| has(&posts, post)), "a deleted post is back");
        }
    };
    // Bob's likes of his own post race on both nodes.
    let liked = bob.write("liked").await;
    let like = format!("/api/posts/{liked}/like");
    let liker = async {
        for _ in 0..ROUNDS {
            ada.post_empty(&like).await.expect(200);
            let posts = feed(&ada).await;
            let post = posts.iter().find(|post| id_of(post) == liked);
            assert!(post.is_none_or(|post| post["isLiked"] == true));
            ada.delete(&like).await.expect(200);
        }
    };
    futures_util::join!(writer, deleter, liker);
    for viewer in [&ada, &ada_there] {
        soon("the end", || async {
            let warm = viewer.get(FEED).await.bytes;
            for node in &nodes {
                node.state.versions.invalidate_all();
            }
            warm == viewer.get(FEED).await.bytes
        })
        .await;
    }
}

/// A load balancer sends a member's next request to another node, which has not polled the change feed yet.
/// proves: read-own-writes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_reads_an_own_write_on_the_other_node() {
    let [here, there] = two_nodes().await;
    let ada = here.member("ada").await;
    assert!(feed(&there.adopt(&ada)).await.is_empty());
    for round in 0..60 {
        let post = ada.write(&round.to_string()).await;
        let elsewhere = there.adopt(&ada);
        assert_eq!(id_of(&feed(&elsewhere).await[0]), post, "round {round}");
        elsewhere.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.set_cookie(WRITTEN_ON, &elsewhere.cookie(WRITTEN_ON).unwrap());
        assert_eq!(feed(&ada).await[0]["likeCount"], 1, "round {round}");
        ada.delete(&format!("/api/posts/{post}")).await.expect(204);
        assert!(feed(&there.adopt(&ada)).await.is_empty(), "round {round}");
    }
    for invalid in ["", "x", "ffffffffffffffff", "\u{202e}"] {
        ada.set_cookie(WRITTEN_ON, invalid);
        assert!(feed(&ada).await.is_empty(), "{invalid}");
    }
}

/// proves: memory-command
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commands_change_is_effective_when_it_ends() {
    let here = Server::start(Options::on(postgres_url().await)).await;
    let (ada, bob) = (here.member("ada").await, here.member("bob").await);
    ada.follow(&bob).await;
    bob.write("mine").await;
    assert_eq!(ada.contents(FEED).await, ["mine"]);
    let store = DatabaseArgs::new(here.data.path(), here.state.settings.store.database_url.clone());
    let beside = AppState::open(Settings::for_command(store), Clock::system(), COMMAND_NODE).await;
    let beside = beside.unwrap();
    let sanction = Sanction {
        actor: Actor::Operator,
        target: Target::Name(bob.name().await),
        kind: SanctionKind::Suspend,
        note: String::new(),
        notice_text: NoticeText::default(),
        notice: here.state.id(),
        until: None,
        now: here.state.now(),
    };
    beside.db.write(sanction).await.unwrap();
    beside.db.close().await;
    assert_eq!(bob.get(FEED).await.status, 401);
    assert_eq!(ada.contents(FEED).await, [""; 0]);
}

/// A command on a machine with a wrong clock does not stop the server.
/// proves: clock-number
#[tokio::test]
async fn a_clock_ahead_takes_no_node_number() {
    let here = Server::start(Options::on(postgres_url().await)).await;
    let store = DatabaseArgs::new(here.data.path(), here.state.settings.store.database_url.clone());
    let ahead = Clock::manual(here.state.now() + HOUR);
    let beside = AppState::open(Settings::for_command(store), ahead, COMMAND_NODE).await;
    let beside = beside.unwrap();
    assert_ne!(beside.lease.node, here.state.lease.node);
    assert!(here.state.lease.renew(&here.state.db).await.unwrap());
    beside.db.close().await;
}

/// During a PostgreSQL outage of more than a minute, the operator and another node are quicker than this one.
/// proves: node-number
#[tokio::test]
async fn a_running_node_keeps_its_number_after_an_outage() {
    let here = Server::start(Options::on(postgres_url().await)).await;
    let store = here.state.settings.store.clone();
    let (client, connection) =
        tokio_postgres::connect(&store.database_url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let over = "update leases set expires_at = expires_at - 3600000";
    client.batch_execute(over).await.unwrap();
    let command = AppState::open(Settings::for_command(store), Clock::system(), COMMAND_NODE).await;
    let (command, there) = (command.unwrap(), here.start_second_node().await);
    assert!(here.state.lease.renew(&here.state.db).await.unwrap());
    assert_ne!(command.lease.node, there.state.lease.node);
    command.db.close().await;
}

/// A command with the right database and the wrong folder creates no key there. A server would use that key,
/// and links printed by `member sign-in` would not work.
/// proves: operate-command-key
#[tokio::test]
async fn a_command_creates_no_key() {
    let server = Server::start(Options::on(postgres_url().await)).await;
    let wrong = tempfile::tempdir().unwrap();
    let store = DatabaseArgs::new(wrong.path(), server.state.settings.store.database_url.clone());
    let settings = Settings::for_command(store);
    let beside = AppState::open(settings, Clock::system(), COMMAND_NODE).await;
    beside.unwrap().db.close().await;
    assert!(server.data.path().join("secret.key").is_file());
    assert!(!wrong.path().join("secret.key").exists());
}

/// Links and sessions that one node issues work on all.
/// proves: node-key
#[tokio::test]
async fn a_server_with_another_key_does_not_start() {
    let here = Server::start(Options::on(postgres_url().await)).await;
    let folder = tempfile::tempdir().unwrap();
    let mut settings = here.state.settings.clone();
    settings.store.data = folder.path().to_path_buf();
    let start = || AppState::open(settings.clone(), Clock::system(), 0);
    let error = start().await.unwrap_err();
    assert!(error.contains("has no secret.key, but the network has one"), "{error}");
    let key = folder.path().join("secret.key");
    assert!(!key.exists(), "no key was created");
    std::fs::write(&key, [7; 32]).unwrap();
    let error = start().await.unwrap_err();
    assert!(error.contains("is not this network's"), "{error}");
    std::fs::copy(here.data.path().join("secret.key"), &key).unwrap();
    start().await.unwrap().db.close().await;
}

/// A client network has one bucket for login mails on all nodes, and gets it back over time.
/// proves: node-limits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_share_the_limits_of_client_networks() {
    let mut options = Options::on(postgres_url().await);
    options.limits = Toggle::On;
    options.rate_limit_overrides = "login_mail=4/4m,verify=4/4m,waitlist=4/4m";
    let here = Server::start(options).await;
    let there = here.start_second_node().await;
    let requests = [
        ("/api/auth/request-login-link", json!({"email": "a@kith.example"})),
        ("/api/auth/verify-code", json!({"code": "wrong"})),
        ("/api/waitlist", json!({"email": "a@kith.example"})),
    ];
    for (path, body) in &requests {
        let send = |node: &Server| {
            let visitor = node.visitor();
            async move { visitor.json(Method::POST, path, body.clone()).await }
        };
        for node in [&here, &there, &here, &there] {
            assert_ne!(send(node).await.status, 429, "{path}");
        }
        // Each node has tokens left, the network has none.
        for node in [&here, &there] {
            let rejected = send(node).await;
            assert_eq!(rejected.status, 429, "{path}");
            assert!(rejected.header("retry-after").parse::<u64>().unwrap() <= 61, "{path}");
        }
    }
    here.advance_clock(MINUTE);
    let (path, body) = &requests[2];
    assert_eq!(there.visitor().json(Method::POST, path, body.clone()).await.status, 200);
    let rejected = here.visitor().json(Method::POST, path, body.clone()).await;
    assert_eq!(rejected.status, 429, "one token was refilled");
    here.advance_clock(HOUR);
    kith::ops::retention::purge_expired(&here.state).await.unwrap();
    let (client, connection) =
        tokio_postgres::connect(&here.state.settings.store.database_url, tokio_postgres::NoTls)
            .await
            .unwrap();
    tokio::spawn(connection);
    let left = client.query_one("select count(*) from network_limits", &[]).await.unwrap();
    assert_eq!(left.get::<_, i64>(0), 0, "full buckets are deleted");
}

/// A node without the change feed reads from the database.
/// proves: memory-nodes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_without_change_feed_caches_nothing() {
    let [here, there] = two_nodes().await;
    let (ada, bob) = (here.member("ada").await, here.member("bob").await);
    ada.follow(&bob).await;
    let viewer = there.adopt(&ada);
    bob.write("before").await;
    soon_first("a post", &viewer, |post| post.is_some()).await;

    let url = here.state.settings.store.database_url.clone();
    let (server, name) = url.rsplit_once('/').unwrap();
    let (client, connection) =
        tokio_postgres::connect(&format!("{server}/postgres"), tokio_postgres::NoTls)
            .await
            .unwrap();
    tokio::spawn(connection);
    // The change feeds' connections are closed as soon as they open.
    let close = format!(
        "select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'kith changes' and datname = '{name}'"
    );
    let closing = tokio::spawn(async move { while client.batch_execute(&close).await.is_ok() {} });
    for number in 0..3 {
        let content = number.to_string();
        bob.write(&content).await;
        soon("the loss", || async { !there.state.versions.is_current() }).await;
        assert_eq!(feed(&viewer).await[0]["content"], content.as_str());
    }
    closing.abort();
    soon("the end", || async { there.state.versions.is_current() }).await;
    bob.write("after").await;
    soon_first("a post", &viewer, |post| post.is_some_and(|post| post["content"] == "after")).await;
}
