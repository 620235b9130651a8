//! Guarantees of the S3 storage.

use std::time::{Duration, Instant};

use bytes::Bytes;
use kith_storage::{Credentials, Storage, StorageError};
use tempfile::TempDir;
use tokio::net::TcpListener;

use crate::support::{body, bytes, s3, s3_url};

/// A storage with this URL and these keys.
async fn open(url: &str, key: &str, secret: &str) -> (Storage, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let credentials = Credentials::new(key, secret, None);
    let storage = Storage::open_s3(url, credentials, folder.path()).await.unwrap();
    (storage, folder)
}

/// The access keys of the test bucket.
fn keys() -> (String, String) {
    let variable = |name| std::env::var(name).unwrap();
    (variable("AWS_ACCESS_KEY_ID"), variable("AWS_SECRET_ACCESS_KEY"))
}

/// Checks that each operation fails with a message that contains `part`, instead of finding nothing.
async fn assert_nothing_works(storage: &Storage, part: &str) {
    let results = [
        storage.put("a", bytes(1)).await,
        storage.create("a", body(&bytes(1)), 1).await.map(drop),
        storage.get("a", 1).await.map(drop),
        storage.read("a", None).await.map(drop),
        storage.read("a", Some(0..1)).await.map(drop),
        storage.delete("a").await,
        storage.list(None, 1).await.map(drop),
        storage.ready().await,
        storage.probe().await,
    ];
    for (at, result) in results.into_iter().enumerate() {
        let text = sentence(result.unwrap_err());
        assert!(text.contains(part), "call {at}: {text}");
    }
    // Responses to HEAD have no message.
    sentence(storage.size("a").await.unwrap_err());
}

fn sentence(failure: StorageError) -> String {
    match failure {
        StorageError::Unavailable(text) => text,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn prefixes_are_separate() {
    let (one, other) = (s3().await, s3().await);
    one.storage.put("a/b", bytes(1)).await.unwrap();
    assert_eq!(other.storage.size("a/b").await.unwrap(), None);
    other.storage.put("a/c", bytes(2)).await.unwrap();
    let listed = one.storage.list(None, 10).await.unwrap();
    assert_eq!(listed, [("a/b".to_owned(), 1)]);
}

#[tokio::test]
async fn an_unknown_access_key_is_reported() {
    let (storage, _folder) = open(&s3_url(), "unknown-key", "hidden-secret").await;
    assert_nothing_works(&storage, "AWS_ACCESS_KEY_ID is not known there").await;
}

#[tokio::test]
async fn a_wrong_secret_is_reported_and_not_printed() {
    let (key, _) = keys();
    let (storage, _folder) = open(&s3_url(), &key, "hidden-secret").await;
    assert_nothing_works(&storage, "AWS_SECRET_ACCESS_KEY or the region is not right").await;
    let failure = storage.ready().await.unwrap_err();
    for text in [format!("{storage:?}"), format!("{failure} {failure:?}")] {
        assert!(!text.contains("hidden-secret") && !text.contains("Signature="), "{text}");
    }
}

#[tokio::test]
async fn a_missing_bucket_is_reported() {
    let (key, secret) = keys();
    let url = s3_url();
    let (_, options) = url.split_once('?').unwrap();
    let (storage, _folder) = open(&format!("s3://no-such-bucket?{options}"), &key, &secret).await;
    assert_nothing_works(&storage, "there is no such bucket").await;
}

#[tokio::test]
async fn a_server_that_is_down_is_reported_immediately() {
    let port = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let url = format!("s3://kith?endpoint=http://127.0.0.1:{port}");
    let (storage, folder) = open(&url, "key", "secret").await;
    let start = Instant::now();
    let text = sentence(storage.put("a", Bytes::new()).await.unwrap_err());
    assert!(text.starts_with("127.0.0.1 cannot be reached: "), "{text}");
    assert!(text.contains("(os error "), "{text}");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    sentence(storage.create("a", body(&bytes(10)), 10).await.unwrap_err());
    assert_eq!(crate::support::temporary_bytes(folder.path()), 0);
}

#[tokio::test]
async fn a_setting_is_checked_without_a_request() {
    Storage::check("").unwrap();
    Storage::check("s3://kith?endpoint=https://s3.example.org").unwrap();
    for wrong in ["./media", "http://s3.example.org/kith", "s3://kith"] {
        let sentence = Storage::check(wrong).unwrap_err();
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Storage::open(wrong, folder.path()).await.unwrap_err(), sentence);
    }
}

#[tokio::test]
async fn a_token_is_part_of_what_is_signed() {
    let folder = tempfile::tempdir().unwrap();
    let credentials = Credentials::new("key", "secret", Some("a+token"));
    let url = "s3://kith/p?region=eu-west-1";
    let storage = Storage::open_s3(url, credentials, folder.path()).await.unwrap();
    let origin = "https://kith.s3.eu-west-1.amazonaws.com";
    assert_eq!(storage.upload_origin(), Some(origin));
    let presigned = storage.presign_put("a", 1, "image/png", Duration::ZERO, 0).await.unwrap();
    let url = presigned.unwrap().url;
    assert!(url.starts_with(&format!("{origin}/p/a?X-Amz-Algorithm=AWS4-HMAC-SHA256&")), "{url}");
    for part in [
        "X-Amz-Date=19700101T000000Z",
        "X-Amz-Expires=1&",
        "X-Amz-Security-Token=a%2Btoken",
        "X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost%3Bif-none-match",
    ] {
        assert!(url.contains(part), "{url}");
    }
}
