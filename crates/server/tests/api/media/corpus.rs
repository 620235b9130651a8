//! The pictures of `crates/images/tests/corpus`, including damaged and hostile ones, through every endpoint
//! that accepts images.

use super::upload;
use crate::harness::{Browser, Server, TestResponse};
use axum::http::Method;
use serde_json::json;

const EXPECTED: &str = include_str!("../../../../images/tests/corpus/expected.txt");

fn read(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../images/tests/corpus");
    std::fs::read(format!("{folder}/{name}")).unwrap()
}

/// Each file with its expected result: a size or an error.
fn expected() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXPECTED.lines().filter_map(|line| line.rsplit_once(' '))
}

fn size(expected: &str) -> Option<(u32, u32)> {
    let (width, height) = expected.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

/// Uploads a file and returns the endpoint's response to it.
async fn show(browser: &Browser, call: &str, bytes: &[u8]) -> TestResponse {
    let url = upload(browser, bytes.to_vec()).await;
    if call == "/api/posts" {
        let body = json!({"content": "x", "imageUrls": [url]});
        return browser.post(call, body).await;
    }
    let body = json!({"imageURL": url});
    browser.json(Method::PUT, call, body).await
}

/// Status and error code of an `ImageError`.
fn expected_error(expected: &str) -> (u16, &'static str) {
    match expected {
        "NotAnImage" => (415, "not_an_image"),
        _ => (422, "bad_image"),
    }
}

/// Names of a WebP file's chunks.
fn chunks(file: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = &file[12..];
    while let Some((head, body)) = rest.split_at_checked(8) {
        names.push(String::from_utf8_lossy(&head[..4]).into_owned());
        let length = u32::from_le_bytes(head[4..].try_into().unwrap()) as usize;
        // Chunks of odd length have a padding byte.
        rest = body.get(length.next_multiple_of(2)..).unwrap_or_default();
    }
    names
}

async fn kept(server: &Server) -> usize {
    let all = server.state.storage.list(None, 1_000).await.unwrap();
    all.len()
}

/// Every endpoint rejects hostile files and stores nothing of them.
/// proves: image-types, image-pixels
#[tokio::test]
async fn hostile_files_are_rejected() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let bad = expected().filter(|(_, expected)| size(expected).is_none());
    let mut count = 0;
    for (name, expected) in bad {
        for call in ["/api/posts", "/api/profile-images", "/api/header-images"] {
            let answer = show(&ada, call, &read(name)).await;
            let (status, code) = expected_error(expected);
            assert_eq!(answer.error_code(status), code, "{name} at {call}");
        }
        count += 1;
    }
    assert!(count > 100, "{count}");
    assert_eq!(kept(&server).await, 0);
}

/// Every endpoint accepts valid files, shows them in their size, and writes pixels only.
/// proves: image-metadata
#[tokio::test]
async fn valid_files_are_shown() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    for (name, (width, height)) in
        expected().filter_map(|(name, expected)| Some((name, size(expected)?)))
    {
        let bytes = read(name);
        let post = show(&ada, "/api/posts", &bytes).await.expect(201);
        let image = &post["images"][0];
        assert_eq!((&image["width"], &image["height"]), (&json!(width), &json!(height)), "{name}");
        let picture = show(&ada, "/api/profile-images", &bytes).await.expect(200);
        let header = show(&ada, "/api/header-images", &bytes).await.expect(200);
        for url in [&image["url"], &picture["profileImageUrl"], &header["headerImageUrl"]] {
            let answer = ada.get(url.as_str().unwrap()).await;
            assert_eq!(answer.status, 200, "{name}");
            assert_eq!(answer.header("content-type"), "image/webp", "{name}");
            for chunk in chunks(&answer.bytes) {
                assert!(
                    ["VP8 ", "VP8L", "VP8X", "ALPH"].contains(&chunk.as_str()),
                    "{name}: {chunk}"
                );
            }
        }
    }
}
