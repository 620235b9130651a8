//! Live updates by `GET /api/events`.

use crate::harness::{Browser, Server, on_both_engines};
use axum::body::Body;
use axum::http::{HeaderMap, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use kith::features::members::SanctionKind;
use kith::platform::config::Toggle;
use serde_json::{Value, json};
use std::time::Duration;

/// An open stream of events.
pub(crate) struct EventReader {
    headers: HeaderMap,
    body: Body,
    buffer: String,
}

/// An event: its name, id and data.
#[derive(Debug, PartialEq)]
struct Event {
    name: String,
    id: String,
    data: Value,
}

impl EventReader {
    async fn open(browser: &Browser, path: &str) -> Self {
        Self::reopen(browser, path, "").await
    }

    /// Opens a stream as a browser does that has seen the event `last_id`.
    async fn reopen(browser: &Browser, path: &str, last_id: &str) -> Self {
        let request = Request::get(path).header("last-event-id", last_id);
        let response = browser.start_request(request.body(Body::empty()).unwrap()).await;
        assert_eq!(response.status(), StatusCode::OK);
        let (parts, body) = response.into_parts();
        Self { headers: parts.headers, body, buffer: String::new() }
    }

    /// Returns the next block of lines, or `None` at the end of the stream.
    async fn block(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.buffer.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.buffer = rest;
                return Some(block);
            }
            let frame = tokio::time::timeout(Duration::from_secs(20), self.body.frame());
            let frame = frame.await.expect("an event arrives")?.unwrap();
            self.buffer.push_str(std::str::from_utf8(frame.data_ref().unwrap()).unwrap());
        }
    }

    async fn event(&mut self) -> Option<Event> {
        loop {
            let block = self.block().await?;
            let field = |name: &str| {
                let lines = block.lines().filter_map(|line| line.split_once(": "));
                lines.filter(|(field, _)| *field == name).map(|(_, value)| value.to_owned()).next()
            };
            if let (Some(name), Some(data)) = (field("event"), field("data")) {
                let data = serde_json::from_str(&data).unwrap();
                return Some(Event { name, id: field("id").unwrap_or_default(), data });
            }
        }
    }

    /// Reads events until one has the name and data.
    pub(crate) async fn expect(&mut self, name: &str, data: Value) -> String {
        let mut seen = Vec::new();
        while let Ok(Some(event)) =
            tokio::time::timeout(Duration::from_secs(10), self.event()).await
        {
            if event.name == name && event.data == data {
                return event.id;
            }
            seen.push(event);
        }
        panic!("no {name} {data}, but {seen:?}");
    }

    /// Asserts that no event arrives for a while.
    async fn expect_silence(&mut self) {
        let event = tokio::time::timeout(Duration::from_millis(600), self.event()).await;
        assert!(event.is_err(), "{event:?}");
    }
}

fn counts(id: &str, [replies, reposts, likes]: [i64; 3]) -> Value {
    json!({"id": id, "replies": replies, "reposts": reposts, "likes": likes})
}

/// Opens a member's stream.
pub(crate) async fn open_events(browser: &Browser) -> EventReader {
    EventReader::open(browser, "/api/events").await
}

on_both_engines! {
    /// proves: events-state
    async fn a_stream_begins_with_the_current_numbers(server) {
        let (ada, ben) = (server.founder().await, server.member("ben").await);
        ben.follow(&ada).await;
        let post = ben.write("Hi").await;
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.write("New").await;
        let mut stream =
            EventReader::open(&ben, &format!("/api/events?feed={post}&posts={post}")).await;
        assert_eq!(stream.headers[header::CONTENT_TYPE], "text/event-stream");
        assert_eq!(stream.headers[header::CACHE_CONTROL], "no-store");
        assert_eq!(stream.headers["x-accel-buffering"], "no");
        let retry = stream.block().await.unwrap();
        let delay = retry.strip_prefix("retry: ").unwrap().parse::<u64>().unwrap();
        assert!((1_000..5_000).contains(&delay), "{delay}");
        stream.expect("notifications", json!({"unread": 1})).await;
        stream.expect("feed", json!({"count": 1})).await;
        let id = stream.expect("counts", counts(&post, [0, 0, 1])).await;
        stream.expect_silence().await;
        drop(stream);

        // A browser that knows the state gets only changes.
        let path = format!("/api/events?feed={post}&posts={post}");
        let mut stream = EventReader::reopen(&ben, &path, &id).await;
        stream.expect_silence().await;
        ada.write("Newer").await;
        assert_eq!(stream.event().await.unwrap().data, json!({"count": 2}));
    }

    /// proves: events-counts, events-unread
    async fn responses_arrive_at_other_browsers(server) {
        let (ada, ben) = (server.founder().await, server.member("ben").await);
        let post = ben.write("Hi").await;
        let mut stream = EventReader::open(&ben, &format!("/api/events?posts={post}")).await;
        stream.expect("counts", counts(&post, [0, 0, 0])).await;
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        stream.expect("counts", counts(&post, [0, 0, 1])).await;
        ada.reply(&post, "Hello").await;
        stream.expect("counts", counts(&post, [1, 0, 1])).await;
        let repost = ada.repost(&post).await;
        stream.expect("notifications", json!({"unread": 3})).await;
        ada.delete(&format!("/api/posts/{repost}")).await.expect(204);
        stream.expect("counts", counts(&post, [1, 0, 1])).await;
        ben.request("PUT", "/api/notifications/read-all", &[], "").await;
        stream.expect("notifications", json!({"unread": 0})).await;
    }

    /// proves: events-new-posts
    async fn new_posts_of_friends_are_counted(server) {
        let (ada, ben) = (server.founder().await, server.member("ben").await);
        let (cleo, dan) = (server.member("cleo").await, server.member("dan").await);
        ben.follow(&ada).await;
        ben.follow(&cleo).await;
        let newest = ada.write("Loaded").await;
        let strange = dan.write("By a stranger").await;
        let mut stream = EventReader::open(&ben, &format!("/api/events?feed={newest}")).await;
        stream.expect("feed", json!({"count": 0})).await;
        let first = ada.write("First").await;
        stream.expect("feed", json!({"count": 1})).await;
        ben.write("An own post").await;
        ada.reply(&strange, "To a stranger").await;
        dan.write("By a stranger").await;
        stream.expect_silence().await;
        cleo.repost(&first).await;
        stream.expect_silence().await;
        cleo.repost(&strange).await;
        stream.expect("feed", json!({"count": 2})).await;
        ada.delete(&format!("/api/posts/{first}")).await.expect(204);
        stream.expect("feed", json!({"count": 1})).await;
        ben.follow(&dan).await;
        // Dan's post, which Cleo reposted, Ada's reply to it, and Dan's last post.
        stream.expect("feed", json!({"count": 3})).await;
        ben.delete(&format!("/api/follows/{}", dan.id().await)).await.expect(200);
        stream.expect("feed", json!({"count": 1})).await;
        for _ in 0..25 {
            ada.write("One of many").await;
        }
        stream.expect("feed", json!({"count": 21})).await;
        let mut empty = EventReader::open(&dan, "/api/events?feed=0").await;
        empty.expect("feed", json!({"count": 0})).await;
    }

    /// proves: events-visible
    async fn posts_of_hidden_members_are_not_counted(server) {
        let (ada, ben) = (server.founder().await, server.member("ben").await);
        let cleo = server.member("cleo").await;
        ben.follow(&cleo).await;
        let (loaded, post) = (cleo.write("Loaded").await, ada.write("Ada's").await);
        let ben_id = ben.id().await;
        let path = format!("/api/events?feed={loaded}&posts={post}");
        let mut stream = EventReader::open(&ben, &path).await;
        stream.expect("counts", counts(&post, [0, 0, 0])).await;
        ada.post_empty(&format!("/api/blocks/{ben_id}")).await;
        cleo.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        cleo.repost(&post).await;
        stream.expect_silence().await;
        let mut stream = EventReader::open(&ben, &path).await;
        let event = stream.event().await.unwrap();
        assert_eq!((event.name.as_str(), event.data), ("notifications", json!({"unread": 0})));
        let event = stream.event().await.unwrap();
        assert_eq!((event.name.as_str(), event.data), ("feed", json!({"count": 0})));
        stream.expect_silence().await;
    }

    /// proves: events-session-end
    async fn a_stream_ends_with_its_session(server) {
        let ben = server.member("ben").await;
        let ended = async |stream: &mut EventReader| {
            stream.expect("session_ended", json!({})).await;
            assert_eq!(stream.event().await, None);
        };
        let name = ben.name().await;
        let other = server.log_in_again(&ben, "Firefox").await;
        let mut kept = EventReader::open(&other, "/api/events").await;
        let mut stream = EventReader::open(&ben, "/api/events").await;
        ben.post_empty("/api/auth/logout").await;
        ended(&mut stream).await;
        kept.expect("notifications", json!({"unread": 0})).await;
        kept.expect_silence().await;
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        ended(&mut kept).await;
    }

    /// proves: events-limit
    async fn a_member_has_at_most_four_streams(server) {
        let ben = server.member("ben").await;
        let mut streams = Vec::new();
        for _ in 0..4 {
            streams.push(EventReader::open(&ben, "/api/events").await);
        }
        let fifth = ben.get("/api/events").await;
        assert_eq!(fifth.error_code(429), "too_many_requests");
        assert_eq!(fifth.headers[header::RETRY_AFTER], "30");
        streams.pop();
        streams.push(EventReader::open(&ben, "/api/events").await);
    }

    /// proves: events-stop
    async fn a_stopping_server_ends_its_streams(server) {
        let ben = server.member("ben").await;
        let mut stream = EventReader::open(&ben, "/api/events").await;
        stream.expect("notifications", json!({"unread": 0})).await;
        server.state.events.close();
        assert_eq!(stream.event().await, None);
        assert_eq!(ben.get("/api/events").await.error_code(503), "unavailable");
    }
}

/// proves: events-input
#[tokio::test]
async fn only_ids_can_be_watched() {
    let server = Server::with(|_| ()).await;
    let ben = server.member("ben").await;
    let many = vec!["1"; 61].join(",");
    for query in ["feed=x", "feed=01", "feed=", "posts=", "posts=1,", "posts=x", "posts=1,+2"] {
        assert_eq!(ben.get(&format!("/api/events?{query}")).await.status, 400, "{query}");
    }
    assert_eq!(ben.get(&format!("/api/events?posts={many}")).await.status, 400);
    assert_eq!(server.visitor().get("/api/events").await.status, 401);
}

/// proves: events-off
#[tokio::test]
async fn live_updates_can_be_switched_off() {
    let server = Server::with(|options| options.events = Toggle::Off).await;
    let ben = server.member("ben").await;
    assert_eq!(ben.get("/api/events").await.error_code(404), "events_off");
}

/// proves: events-nodes
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_reach_browsers_on_other_nodes() {
    let server = Server::postgres().await;
    let node = server.start_second_node().await;
    let (ada, ben) = (server.founder().await, server.member("ben").await);
    ben.follow(&ada).await;
    let post = ben.write("Hi").await;
    let there = node.adopt(&ben);
    let mut stream =
        EventReader::open(&there, &format!("/api/events?feed={post}&posts={post}")).await;
    stream.expect("counts", counts(&post, [0, 0, 0])).await;
    ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
    stream.expect("counts", counts(&post, [0, 0, 1])).await;
    ada.write("New").await;
    stream.expect("feed", json!({"count": 1})).await;
    ben.post_empty("/api/auth/logout").await;
    stream.expect("session_ended", json!({})).await;
}
