//! Profile pictures and headers.

use super::{fetch, file, picture, small, upload};
use crate::harness::{Browser, TestResponse, on_both_engines};
use axum::http::Method;
use image::{GenericImageView, ImageFormat};
use serde_json::{Value, json};

async fn set(browser: &Browser, path: &str, body: Value) -> TestResponse {
    browser.json(Method::PUT, path, body).await
}

on_both_engines! {
    /// A centred square for the picture and 3:1 for the header, visible to others.
    /// proves: call-profile-image, call-header-image, image-canonical
    async fn a_profile_shows_its_images(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let url = upload(&ada, file(&picture(900, 600, 40), ImageFormat::Jpeg)).await;
        let me = set(&ada, "/api/profile-images", json!({"imageURL": url})).await.expect(200);
        let shown = fetch(&bob, &me["profileImageUrl"]).await;
        assert_eq!(shown.dimensions(), (400, 400));
        let bare = url.split('?').next().unwrap();
        let me = set(&ada, "/api/header-images", json!({"imageURL": bare})).await.expect(200);
        let shown = fetch(&bob, &me["headerImageUrl"]).await;
        assert_eq!(shown.width(), 3 * shown.height());
        let seen = bob.get(&format!("/api/users/{}", ada.name().await)).await.expect(200);
        assert_eq!(seen["profileImageUrl"], me["profileImageUrl"]);
        assert_eq!(seen["headerImageUrl"], me["headerImageUrl"]);
        let post = ada.create(json!({"content": "x"})).await;
        assert_eq!(post["author"]["profileImageUrl"], me["profileImageUrl"]);
    }

    /// The shown image is the chosen crop.
    async fn a_crop_can_be_chosen(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, file(&picture(400, 400, 0), ImageFormat::Png)).await;
        let corner = json!({"x": 0.0, "y": 0.0, "width": 0.2, "height": 0.2});
        let me = set(&ada, "/api/profile-images", json!({"imageURL": url, "crop": corner})).await;
        let shown = fetch(&ada, &me.expect(200)["profileImageUrl"]).await;
        let [red, green, blue, _] = shown.get_pixel(shown.width() - 3, shown.height() - 3).0;
        assert!(red > 200 && green < 60 && blue < 60, "{red} {green} {blue}");
        for part in [
            json!({"x": 0.9, "y": 0.0, "width": 0.2, "height": 0.2}),
            json!({"x": -0.1, "y": 0.0, "width": 0.2, "height": 0.2}),
            json!({"x": 0.0, "y": 0.0, "width": 0.0, "height": 0.2}),
            json!({"x": 0.0, "y": 0.0, "width": 1e300, "height": 0.2}),
        ] {
            let answer = set(&ada, "/api/profile-images", json!({"imageURL": url, "crop": part})).await;
            assert!(answer.expect(422)["fields"]["crop"].is_string(), "{part}");
        }
        for part in [json!([0.0, 0.0, 0.2, 0.2]), json!({"x": 0.0}), json!("all")] {
            let body = json!({"imageURL": url, "crop": part});
            assert_eq!(set(&ada, "/api/profile-images", body).await.error_code(400), "bad_json");
        }
    }

    /// A request without a URL changes nothing; removal is a separate, idempotent request.
    async fn a_profile_image_can_be_removed(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        for (path, field) in [
            ("/api/profile-images", "profileImageUrl"),
            ("/api/header-images", "headerImageUrl"),
        ] {
            let first = set(&ada, path, json!({"imageURL": url})).await.expect(200)[field].clone();
            for body in [json!({}), json!({"imageURL": null}), json!({"imageURL": ""})] {
                set(&ada, path, body).await.error_code(400);
            }
            assert_eq!(ada.me().await[field], first);
            for _ in 0..2 {
                assert_eq!(ada.delete(path).await.expect(200)[field], Value::Null);
            }
            // The owner can set the image again by its own URL.
            let again = set(&ada, path, json!({"imageURL": first})).await.expect(200);
            assert_eq!(again[field], first);
        }
    }

    /// An image processed for one use cannot be shown in another, which needs a different format.
    async fn a_profile_picture_is_no_image_of_a_post(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        let me = set(&ada, "/api/profile-images", json!({"imageURL": url})).await.expect(200);
        let body = json!({"content": "x", "imageUrls": [me["profileImageUrl"]]});
        assert!(ada.post("/api/posts", body).await.expect(422)["fields"]["imageUrls"].is_string());
    }

    /// Two concurrent changes leave one picture and correct use counts.
    async fn concurrent_changes_leave_one_picture(server) {
        let ada = server.member("ada").await;
        let mut urls = Vec::new();
        for seed in 0..4 {
            urls.push(upload(&ada, small(seed)).await);
        }
        let sets = urls.iter().map(|url| set(&ada, "/api/profile-images", json!({"imageURL": url})));
        for answer in futures_util::future::join_all(sets).await {
            answer.expect(200);
        }
        let left = ada.me().await["profileImageUrl"].clone();
        server.advance_clock(2 * kith::platform::clock::DAY);
        for _ in 0..2 {
            kith::features::media::sweep(&server.state.media).await.unwrap();
            server.advance_clock(2 * kith::platform::clock::HOUR);
        }
        fetch(&ada, &left).await;
        assert_eq!(super::sweeping::images(&server).await, 1);
    }
}
