//! The load generator detects wrong responses.

use anyhow::{Result, ensure};
use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::StatusCode;
use http_body_util::Full;
use kith_bench::load::{self, CheckedRequest, ExpectedResponse, Load, Outcome, Pace};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Response to the request with this number.
type Respond = fn(u64) -> (StatusCode, &'static str);

const RIGHT: &str = "[{\"id\":\"1\"}]";

/// Starts a server whose n-th response is `answer(n)`.
async fn server(respond: Respond) -> Result<SocketAddr> {
    let next = Arc::new(AtomicU64::new(0));
    let handler = move |_: Request| {
        let number = next.fetch_add(1, Relaxed);
        async move { respond(number) }
    };
    listen(Router::new().fallback(handler)).await
}

async fn listen(router: Router) -> Result<SocketAddr> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move { axum::serve(listener, router).await });
    Ok(address)
}

fn has_an_id(value: &Value) -> Result<()> {
    ensure!(value.pointer("/0/id").is_some(), "a row has no id");
    Ok(())
}

async fn send_load(address: SocketAddr, connections: usize, pace: Pace) -> Result<Outcome> {
    let expected = Arc::new(ExpectedResponse {
        status: StatusCode::OK,
        prefix: "[{\"",
        suffix: "}]",
        size: 10..=20,
        check_json: has_an_id,
    });
    let load = Load { address, connections, pace, time: Duration::from_millis(300) };
    load::run_load(load, move |_| CheckedRequest {
        request: hyper::Request::new(Full::new(Bytes::new())),
        expected: expected.clone(),
        exact_body: None,
    })
    .await
}

#[tokio::test]
async fn correct_responses_are_counted() -> Result<()> {
    let address = server(|_| (StatusCode::OK, RIGHT)).await?;
    for pace in [Pace::Full, Pace::At(200.0)] {
        let outcome = send_load(address, 4, pace).await?;
        assert_eq!(outcome.bytes, outcome.responses * RIGHT.len() as u64);
        assert_eq!(outcome.latency.len(), outcome.responses);
    }
    assert_eq!(send_load(address, 4, Pace::At(200.0)).await?.responses, 60);
    Ok(())
}

#[tokio::test]
async fn one_wrong_response_fails_the_load() -> Result<()> {
    let wrong: [(Respond, &str); 5] = [
        (
            |n| (if n == 40 { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK }, RIGHT),
            "503",
        ),
        (|n| (StatusCode::OK, if n == 40 { "[]" } else { RIGHT }), "does not begin"),
        (|n| (StatusCode::OK, if n == 40 { "[{\"id\":\"1\"" } else { RIGHT }), "end with"),
        (
            |n| (StatusCode::OK, if n == 40 { "[{\"id\":\"1\",\"more\":\"2\"}]" } else { RIGHT }),
            "bytes",
        ),
        // Only the check of samples finds this one.
        (|_| (StatusCode::OK, "[{\"name\":1}]"), "wrong"),
    ];
    for (respond, expected) in wrong {
        let address = server(respond).await?;
        let outcome = send_load(address, 2, Pace::Full).await;
        let error = outcome.map(|outcome| outcome.responses).expect_err(expected);
        assert!(format!("{error:#}").contains(expected), "{expected}: {error:#}");
    }
    Ok(())
}

#[tokio::test]
async fn a_closed_connection_fails_the_load() -> Result<()> {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            drop(stream);
        }
    });
    assert!(send_load(address, 2, Pace::Full).await.is_err());
    assert!(send_load(address, 2, Pace::At(100.0)).await.is_err());
    Ok(())
}

/// The server stalls on its first request for the whole load. Latency from the time of sending would
/// hide that all other requests waited.
#[tokio::test]
async fn latency_includes_the_wait_for_a_stalled_server() -> Result<()> {
    let next = Arc::new(AtomicU64::new(0));
    let stalling = move |_: Request| {
        let number = next.fetch_add(1, Relaxed);
        async move {
            if number == 0 {
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
            RIGHT
        }
    };
    let address = listen(Router::new().fallback(stalling)).await?;
    let outcome = send_load(address, 1, Pace::At(100.0)).await?;
    assert_eq!(outcome.responses, 30);
    let (median, longest) = (outcome.latency.value_at_quantile(0.5), outcome.latency.max());
    assert!(median * 4 > longest, "median {median} µs, longest {longest} µs");
    Ok(())
}
