//! Faults of an S3 server and of the connection to it.

use std::time::{Duration, Instant};

use kith_storage::{CreateOutcome, StorageError};

use crate::canned::{Canned, Reply, broken, reply};
use crate::support::{body, bytes, collect};

fn text(failure: &StorageError) -> String {
    assert!(matches!(failure, StorageError::Unavailable(_)), "{failure:?}");
    failure.to_string()
}

#[tokio::test]
async fn transient_errors_are_retried() {
    let passing = [reply(503, ""), reply(500, ""), broken(), reply(200, "")];
    let canned = Canned::start(passing.into()).await;
    canned.storage.put("a", bytes(10)).await.unwrap();
    assert_eq!(canned.request_count(), 4);
}

#[tokio::test]
async fn permanent_errors_are_returned_soon() {
    let slow_down = "<Error><Code>SlowDown</Code></Error>";
    let canned = Canned::start(vec![reply(503, slow_down)]).await;
    let start = Instant::now();
    let failure = canned.storage.put("a", bytes(10)).await.unwrap_err();
    assert!(text(&failure).ends_with("127.0.0.1 answered 503 to a PUT (SlowDown)"), "{failure}");
    assert_eq!(canned.request_count(), 4);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
}

#[tokio::test]
async fn client_errors_are_not_retried() {
    for status in [400, 403, 412, 501, 507] {
        let canned = Canned::start(vec![reply(status, "")]).await;
        canned.storage.put("a", bytes(10)).await.unwrap_err();
        assert_eq!(canned.request_count(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_full_bucket_is_reported() {
    let canned = Canned::start(vec![reply(507, "")]).await;
    assert_eq!(canned.storage.put("a", bytes(10)).await.unwrap_err(), StorageError::Full);
}

/// A forged response must not make the server connect to another host.
#[tokio::test]
async fn a_redirect_is_not_followed() {
    let other = Canned::start(vec![reply(200, "gotcha")]).await;
    let there = other.storage.upload_origin().unwrap();
    let moved =
        format!("HTTP/1.1 307 Canned\r\nlocation: {there}/kith/a\r\ncontent-length: 0\r\n\r\n");
    let canned = Canned::start(vec![Reply::Text(moved)]).await;
    let failure = canned.storage.get("a", 100).await.unwrap_err();
    assert!(text(&failure).ends_with("the bucket has another region or endpoint"), "{failure}");
    assert_eq!(other.request_count(), 0);
}

#[tokio::test]
async fn a_truncated_object_is_an_error() {
    let part = |head: &str, body: &str| {
        Reply::Text(format!("HTTP/1.1 {head}\r\netag: \"1\"\r\n\r\n{body}"))
    };
    let half = part("200 Canned\r\ncontent-length: 10", "12345");
    let rest = "206 Canned\r\ncontent-length: 5\r\ncontent-range: bytes 5-9/10";
    let canned = Canned::start(vec![half.clone(), part(rest, "67890")]).await;
    let whole = canned.storage.get("a", 10).await.unwrap();
    assert_eq!(whole.as_deref(), Some(b"1234567890".as_slice()));
    let canned = Canned::start(vec![half]).await;
    text(&canned.storage.get("a", 10).await.unwrap_err());
    let object = canned.storage.read("a", None).await.unwrap().unwrap();
    assert_eq!(object.size, 10);
    text(&collect(object).await.unwrap_err());
}

/// The response sends one byte after another without end.
/// proves: storage-drip
#[tokio::test]
async fn a_dripping_response_times_out() {
    for status in [200, 403] {
        let head = format!("HTTP/1.1 {status} Canned\r\ncontent-length: 100000\r\n\r\n");
        let canned = Canned::start(vec![Reply::Drip(head)]).await;
        let failure = canned.storage.get("a", 200_000).await.unwrap_err();
        assert!(matches!(failure, StorageError::Unavailable(_)), "{failure:?}");
    }
}

#[tokio::test]
async fn an_object_above_the_limit_is_not_read() {
    let huge = "HTTP/1.1 200 Canned\r\ncontent-length: 99999999999999\r\n\r\n";
    let canned = Canned::start(vec![Reply::Text(huge.to_owned())]).await;
    assert_eq!(canned.storage.get("a", 10).await.unwrap_err(), StorageError::TooLarge);
    let unsaid = "HTTP/1.1 200 Canned\r\ntransfer-encoding: chunked\r\n\r\n5\r\n12345\r\n0\r\n\r\n";
    let canned = Canned::start(vec![Reply::Text(unsaid.to_owned())]).await;
    text(&canned.storage.get("a", 10).await.unwrap_err());
}

#[tokio::test]
async fn another_range_than_requested_is_an_error() {
    let part = |range| {
        let head = format!("HTTP/1.1 206 Canned\r\ncontent-range: bytes {range}");
        Reply::Text(format!("{head}\r\ncontent-length: 3\r\n\r\n123"))
    };
    let canned =
        Canned::start(vec![part("2-4/10"), part("3-5/10"), reply(200, "0123456789")]).await;
    let object = canned.storage.read("a", Some(2..5)).await.unwrap().unwrap();
    assert_eq!((object.size, object.range), (10, 2..5));
    text(&canned.storage.read("a", Some(2..5)).await.unwrap_err());
    text(&canned.storage.read("a", Some(2..5)).await.unwrap_err());
}

/// The first attempt succeeded, but its response was lost.
#[tokio::test]
async fn a_repeated_create_finds_its_own_object() {
    let replies = |stored: &str| vec![broken(), reply(412, ""), reply(200, stored)];
    let given = bytes::Bytes::from_static(b"1234567890");
    let canned = Canned::start(replies("1234567890")).await;
    let created = canned.storage.create("a", body(&given), 10).await.unwrap();
    assert_eq!(created, CreateOutcome::Same);
    let canned = Canned::start(replies("1234567899")).await;
    let created = canned.storage.create("a", body(&given), 10).await.unwrap();
    assert_eq!(created, CreateOutcome::Different);
}

#[tokio::test]
async fn a_concurrently_deleted_object_is_created_again() {
    let replies = vec![reply(412, ""), reply(404, ""), reply(200, "")];
    let canned = Canned::start(replies).await;
    let created = canned.storage.create("a", body(&bytes(10)), 10).await.unwrap();
    assert_eq!((created, canned.request_count()), (CreateOutcome::New(10), 3));
}

/// The clock is paused, and advances when all tasks wait.
#[tokio::test(start_paused = true)]
async fn silence_times_out() {
    let canned = Canned::start(vec![Reply::Silence]).await;
    let start = tokio::time::Instant::now();
    let failure = canned.storage.size("a").await.unwrap_err();
    text(&failure);
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
}

#[tokio::test]
async fn an_invalid_list_is_not_an_empty_list() {
    for wrong in ["", "<html></html>", "<ListBucketResult>"] {
        let canned = Canned::start(vec![reply(200, wrong)]).await;
        text(&canned.storage.list(None, 10).await.unwrap_err());
    }
}
