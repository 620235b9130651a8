//! Responses to image requests.

use super::{small, upload};
use crate::harness::{Browser, Server, on_both_engines};
use serde_json::json;

async fn shown(server: &Server) -> (Browser, String, Vec<u8>) {
    let ada = server.member("ada").await;
    let url = upload(&ada, small(1)).await;
    let post = ada.create(json!({"content": "x", "imageUrls": [url]})).await;
    let url = post["imageUrls"][0].as_str().unwrap().to_owned();
    let bytes = ada.get(&url).await.bytes;
    (server.visitor(), url, bytes)
}

on_both_engines! {
    /// Images have a fixed type, are cached for good, and run nothing when opened directly.
    /// proves: image-metadata
    async fn images_are_inert_and_cached_for_good(server) {
        let (visitor, url, bytes) = shown(&server).await;
        let answer = visitor.get(&url).await;
        assert_eq!(answer.header("content-type"), "image/webp");
        assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
        assert_eq!(answer.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'; sandbox");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("content-length"), bytes.len().to_string());
        assert!(bytes.starts_with(b"RIFF") && &bytes[8..12] == b"WEBP");
        let head = visitor.request("HEAD", &url, &[], "").await;
        assert_eq!((head.status.as_u16(), head.bytes.len()), (200, 0));
        assert_eq!(head.header("content-length"), bytes.len().to_string());
    }

    /// A client with a cached copy gets 304.
    async fn a_cached_image_is_not_sent_again(server) {
        let (visitor, url, _) = shown(&server).await;
        let etag = visitor.get(&url).await.header("etag").to_owned();
        for seen in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
            let answer = visitor.request("GET", &url, &[("if-none-match", seen.as_str())], "").await;
            assert_eq!((answer.status.as_u16(), answer.bytes.len()), (304, 0), "{seen}");
            assert_eq!(answer.header("etag"), etag);
        }
        let other = visitor.request("GET", &url, &[("if-none-match", "\"x\"")], "").await;
        assert_eq!(other.status, 200);
    }

    /// A deleted image is not found, even if the request names its `ETag`.
    /// proves: image-gone
    async fn a_deleted_image_is_not_found(server) {
        let (visitor, url, _) = shown(&server).await;
        let etag = visitor.get(&url).await.header("etag").to_owned();
        let hash = url.split('/').nth(2).unwrap();
        let never = "0".repeat(hash.len());
        server.state.storage.delete(url.trim_start_matches('/')).await.unwrap();
        for (url, etag) in [(url.clone(), etag.clone()), (url.replace(hash, &never), etag.replace(hash, &never))] {
            for seen in [etag.as_str(), "*"] {
                let answer = visitor.request("GET", &url, &[("if-none-match", seen)], "").await;
                assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (404, ""), "{url} {seen}");
            }
        }
    }

    /// Range requests are supported.
    async fn a_range_can_be_requested(server) {
        let (visitor, url, bytes) = shown(&server).await;
        let etag = visitor.get(&url).await.header("etag").to_owned();
        let size = bytes.len();
        for (range, first, last) in [
            ("bytes=0-0".to_owned(), 0, 0),
            ("bytes=4-".to_owned(), 4, size - 1),
            ("bytes=-5".to_owned(), size - 5, size - 1),
            (format!("bytes=3-{}", size * 2), 3, size - 1),
        ] {
            let headers = [("range", range.as_str()), ("if-range", etag.as_str())];
            let answer = visitor.request("GET", &url, &headers, "").await;
            assert_eq!(answer.status, 206, "{range}");
            assert_eq!(answer.bytes, bytes[first..=last], "{range}");
            assert_eq!(answer.header("content-range"), format!("bytes {first}-{last}/{size}"));
        }
        let beyond = format!("bytes={size}-");
        let answer = visitor.request("GET", &url, &[("range", beyond.as_str())], "").await;
        assert_eq!(answer.status, 416);
        assert_eq!(answer.header("cache-control"), "no-store");
        let stale = [("range", "bytes=0-0"), ("if-range", "\"x\"")];
        assert_eq!(visitor.request("GET", &url, &stale, "").await.bytes, bytes);
    }

    /// Other paths are not found.
    async fn other_paths_are_not_found(server) {
        let (visitor, url, _) = shown(&server).await;
        let (folder, _) = url.rsplit_once('/').unwrap();
        for path in [
            format!("{folder}/1.webp"), format!("{folder}/60.png"), format!("{folder}/..%2f60.webp"),
            format!("{folder}/%2e%2e"), folder.to_owned(), "/images/x/60.webp".to_owned(),
            url.replace("/images/", "/images/..%2fimages/"),
        ] {
            let answer = visitor.get(&path).await;
            assert!(!answer.header("content-type").starts_with("image/"), "{path}");
            assert!(answer.status == 404 || answer.header("content-type").starts_with("text/html"), "{path}");
        }
        let name = upload(&server.member("eve").await, small(9)).await;
        let name = name.split(['?', '/']).nth(5).unwrap().to_owned();
        // Uploaded originals are never served.
        for path in [format!("/incoming/{name}"), format!("/images/{name}/60.webp"), format!("/api/objects/{name}")] {
            assert_ne!(visitor.get(&path).await.bytes, small(9), "{path}");
        }
    }
}
