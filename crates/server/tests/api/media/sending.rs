//! Creating upload URLs and sending files to them.

use super::{create_upload, file, picture, put, small, upload};
use crate::harness::{Server, TestResponse, on_both_engines};
use image::ImageFormat;
use kith::platform::clock::MINUTE;
use kith::platform::config::Toggle;
use serde_json::{Value, json};

/// A file of `count` bytes, which need not be an image.
fn bytes(count: usize) -> Vec<u8> {
    vec![7; count]
}

on_both_engines! {
    with |options| {
        options.limits = kith::platform::config::Toggle::On;
        // No bucket refills during the test.
        options.rate_limit_overrides = "visitor=7/30d,sends=2/30d";
    };

    /// Requests from the same network do not block a member's upload. Invalid and expired URLs count against the
    /// visitor, and a valid URL only against itself.
    /// proves: limit-uploads-sent
    async fn visitors_cannot_block_uploads(server) {
        let ada = server.member("ada").await;
        let (first, second) = (create_upload(&ada).await, create_upload(&ada).await);
        let stranger = server.visitor();
        let no_signature = first.split('?').next().unwrap();
        for wrong in [no_signature, "http://localhost:8080/api/objects/0123?signature=x"].repeat(3) {
            let rejected = put(&stranger, wrong, small(1)).await;
            assert!([403, 404].contains(&rejected.status.as_u16()), "{wrong}");
        }
        while stranger.get("/api/auth/me").await.status != 429 {}
        put(&ada, &first, small(1)).await.expect(200);
        assert_eq!(put(&stranger, no_signature, small(1)).await.error_code(429), "too_many_requests");
        put(&stranger, &first, small(1)).await.expect(200);
        assert_eq!(put(&ada, &first, small(1)).await.error_code(429), "too_many_requests");
        server.advance_clock(11 * MINUTE);
        assert_eq!(put(&ada, &second, small(2)).await.error_code(429), "too_many_requests", "it has expired");
        let third = create_upload(&ada).await;
        put(&ada, &third, small(3)).await.expect(200);
    }
}

on_both_engines! {
    /// An upload can be created with an empty body, and its URL needs no session.
    /// proves: call-upload, wire-optional
    async fn an_upload_url_accepts_a_file(server) {
        let ada = server.member("ada").await;
        for body in ["", "{}", r#"{"size": null, "type": ""}"#, r#"{"size": 3, "type": "image/png"}"#] {
            let answer = ada.request("POST", "/api/objects/upload", &[("content-type", "application/json")], body).await;
            let url = answer.expect(200)["uploadURL"].as_str().unwrap().to_owned();
            assert!(url.starts_with("http"), "{url}");
        }
        let upload_url = create_upload(&ada).await;
        put(&server.visitor(), &upload_url, small(1)).await.expect(200);
    }

    /// A retry with the same file succeeds; another file needs another URL.
    /// proves: image-10-minutes
    async fn an_upload_url_accepts_one_file_once(server) {
        let ada = server.member("ada").await;
        let upload_url = upload(&ada, small(1)).await;
        put(&ada, &upload_url, small(1)).await.expect(200);
        assert_eq!(put(&ada, &upload_url, small(2)).await.error_code(412), "upload_exists");
        put(&ada, &upload_url, small(1)).await.expect(200);
    }

    /// The URL expires after ten minutes; the uploaded file remains.
    /// proves: image-10-minutes, wire-410
    async fn an_upload_url_expires_after_ten_minutes(server) {
        let ada = server.member("ada").await;
        let (early, late) = (create_upload(&ada).await, create_upload(&ada).await);
        server.advance_clock(9 * MINUTE);
        put(&ada, &early, small(1)).await.expect(200);
        server.advance_clock(MINUTE + 1_000);
        assert_eq!(put(&ada, &late, small(2)).await.error_code(410), "upload_expired");
        ada.create(json!({"content": "late", "imageUrls": [early]})).await;
    }

    /// The largest file that fits and the smallest that does not, announced or not.
    /// proves: image-10-mib, wire-413
    async fn ten_mebibytes_fit(server) {
        let ada = server.member("ada").await;
        upload(&ada, bytes(10_485_760)).await;
        let full = create_upload(&ada).await;
        assert_eq!(put(&ada, &full, bytes(10_485_761)).await.error_code(413), "image_too_large");
        // Nothing was stored, so the URL still accepts a file.
        put(&ada, &full, small(1)).await.expect(200);
        let unannounced = create_upload(&ada).await;
        let chunks = (0..11).map(|_| Ok::<_, std::io::Error>(bytes(1_000_000)));
        let body = axum::body::Body::from_stream(futures_util::stream::iter(chunks));
        let path = unannounced.strip_prefix("http://localhost:8080").unwrap();
        assert_eq!(ada.request("PUT", path, &[], body).await.error_code(413), "image_too_large");
        put(&ada, &unannounced, small(2)).await.expect(200);
    }

    /// A broken connection stores nothing, and the URL accepts the retry.
    async fn a_broken_upload_can_be_repeated(server) {
        let ada = server.member("ada").await;
        let upload_url = create_upload(&ada).await;
        let path = upload_url.strip_prefix("http://localhost:8080").unwrap();
        let chunks = [Ok(bytes(1_000)), Err(std::io::Error::other("the line is dead"))];
        let body = axum::body::Body::from_stream(futures_util::stream::iter(chunks));
        assert_eq!(ada.request("PUT", path, &[], body).await.error_code(400), "body_unreadable");
        ada.post("/api/posts", json!({"content": "x", "imageUrls": [upload_url]})).await.error_code(422);
        put(&ada, &upload_url, small(1)).await.expect(200);
        ada.create(json!({"content": "x", "imageUrls": [upload_url]})).await;
    }

    /// Of sixteen concurrent uploads to one URL, one file is stored.
    async fn one_of_many_concurrent_uploads_is_stored(server) {
        let ada = server.member("ada").await;
        let upload_url = create_upload(&ada).await;
        let sends = (0..16_u8).map(|seed| put(&ada, &upload_url, small(seed)));
        let answers = futures_util::future::join_all(sends).await;
        let kept = answers.iter().filter(|answer| answer.status == 200).count();
        // Uploads that came after the file, and those that a later one aborted.
        let rejected = |answer: &&TestResponse| [400, 412].contains(&answer.status.as_u16());
        assert_eq!((kept, answers.iter().filter(rejected).count()), (1, 15));
    }

    /// Upload URLs cannot be forged, and a signature is valid for its own upload only.
    async fn upload_urls_cannot_be_forged(server) {
        let ada = server.member("ada").await;
        let (one, two) = (create_upload(&ada).await, create_upload(&ada).await);
        let (one, first) = one.split_once('?').unwrap();
        let (two, second) = two.split_once('?').unwrap();
        assert_eq!(put(&ada, &format!("{one}?{second}"), small(1)).await.error_code(403), "bad_signature");
        assert_eq!(put(&ada, &format!("{two}?{first}"), small(1)).await.error_code(403), "bad_signature");
        assert_eq!(put(&ada, one, small(1)).await.error_code(403), "bad_signature");
        let mut digits = one.to_owned().into_bytes();
        let last = digits.last_mut().unwrap();
        *last = if *last == b'0' { b'1' } else { b'0' };
        let forged = format!("{}?{first}", String::from_utf8(digits).unwrap());
        assert_eq!(put(&ada, &forged, small(1)).await.error_code(404), "upload_not_found");
        let path = "/api/objects/%FF?signature=x";
        ada.request("PUT", path, &[], "x").await.error_code(400);
    }

    /// Announced types and sizes are validated.
    async fn announcements_are_validated(server) {
        let ada = server.member("ada").await;
        for (body, field) in [
            (json!({"size": 0}), "size"),
            (json!({"size": -1}), "size"),
            (json!({"size": 10_485_761}), "size"),
            (json!({"type": "image/svg+xml"}), "type"),
        ] {
            let answer = ada.post("/api/objects/upload", body).await;
            answer.error_code(422);
            assert!(answer.expect(422)["fields"][field].is_string(), "{field}");
        }
        for body in ["null", "[]", "3", "{", r#"{"size": "3"}"#, r#"{"size": 1.5}"#] {
            let json = [("content-type", "application/json")];
            ada.request("POST", "/api/objects/upload", &json, body).await.error_code(400);
        }
        ada.request("POST", "/api/objects/upload", &[], "a=b").await.error_code(415);
    }

    /// Only its owner can cancel an upload, which is then deleted.
    async fn an_upload_is_cancelled_by_its_owner(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let upload_url = upload(&ada, small(1)).await;
        let path = upload_url.split(['?']).next().unwrap();
        let cancel = format!("{}/cancel", path.strip_prefix("http://localhost:8080").unwrap());
        assert_eq!(bob.post_empty(&cancel).await.error_code(404), "upload_not_found");
        ada.post_empty(&cancel).await.expect(204);
        assert_eq!(ada.post_empty(&cancel).await.error_code(404), "upload_not_found");
        put(&ada, &upload_url, small(1)).await.error_code(404);
        ada.post("/api/posts", json!({"content": "x", "imageUrls": [upload_url]})).await.error_code(422);
    }

    /// Preparation returns the image as the post will show it, or reports a bad file immediately.
    /// proves: image-types
    async fn an_image_can_be_prepared(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let prepare = |upload_url: &str| {
            let path = upload_url.split('?').next().unwrap();
            format!("{}/prepare", path.strip_prefix("http://localhost:8080").unwrap())
        };
        let upload_url = upload(&ada, file(&picture(900, 600, 1), ImageFormat::Jpeg)).await;
        let image = ada.post_empty(&prepare(&upload_url)).await.expect(200)["image"].clone();
        assert_eq!((&image["width"], &image["height"]), (&json!(900), &json!(600)));
        assert_eq!(bob.post_empty(&prepare(&upload_url)).await.error_code(404), "upload_not_found");
        let by_name = ada.create(json!({"content": "a", "imageUrls": [upload_url]})).await;
        let by_image = ada.create(json!({"content": "b", "imageUrls": [image["url"]]})).await;
        assert_eq!(by_name["images"][0], image);
        assert_eq!(by_image["images"][0], image);
        let bad = upload(&ada, b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()).await;
        assert_eq!(ada.post_empty(&prepare(&bad)).await.error_code(415), "not_an_image");
    }
}

/// The 31st upload within half an hour is rejected with `Retry-After`.
/// proves: limit-uploads
#[tokio::test]
async fn thirty_uploads_in_half_an_hour() {
    let server = Server::with(|options| options.limits = Toggle::On).await;
    let ada = server.founder().await;
    for _ in 0..30 {
        let upload_url = create_upload(&ada).await;
        let path = upload_url.split('?').next().unwrap();
        let path = path.strip_prefix("http://localhost:8080").unwrap();
        ada.post_empty(&format!("{path}/cancel")).await.expect(204);
    }
    let answer = ada.post_empty("/api/objects/upload").await;
    assert_eq!(answer.error_code(429), "too_many_requests");
    assert!(!answer.header("retry-after").is_empty());
}

on_both_engines! {
    /// Uploaded files that are not shown count, up to 200 MB; expired URLs do not.
    /// proves: limit-uploads
    async fn two_hundred_megabytes_are_outstanding_at_most(server) {
        let ada = server.member("ada").await;
        let mut upload_urls = Vec::new();
        for _ in 0..19 {
            upload_urls.push(create_upload(&ada).await);
        }
        assert_eq!(ada.post_empty("/api/objects/upload").await.error_code(409), "too_many_uploads");
        // Unused URLs no longer count, but the uploaded file does.
        put(&ada, &upload_urls[0], bytes(10_000_000)).await.expect(200);
        server.advance_clock(11 * MINUTE);
        for _ in 0..18 {
            create_upload(&ada).await;
        }
        assert_eq!(ada.post_empty("/api/objects/upload").await.error_code(409), "too_many_uploads");
        let bob = server.member("bob").await;
        let answer: Value = bob.post_empty("/api/objects/upload").await.expect(200);
        assert!(answer["uploadURL"].is_string());
    }
}
