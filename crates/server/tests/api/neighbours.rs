//! Who shares an address with somebody that means harm: an office, a school, the customers of a carrier.

use crate::harness::{Answer, Browser, on_both_engines};
use axum::body::{Body, Bytes};
use axum::http::Request;
use futures_util::stream::{self, FuturesUnordered, StreamExt as _};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

const PROXY: &[IpAddr] = &[IpAddr::V4(Ipv4Addr::LOCALHOST)];
/// What the proxy says of all who are at that address.
const OFFICE: [(&str, &str); 2] = [
    ("content-type", "application/json"),
    ("x-forwarded-for", "192.0.2.1"),
];

async fn call(browser: &Browser, method: &str, path: &str) -> Answer {
    browser.call(method, path, &OFFICE, Body::empty()).await
}

/// A call from the office whose body never ends.
async fn unfinished(browser: &Browser, path: &str) -> Answer {
    let begun = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
    let body = Body::from_stream(begun.chain(stream::pending()));
    browser.call("POST", path, &OFFICE, body).await
}

#[track_caller]
fn assert_too_many(answer: &Answer) {
    assert_eq!(answer.refusal(429), "too_many_requests");
}

on_both_engines! {
    with |options| options.proxies = crate::neighbours::PROXY;

    /// Of the calls at an address as many are unfinished as it may have. A member there is served all the same, as far
    /// as their own bound goes, and ends their sessions also when that is used up.
    /// proves: busy-neighbours
    async fn unfinished_calls_keep_no_member_of_an_address_out(server) {
        let (ada, stranger) = (server.member("ada").await, server.visitor());
        let mut slow = FuturesUnordered::new();
        for _ in 0..257 {
            slow.push(unfinished(&stranger, "/api/waitlist"));
        }
        assert_too_many(&slow.next().await.unwrap());
        assert_too_many(&call(&stranger, "GET", "/api/auth/me").await);
        // A node of PostgreSQL hears of a login after it.
        let mut tries = 0;
        while call(&ada, "GET", "/api/posts/feed").await.status == 429 {
            ada.me().await;
            tokio::time::sleep(Duration::from_millis(20)).await;
            tries += 1;
            assert!(tries < 250, "the session is not remembered");
        }
        call(&ada, "GET", "/images/none/w640.jpg").await.expect(404);
        let mut own = FuturesUnordered::new();
        for _ in 0..33 {
            own.push(unfinished(&ada, "/api/posts"));
        }
        assert_too_many(&own.next().await.unwrap());
        assert_too_many(&call(&ada, "GET", "/api/posts/feed").await);
        assert_too_many(&unfinished(&ada, "/api/auth/logout").await);
        call(&ada, "GET", "/api/auth/me").await.expect(200);
        call(&ada, "DELETE", "/api/auth/sessions").await.expect(204);
        assert_too_many(&call(&ada, "GET", "/api/auth/me").await);
        drop((own, slow));
        call(&ada, "GET", "/api/auth/me").await.expect(401);
    }

    /// The web app opens there too, though who leaves its files unread has only so many.
    /// proves: busy-neighbours
    async fn unfinished_calls_keep_nobody_from_the_web_app(server) {
        let stranger = server.visitor();
        let mut slow = FuturesUnordered::new();
        for _ in 0..257 {
            slow.push(unfinished(&stranger, "/api/waitlist"));
        }
        assert_too_many(&slow.next().await.unwrap());
        let page = || {
            let request = Request::get("/").header(OFFICE[1].0, OFFICE[1].1);
            stranger.begin(request.body(Body::empty()).unwrap())
        };
        let mut unread = Vec::new();
        for _ in 0..128 {
            unread.push(page().await);
        }
        assert!(unread.iter().all(|answer| answer.status() != 429));
        assert_too_many(&call(&stranger, "GET", "/").await);
        drop(unread.pop());
        assert_ne!(call(&stranger, "HEAD", "/").await.status, 429);
        assert_too_many(&unfinished(&stranger, "/").await);
        assert_too_many(&call(&stranger, "GET", "/images/none/w640.jpg").await);
    }
}
