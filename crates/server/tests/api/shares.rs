//! What one member, or one home, may have of the places for calls.

use crate::harness::Server;
use axum::body::Body;
use axum::http::Request;
use kith::admission::{Class, Whose};
use kith::client::Client;
use kith::config::Switch;
use kith::ids::Id;
use kith::limits::Visit;
use serde_json::json;
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroUsize;

/// Four of sixteen places are a member's: the fifth call waits without one, and others' are answered.
/// proves: busy-one-member
#[tokio::test]
async fn one_member_leaves_places_to_others() {
    let server = Server::with(|options| {
        options.in_flight = NonZeroUsize::new(16);
        options.limits = Switch::On;
    });
    let server = server.await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let (admission, id) = (
        &server.app.admission,
        Whose::Member(Id(ada.id().await.parse().unwrap())),
    );
    let share = || (0..4).filter_map(|_| admission.of_share(id));
    let places = || {
        futures_util::future::join_all((0..16).map(|_| admission.enter(Class::Other, &server.app)))
    };
    let taken = share().collect::<Vec<_>>();
    assert_eq!((taken.len(), admission.of_share(id).is_some()), (4, false));
    let waits = futures_util::future::join_all((0..40).map(|_| ada.get("/api/posts/feed")));
    let frees = async {
        while admission.waiting_of(id) < 32 {
            tokio::task::yield_now().await;
        }
        // None of them has a place.
        let all = places().await;
        assert!(!admission.has_room() && all.iter().all(Result::is_ok));
        drop(all);
        bob.get("/api/posts/feed").await.expect(200);
        drop(taken);
    };
    let (answers, ()) = tokio::join!(waits, frees);
    let (answered, refused) = answers
        .iter()
        .partition::<Vec<_>, _>(|answer| answer.status == 200);
    assert_eq!((answered.len(), refused.len()), (32, 8));
    for answer in refused {
        assert_eq!(answer.refusal(429), "too_many_requests");
    }
    assert_eq!((admission.waiting_of(id), share().count()), (0, 4));
}

/// proves: busy-one-member
#[tokio::test]
async fn a_member_waits_two_seconds_for_their_own_calls() {
    let server = Server::with(|options| options.limits = Switch::On).await;
    let ada = server.member("ada").await;
    let (admission, id) = (
        &server.app.admission,
        Whose::Member(Id(ada.id().await.parse().unwrap())),
    );
    let taken = std::iter::from_fn(|| admission.of_share(id)).collect::<Vec<_>>();
    assert_eq!(taken.len(), 64);
    let passes = async {
        while admission.waiting_of(id) < 1 {
            tokio::task::yield_now().await;
        }
        server.pass(2_000);
    };
    let (answer, ()) = tokio::join!(ada.get("/api/posts/feed"), passes);
    assert_eq!(answer.refusal(429), "too_many_requests");
    drop(taken);
    ada.get("/api/posts/feed").await.expect(200);
}

/// Eight mebibytes of large answers that nobody reads are one member's bound, compressed ones as long as they were. Small
/// ones do not count, and others' calls are not refused.
/// proves: busy-unread
#[tokio::test]
async fn a_member_leaves_only_so_many_answers_unread() {
    let server = Server::with(|options| options.limits = Switch::On).await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    for number in 0..20 {
        let content = format!("{number:02}{}", "\u{1f469}\u{200d}\u{1f52c}".repeat(278));
        let post = json!({ "content": content });
        ada.post("/api/posts", post).await.expect(201);
    }
    let long = &format!("/api/users/{}/posts", ada.name().await);
    let length = bob.get(long).await.bytes.len();
    let most = (8_usize << 20).div_ceil(length);
    assert!(most < 200, "{length}");
    let mut unread = Vec::new();
    for n in 0..most {
        let coding = ["identity", "gzip"][n % 2];
        let request = Request::get(long).header("accept-encoding", coding);
        unread.push(bob.begin(request.body(Body::empty()).unwrap()).await);
        bob.unread("/api/auth/me").await;
    }
    let statuses = unread.iter().map(|answer| answer.status().as_u16());
    assert_eq!(statuses.collect::<Vec<_>>(), vec![200; most]);
    assert_eq!(bob.get(long).await.refusal(429), "too_many_requests");
    bob.get("/api/auth/me").await.expect(200);
    ada.get(long).await.expect(200);
    drop(unread.pop());
    bob.get(long).await.expect(200);
}

/// Sixteen places, of which a share is four.
async fn behind_a_proxy() -> Server {
    const PROXY: &[IpAddr] = &[IpAddr::V4(Ipv4Addr::LOCALHOST)];
    let server = Server::with(|options| {
        options.in_flight = NonZeroUsize::new(16);
        options.limits = Switch::On;
        options.proxies = PROXY;
    });
    server.await
}

/// Sessions that have to be looked for have four places of sixteen together, if they come from one household;
/// those that are remembered, and those from elsewhere, do not wait for them.
/// proves: busy-invented-sessions
#[tokio::test]
async fn invented_sessions_leave_places_to_others() {
    let server = behind_a_proxy().await;
    let (ada, visitor) = (server.member("ada").await, server.visitor());
    let home = Whose::Home("2001:db8:7::".parse().unwrap());
    let admission = &server.app.admission;
    let invented = async |client: &str| {
        let headers = [("x-forwarded-for", client), ("cookie", "session=invented")];
        let call = visitor.call("GET", "/api/posts/feed", &headers, Body::empty());
        call.await
    };
    let taken = std::iter::from_fn(|| admission.of_share(home)).collect::<Vec<_>>();
    assert_eq!(taken.len(), 4);
    let frees = async {
        while admission.waiting_of(home) < 1 {
            tokio::task::yield_now().await;
        }
        let other = invented("2001:db8:8::1").await;
        assert_eq!(other.refusal(401), "unauthorized");
        let headers = [("x-forwarded-for", "2001:db8:7:1::1")];
        let feed = ada.call("GET", "/api/posts/feed", &headers, Body::empty());
        feed.await.expect(200);
        server.pass(2_000);
    };
    let (waited, ()) = tokio::join!(invented("2001:db8:7:2::1"), frees);
    assert_eq!(waited.refusal(429), "too_many_requests");
    drop(taken);
    let looked = invented("2001:db8:7:2::1").await;
    assert_eq!(looked.refusal(401), "unauthorized");
}

/// Addresses that have sent many of them have four places together, however many addresses there are; who comes
/// from another one does not wait for them.
/// proves: busy-invented-sessions
#[tokio::test]
async fn invented_sessions_from_many_homes_have_one_share() {
    let server = behind_a_proxy().await;
    let (ada, visitor) = (server.member("ada").await, server.visitor());
    let admission = &server.app.admission;
    let invented = async |client: &str| {
        let headers = [("x-forwarded-for", client), ("cookie", "session=invented")];
        let call = visitor.call("GET", "/api/posts/feed", &headers, Body::empty());
        call.await
    };
    let limits = &server.app.limits;
    for used in ["192.0.2.1", "192.0.2.2"] {
        let client = Client(used.parse().unwrap());
        while limits.visit(Visit::Look, client).is_ok() {}
    }
    let taken = std::iter::from_fn(|| admission.of_share(Whose::Looking)).collect::<Vec<_>>();
    assert_eq!(taken.len(), 4);
    let frees = async {
        while admission.waiting_of(Whose::Looking) < 2 {
            tokio::task::yield_now().await;
        }
        let other = invented("192.0.2.3").await;
        assert_eq!(other.refusal(401), "unauthorized");
        let headers = [("x-forwarded-for", "192.0.2.1")];
        let feed = ada.call("GET", "/api/posts/feed", &headers, Body::empty());
        feed.await.expect(200);
        server.pass(2_000);
    };
    let (first, second, ()) = tokio::join!(invented("192.0.2.1"), invented("192.0.2.2"), frees);
    for waited in [first, second] {
        assert_eq!(waited.refusal(429), "too_many_requests");
    }
    drop(taken);
    let looked = invented("192.0.2.1").await;
    assert_eq!(looked.refusal(401), "unauthorized");
}

/// What a thief cannot use up for the owner is bounded all the same: by the home from which it is called.
/// proves: busy-endings
#[tokio::test]
async fn calls_that_end_sessions_leave_places_to_others() {
    let server = behind_a_proxy().await;
    let ada = server.member("ada").await;
    let me = Id(ada.id().await.parse().unwrap());
    let home = Whose::Ending(me, "192.0.2.7".parse().unwrap());
    let admission = &server.app.admission;
    let call = async |client: &str| {
        let headers = [("x-forwarded-for", client)];
        ada.call("GET", "/api/auth/me", &headers, Body::empty())
            .await
    };
    let taken = std::iter::from_fn(|| admission.of_share(home)).collect::<Vec<_>>();
    assert_eq!(taken.len(), 4);
    let frees = async {
        while admission.waiting_of(home) < 1 {
            tokio::task::yield_now().await;
        }
        call("192.0.2.8").await.expect(200);
        server.pass(2_000);
    };
    let (waited, ()) = tokio::join!(call("192.0.2.7"), frees);
    assert_eq!(waited.refusal(429), "too_many_requests");
    drop(taken);
    call("192.0.2.7").await.expect(200);
}
