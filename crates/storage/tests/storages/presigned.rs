//! Uploads straight to S3, and the requests that the S3 server rejects by itself.
//!
//! SeaweedFS 4.48 enforces every signed condition, like AWS: length, type, creation only, expiry. A server that
//! checks the length less strictly would accept a larger object, so the caller that completes an upload must still
//! read its `size`.

use std::time::{Duration, SystemTime};

use kith_storage::{Presigned, Storage};

use crate::support::{Scratch, bytes, s3};
use crate::wire::send;

const TYPE: &str = "image/webp";
const MINUTE: Duration = Duration::from_mins(1);

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    since.as_millis().try_into().unwrap()
}

async fn presign(storage: &Storage, key: &str) -> Presigned {
    storage.presign_put(key, 1000, TYPE, MINUTE, now()).await.unwrap().unwrap()
}

/// The requested headers, with the length that a browser adds.
fn headers(presigned: &Presigned, length: usize) -> Vec<(String, String)> {
    let mut headers = presigned.headers.clone();
    headers.push(("content-length".to_owned(), length.to_string()));
    headers
}

/// Sends an object of `length` bytes with the presigned request and returns the status.
async fn upload(presigned: &Presigned, length: usize) -> u16 {
    send("PUT", &presigned.url, &headers(presigned, length), &bytes(length)).await.status
}

async fn is_absent(scratch: &Scratch, key: &str) -> bool {
    scratch.storage.size(key).await.unwrap().is_none()
}

#[tokio::test]
async fn a_presigned_upload_is_accepted_once() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    assert_eq!(upload(&presigned, 1000).await, 200);
    assert_eq!(scratch.storage.get("in/a", 1000).await.unwrap(), Some(bytes(1000)));
    assert_eq!(upload(&presigned, 1000).await, 412);
    // A new presigned request for the same key cannot replace it.
    assert_eq!(upload(&presign(&scratch.storage, "in/a").await, 1000).await, 412);
    assert_eq!(scratch.storage.get("in/a", 1000).await.unwrap(), Some(bytes(1000)));
}

#[tokio::test]
async fn another_length_is_rejected() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    for length in [0, 999, 1001, 100_000] {
        assert_eq!(upload(&presigned, length).await, 403, "{length}");
    }
    assert!(is_absent(&scratch, "in/a").await);
}

#[tokio::test]
async fn a_missing_content_length_is_rejected() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    let chunked = format!("{:x}\r\n{}\r\n0\r\n\r\n", 5000, "x".repeat(5000));
    let mut unknown = presigned.headers.clone();
    unknown.push(("transfer-encoding".to_owned(), "chunked".to_owned()));
    let mut both = headers(&presigned, 1000);
    both.push(("transfer-encoding".to_owned(), "chunked".to_owned()));
    for headers in [unknown, both] {
        let answer = send("PUT", &presigned.url, &headers, chunked.as_bytes()).await;
        assert!((400..500).contains(&answer.status), "{}", answer.head);
    }
    assert!(is_absent(&scratch, "in/a").await);
}

#[tokio::test]
async fn another_type_is_rejected() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    for other in ["text/html", "image/webp; charset=utf-8", ""] {
        let mut headers = headers(&presigned, 1000);
        headers.iter_mut().find(|(name, _)| name == "content-type").unwrap().1 = other.to_owned();
        let answer = send("PUT", &presigned.url, &headers, &bytes(1000)).await;
        assert_eq!(answer.status, 403, "{other}");
    }
    assert!(is_absent(&scratch, "in/a").await);
}

#[tokio::test]
async fn an_upload_that_could_replace_is_rejected() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    let mut headers = headers(&presigned, 1000);
    headers.retain(|(name, _)| name != "if-none-match");
    let answer = send("PUT", &presigned.url, &headers, &bytes(1000)).await;
    assert_eq!(answer.status, 403);
    assert!(is_absent(&scratch, "in/a").await);
}

#[tokio::test]
async fn a_presigned_request_expires() {
    let scratch = s3().await;
    let ended = now() - 61_000;
    let ended = scratch.storage.presign_put("in/a", 1000, TYPE, MINUTE, ended).await.unwrap();
    assert_eq!(upload(&ended.unwrap(), 1000).await, 403);
    // A changed expiry does not match the signature.
    let moved = presign(&scratch.storage, "in/a").await;
    let url = moved.url.replace("X-Amz-Expires=60", "X-Amz-Expires=600");
    assert_ne!(url, moved.url);
    assert_eq!(upload(&Presigned { url, ..moved }, 1000).await, 403);
    assert!(is_absent(&scratch, "in/a").await);
}

#[tokio::test]
async fn a_presigned_request_is_for_one_key_and_one_method() {
    let scratch = s3().await;
    scratch.storage.put("in/b", bytes(10)).await.unwrap();
    let presigned = presign(&scratch.storage, "in/a").await;
    let url = presigned.url.replace("/in/a?", "/in/b?");
    assert_ne!(url, presigned.url);
    let other = Presigned { url, ..presigned.clone() };
    assert_eq!(upload(&other, 1000).await, 403);
    for method in ["GET", "DELETE"] {
        let answer = send(method, &other.url, &headers(&other, 0), &[]).await;
        assert_eq!(answer.status, 403, "{method}");
    }
    assert_eq!(scratch.storage.get("in/b", 10).await.unwrap(), Some(bytes(10)));
}

#[tokio::test]
async fn pages_of_another_origin_may_upload() {
    let scratch = s3().await;
    let presigned = presign(&scratch.storage, "in/a").await;
    assert!(presigned.url.starts_with(&format!("{}/", scratch.storage.upload_origin().unwrap())));
    let origin = ("origin".to_owned(), "http://127.0.0.1:5173".to_owned());
    let asked: Vec<&str> = presigned.headers.iter().map(|(name, _)| name.as_str()).collect();
    let preflight = [
        origin.clone(),
        ("access-control-request-method".to_owned(), "PUT".to_owned()),
        ("access-control-request-headers".to_owned(), asked.join(", ")),
    ];
    let answer = send("OPTIONS", &presigned.url, &preflight, &[]).await;
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("access-control-allow-origin: "), "{}", answer.head);
    assert!(
        answer.head.contains("access-control-allow-headers: content-type, if-none-match")
            || answer.head.contains("access-control-allow-headers: if-none-match, content-type")
    );
    let mut headers = headers(&presigned, 1000);
    headers.push(origin);
    let answer = send("PUT", &presigned.url, &headers, &bytes(1000)).await;
    assert_eq!(answer.status, 200);
    assert!(answer.head.contains("access-control-allow-origin: "), "{}", answer.head);
}

#[tokio::test]
async fn a_type_that_is_no_header_value_is_not_signed() {
    let scratch = s3().await;
    let wrong = "image/png\r\nx-amz-acl: public-read";
    let presigned = scratch.storage.presign_put("in/a", 1000, wrong, MINUTE, now()).await.unwrap();
    assert_eq!(presigned, None);
}
