//! How many requests are worked on at the same time, and which are rejected.

use crate::harness::{Server, TestResponse};
use axum::body::{Body, Bytes};
use futures_util::FutureExt as _;
use futures_util::stream::{self, FuturesUnordered, StreamExt as _};
use kith::http::concurrency_limit::{ConcurrencyLimiter, Permit, Priority};
use kith::platform::config::Toggle;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// Requests of each priority that may wait for the only permit.
const MAX_WAITING: usize = 256;

/// A server that works on one request at a time.
async fn narrow() -> Server {
    Server::with(|options| options.in_flight = NonZeroUsize::new(1)).await
}

fn assert_busy(answer: &TestResponse) {
    assert_eq!(answer.error_code(503), "unavailable");
    assert_eq!(answer.header("retry-after"), "2");
}

async fn only_permit(server: &Server) -> Permit {
    let limiter = &server.state.middleware.concurrency;
    let permit = limiter.acquire(Priority::Normal, &server.state.clock).await;
    permit.expect("it is free")
}

/// Waits until `count` requests are queued, which no response shows.
async fn until_waiting(server: &Server, count: usize) {
    while server.state.middleware.concurrency.waiting() < count {
        tokio::task::yield_now().await;
    }
}

/// proves: busy-bounded
#[tokio::test]
async fn a_waiting_request_gets_a_free_permit() {
    let server = narrow().await;
    let founder = server.founder().await;
    let permit = only_permit(&server).await;
    let waits = founder.get("/api/posts/feed");
    let frees = async {
        until_waiting(&server, 1).await;
        drop(permit);
    };
    let (answer, ()) = tokio::join!(waits, frees);
    answer.expect(200);
    assert_eq!(server.state.middleware.concurrency.waiting(), 0);
}

/// proves: busy-bounded
#[tokio::test]
async fn requests_wait_for_two_seconds_at_most() {
    let server = narrow().await;
    let founder = server.founder().await;
    let permit = only_permit(&server).await;
    let waits = founder.get("/api/posts/feed");
    let passes = async {
        until_waiting(&server, 1).await;
        server.advance_clock(1_999);
        tokio::task::yield_now().await;
        assert_eq!(server.state.middleware.concurrency.waiting(), 1);
        server.advance_clock(1);
    };
    let (answer, ()) = tokio::join!(waits, passes);
    assert_busy(&answer);
    drop(permit);
    founder.get("/api/posts/feed").await.expect(200);
}

/// While the queue of feeds is full, another one is rejected but a login is not.
/// proves: busy-shed
#[tokio::test]
async fn feeds_and_searches_are_rejected_before_logins_and_writes() {
    let server = narrow().await;
    let founder = server.founder().await;
    let visitor = server.visitor();
    let permit = only_permit(&server).await;
    let feeds = (0..MAX_WAITING).map(|_| founder.get("/api/posts/feed"));
    let feeds = futures_util::future::join_all(feeds);
    let others = async {
        until_waiting(&server, MAX_WAITING).await;
        for path in [
            "/api/posts/feed",
            "/api/posts/for-you",
            "/api/users/search?q=fo",
            "/api/users/suggested",
            "/api/users/founder/posts",
            "/api/hashtags/tea/posts",
            "/api/trending",
        ] {
            assert_busy(&founder.get(path).await);
        }
        let body = json!({"email": "eve@example.org"});
        let login = visitor.post("/api/auth/request-login-link", body);
        let write = founder.post("/api/posts", json!({"content": "still served"}));
        let frees = async {
            until_waiting(&server, MAX_WAITING + 2).await;
            drop(permit);
        };
        let (login, write, ()) = tokio::join!(login, write, frees);
        login.expect(200);
        write.expect(201);
    };
    let (feeds, ()) = tokio::join!(feeds, others);
    for feed in feeds {
        feed.expect(200);
    }
}

/// A write is not served instead of all feeds: of seven permits two go to writes while both wait.
/// proves: busy-shed
#[tokio::test]
async fn both_priorities_are_served_while_both_wait() {
    let server = narrow().await;
    let limiter = Arc::new(ConcurrencyLimiter::new(Some(7)));
    let acquire = async |priority| {
        let permit = limiter.acquire(priority, &server.state.clock).await;
        (priority, permit.expect("its turn comes"))
    };
    let mut held = Vec::new();
    for _ in 0..7 {
        held.push(acquire(Priority::Low).await);
    }
    let priorities = [Priority::Low, Priority::Normal].repeat(14);
    let mut waiting = priorities.into_iter().map(acquire).collect::<FuturesUnordered<_>>();
    assert!(waiting.next().now_or_never().is_none());
    drop(held);
    let mut served = Vec::new();
    while let Some((priority, _permit)) = waiting.next().await {
        served.push(priority);
    }
    let first = &served[..14];
    let normal = first.iter().filter(|one| **one == Priority::Normal).count();
    assert_eq!((served.len(), normal), (28, 4), "{first:?}");
}

/// proves: busy-bounded
#[tokio::test]
async fn permits_per_core_are_limited() {
    let server = narrow().await;
    let cores = std::thread::available_parallelism().unwrap().get();
    let usual = Arc::new(ConcurrencyLimiter::new(None));
    let acquire = || usual.acquire(Priority::Normal, &server.state.clock).now_or_never();
    let permits = std::iter::from_fn(|| acquire().flatten()).collect::<Vec<_>>();
    assert_eq!(permits.len(), 32 * cores);
}

/// One member has 16 requests under way or waiting; others wait beside them.
/// proves: busy-one-member
#[tokio::test]
async fn one_member_cannot_take_all_permits() {
    let server = Server::with(|options| {
        options.in_flight = NonZeroUsize::new(16);
        options.limits = Toggle::On;
    });
    let server = server.await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    // From here on the session is cached, and requests count by member instead of by network.
    ada.get("/api/auth/me").await.expect(200);
    let acquire =
        || server.state.middleware.concurrency.acquire(Priority::Normal, &server.state.clock);
    let permits = std::iter::from_fn(|| acquire().now_or_never().flatten()).collect::<Vec<_>>();
    assert_eq!(permits.len(), 16);
    let many = futures_util::future::join_all((0..24).map(|_| ada.get("/api/posts/feed")));
    let frees = async {
        until_waiting(&server, 17).await;
        drop(permits);
    };
    let (answers, other, ()) = tokio::join!(many, bob.get("/api/posts/feed"), frees);
    other.expect(200);
    let (answered, rejected) = answers.iter().partition::<Vec<_>, _>(|answer| answer.status == 200);
    assert_eq!((answered.len(), rejected.len()), (16, 8));
    for answer in rejected {
        assert_eq!(answer.error_code(429), "too_many_requests");
    }
    ada.get("/api/posts/feed").await.expect(200);
}

/// proves: busy-bounded
#[tokio::test]
async fn a_full_queue_rejects_the_next_request() {
    let server = narrow().await;
    let visitor = server.visitor();
    let permit = only_permit(&server).await;
    let me = || visitor.get("/api/auth/me");
    let waiting = futures_util::future::join_all((0..MAX_WAITING).map(|_| me()));
    let next = async {
        until_waiting(&server, MAX_WAITING).await;
        assert_busy(&me().await);
        drop(permit);
    };
    let (waiting, ()) = tokio::join!(waiting, next);
    for answer in waiting {
        answer.error_code(401);
    }
}

/// Of a long queue the newest request is served first, of a short one the oldest.
/// proves: busy-newest-first
#[tokio::test]
async fn a_long_queue_serves_the_newest_request_first() {
    let server = narrow().await;
    let limiter = &server.state.middleware.concurrency;
    let acquire = async |number| {
        let permit = limiter.acquire(Priority::Low, &server.state.clock).await;
        (number, permit.expect("its turn comes"))
    };
    let permit = only_permit(&server).await;
    let mut waiting = (1..=5).map(acquire).collect::<FuturesUnordered<_>>();
    assert!(waiting.next().now_or_never().is_none());
    drop(permit);
    let mut served = Vec::new();
    while let Some((number, _permit)) = waiting.next().await {
        served.push(number);
    }
    assert_eq!(served, [5, 4, 3, 1, 2]);
}

/// A request that gave up makes room in the queue.
/// proves: busy-bounded
#[tokio::test]
async fn requests_that_gave_up_do_not_fill_the_queue() {
    let server = narrow().await;
    let visitor = server.visitor();
    let permit = only_permit(&server).await;
    let me = || visitor.get("/api/auth/me");
    for _ in 0..2 {
        let waiting = futures_util::future::join_all((0..MAX_WAITING).map(|_| me()));
        tokio::select! {
            _ = waiting => panic!("there is no permit"),
            () = until_waiting(&server, MAX_WAITING) => {}
        }
    }
    drop(permit);
    me().await.error_code(401);
}

/// One client behind the proxy sends 33 bodies without end: 32 are awaited, and other clients are served.
/// proves: busy-behind-proxy
#[tokio::test]
async fn one_client_behind_a_proxy_has_a_limit_of_requests() {
    const PROXY: &[IpAddr] = &[IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let server = Server::with(|options| {
        options.proxies = PROXY;
        options.limits = Toggle::On;
    });
    let server = server.await;
    let visitor = server.visitor();
    let call = |client: &'static str| {
        let headers = [("content-type", "application/json"), ("x-forwarded-for", client)];
        let begun = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
        let never = begun.chain(stream::pending());
        let visitor = &visitor;
        async move {
            let body = Body::from_stream(never);
            visitor.request("POST", "/api/auth/verify", &headers, body).await
        }
    };
    let mut slow = FuturesUnordered::new();
    for _ in 0..33 {
        slow.push(call("192.0.2.1"));
    }
    let rejected = slow.next().await.expect("one is too many");
    assert_eq!(rejected.error_code(429), "too_many_requests");
    let me = async |client| {
        let headers = [("x-forwarded-for", client)];
        visitor.request("GET", "/api/auth/me", &headers, Body::empty()).await
    };
    assert_eq!(me("192.0.2.1").await.error_code(429), "too_many_requests");
    assert_eq!(me("192.0.2.2").await.error_code(401), "unauthorized");
    drop(slow);
    assert_eq!(me("192.0.2.1").await.error_code(401), "unauthorized");
}

/// A body that never ends holds no permit.
/// proves: busy-slow-senders
#[tokio::test]
async fn slow_bodies_hold_no_permit() {
    let server = narrow().await;
    let founder = server.founder().await;
    let json = [("content-type", "application/json")];
    let slow = || {
        let begun = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
        let never = begun.chain(stream::pending());
        founder.request("POST", "/api/posts", &json, Body::from_stream(never))
    };
    let all = futures_util::future::join_all((0..20).map(|_| slow()));
    let quick = async {
        founder.post("/api/posts", json!({"content": "quick"})).await.expect(201);
    };
    tokio::select! {
        _ = all => panic!("a body without an end was answered"),
        () = quick => {}
    }
}

/// The handler rejects a body that is too large, with its own message.
/// proves: busy-slow-senders
#[tokio::test]
async fn chunked_bodies_are_read_up_to_the_limit() {
    let server = narrow().await;
    let founder = server.founder().await;
    let json = [("content-type", "application/json")];
    let pieces = |texts: Vec<String>| {
        Body::from_stream(stream::iter(texts.into_iter().map(Ok::<_, std::io::Error>)))
    };
    let post = json!({"content": "in pieces"}).to_string();
    let (first, second) = post.split_at(9);
    let body = pieces(vec![first.to_owned(), second.to_owned()]);
    founder.request("POST", "/api/posts", &json, body).await.expect(201);
    let body = pieces(vec![" ".repeat(1_000); 66]);
    let answer = founder.request("POST", "/api/posts", &json, body).await;
    assert_eq!(answer.error_code(413), "body_too_large");
    let broken = stream::iter([
        Ok(Bytes::from_static(b"{")),
        Err(std::io::Error::other("the line is dead")),
    ]);
    let answer = founder.request("POST", "/api/posts", &json, Body::from_stream(broken)).await;
    assert_eq!(answer.error_code(400), "body_unreadable");
}

/// A long list is compressed for clients that accept gzip, with the same content.
/// proves: wire-compressed
#[tokio::test]
async fn long_lists_are_compressed_for_browsers() {
    let server = Server::sqlite().await;
    let founder = server.founder().await;
    let short = founder.request("GET", "/api/posts/feed", &[("accept-encoding", "gzip")], "").await;
    assert!(!short.headers.contains_key("content-encoding"));
    for number in 0..20 {
        let content = format!("Post {number} of a feed that is worth compressing");
        founder.post("/api/posts", json!({ "content": content })).await.expect(201);
    }
    let plain = founder.get("/api/posts/feed").await;
    assert!(!plain.headers.contains_key("content-encoding"));
    let packed =
        founder.request("GET", "/api/posts/feed", &[("accept-encoding", "gzip, br")], "").await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert!(packed.bytes.len() * 4 < plain.bytes.len());
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*packed.bytes), &mut unpacked)
        .unwrap();
    assert_eq!(unpacked, plain.bytes);
}
