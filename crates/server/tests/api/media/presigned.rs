//! Uploads from the browser straight to the object store.

use super::small;
use crate::harness::Server;
use kith::platform::clock::{Clock, HOUR};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Sends a file as a browser does, and returns the status.
async fn put(presigned: &Value, bytes: &[u8]) -> u16 {
    let url = url::Url::parse(presigned["uploadURL"].as_str().unwrap()).unwrap();
    let server = url.socket_addrs(|| None).unwrap()[0];
    let mut lines = vec![
        format!("PUT {}?{} HTTP/1.1", url.path(), url.query().unwrap()),
        format!("host: {}:{}", url.host_str().unwrap(), server.port()),
        format!("content-length: {}", bytes.len()),
        "connection: close".to_owned(),
    ];
    for (name, value) in presigned["headers"].as_object().unwrap() {
        lines.push(format!("{name}: {}", value.as_str().unwrap()));
    }
    let head = format!("{}\r\n\r\n", lines.join("\r\n"));
    let mut stream = TcpStream::connect(server).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The store may respond with an error before the whole file was sent.
    let _ = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let answer = String::from_utf8_lossy(&answer);
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

/// Starts a server whose clock shows the real time, because the store checks the signature's age.
async fn server() -> Server {
    let server = Server::postgres().await;
    server.advance_clock(Clock::system().now() - server.state.now());
    server
}

/// An announced file is sent to the store once and as announced; afterwards it is used like any other.
/// proves: call-upload, image-10-mib, image-own
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_announced_file_goes_to_the_store() {
    let server = server().await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let file = small(1);
    let announcement = json!({"size": file.len(), "type": "image/png"});
    let presigned = ada.post("/api/objects/upload", announcement).await.expect(200);
    let url = presigned["uploadURL"].as_str().unwrap();
    assert!(!url.starts_with("http://localhost:8080"), "{url}");
    let page = ada.get("/").await;
    let origin = url::Url::parse(url).unwrap().origin().ascii_serialization();
    let policy = page.header("content-security-policy");
    assert!(policy.contains(&format!("connect-src 'self' {origin}")), "{policy}");

    let mut larger = file.clone();
    larger.push(0);
    assert!(put(&presigned, &larger).await >= 400, "one byte more than announced");
    assert_eq!(put(&presigned, &file).await, 200);
    assert_eq!(put(&presigned, &file).await, 412);

    let body = json!({"content": "x", "imageUrls": [url]});
    assert!(
        bob.post("/api/posts", body.clone()).await.expect(422)["fields"]["imageUrls"].is_string()
    );
    let post = ada.create(body).await;
    assert_eq!(bob.get(post["imageUrls"][0].as_str().unwrap()).await.status, 200);
    let bare = url.split('?').next().unwrap();
    let again = ada.create(json!({"content": "y", "imageUrls": [bare]})).await;
    assert_eq!(again["imageUrls"], post["imageUrls"]);
    // Her upload's path at another origin is not her upload.
    let elsewhere = bare.replace(&origin, "https://example.org");
    let body = json!({"content": "z", "imageUrls": [elsewhere]});
    ada.post("/api/posts", body).await.error_code(422);
}

/// An announced file counts against the limit until a post shows it.
/// proves: limit-uploads
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn announced_bytes_count_against_the_limit() {
    let server = server().await;
    let ada = server.member("ada").await;
    let announcement = json!({"size": 10_000_000, "type": "image/jpeg"});
    for _ in 0..20 {
        ada.post("/api/objects/upload", announcement.clone()).await.expect(200);
    }
    assert_eq!(
        ada.post("/api/objects/upload", announcement).await.error_code(409),
        "too_many_uploads"
    );
}

/// The store accepts a file at a cancelled upload URL; it is deleted once the URL has expired.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_sent_after_cancellation_is_deleted() {
    let server = server().await;
    let ada = server.member("ada").await;
    let file = small(2);
    let announcement = json!({"size": file.len(), "type": "image/png"});
    let presigned = ada.post("/api/objects/upload", announcement).await.expect(200);
    let url = presigned["uploadURL"].as_str().unwrap();
    let name = url.split('?').next().unwrap().rsplit('/').next().unwrap();
    let cancel = format!("/api/objects/{name}/cancel");
    ada.post_empty(&cancel).await.expect(204);
    assert_eq!(put(&presigned, &file).await, 200);
    let kept = async || server.state.storage.list(None, 9).await.unwrap().len();
    assert_eq!(kept().await, 1);
    let body = json!({"content": "x", "imageUrls": [url]});
    ada.post("/api/posts", body).await.error_code(422);
    ada.post_empty(&format!("/api/objects/{name}/prepare")).await.error_code(404);
    server.advance_clock(2 * HOUR);
    kith::features::media::sweep(&server.state.media).await.unwrap();
    assert_eq!(kept().await, 0);
}
