//! Posts with images.

use super::{create_upload, fetch, file, picture, small, upload};
use crate::harness::{Browser, id_of, on_both_engines};
use axum::http::Method;
use image::ImageFormat;
use serde_json::{Value, json};

async fn post(browser: &Browser, urls: &[&str]) -> crate::harness::TestResponse {
    let body = json!({"content": "look", "imageUrls": urls});
    browser.post("/api/posts", body).await
}

on_both_engines! {
    /// A post has the dimensions, descriptions and all sizes of its images.
    /// proves: entity-post-images, image-canonical, call-create-post, image-types
    async fn a_post_shows_its_images(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let large = upload(&ada, file(&picture(2_400, 1_200, 9), ImageFormat::Jpeg)).await;
        let tiny = upload(&ada, file(&picture(8, 8, 3), ImageFormat::Gif)).await;
        let post = ada.create(json!({
            "content": "two", "imageUrls": [large, tiny], "imageAlts": [" A wall\u{202e} ", null],
        })).await;
        let images = post["images"].as_array().unwrap();
        assert_eq!(post["imageUrls"], json!([images[0]["url"], images[1]["url"]]));
        assert_eq!((&images[0]["width"], &images[0]["height"]), (&json!(2_048), &json!(1_024)));
        assert_eq!((&images[0]["alt"], &images[1]["alt"]), (&json!("A wall"), &json!("")));
        assert!(images[0]["thumbhash"].as_str().unwrap().len() > 10);
        let sizes = images[0]["srcset"].as_str().unwrap().split(", ").collect::<Vec<_>>();
        let widths = sizes.iter().map(|size| size.split(' ').nth(1).unwrap());
        assert_eq!(widths.collect::<Vec<_>>(), ["400w", "800w", "1600w", "2048w"]);
        for size in sizes {
            let (url, width) = size.split_once(' ').unwrap();
            let shown = fetch(&bob, &url.into()).await;
            assert_eq!(format!("{}w", shown.width()), width);
            let [red, green, blue, _] = image::GenericImageView::get_pixel(&shown, 2, 2).0;
            assert!(red > 200 && green < 60 && blue < 60, "{red} {green} {blue}");
        }
        assert_eq!(bob.get_post(&id_of(&post)).await["images"], post["images"]);
    }

    /// An upload URL is accepted with or without query and origin; the response always has the same URL.
    /// proves: image-canonical
    async fn an_upload_may_be_named_in_several_ways(server) {
        let ada = server.member("ada").await;
        let whole = upload(&ada, small(1)).await;
        let bare = whole.split('?').next().unwrap();
        let path = bare.strip_prefix("http://localhost:8080").unwrap();
        let first = post(&ada, &[&whole]).await.expect(201)["imageUrls"][0].clone();
        let shown = first.as_str().unwrap();
        let absolute = format!("http://localhost:8080{shown}");
        for name in [bare, path, shown, &absolute] {
            let again = post(&ada, &[name]).await.expect(201);
            assert_eq!(again["imageUrls"][0], first, "{name}");
        }
    }

    /// A URL of another member's upload, of another site or of no upload is rejected, and no post is created.
    /// proves: image-own, wire-422
    async fn only_my_own_uploads_can_be_shown(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let bobs = upload(&bob, small(1)).await;
        let shown = post(&bob, &[&bobs]).await.expect(201)["imageUrls"][0].as_str().unwrap().to_owned();
        let name = bobs.split(['?', '/']).nth(5).unwrap().to_owned();
        let unsent = create_upload(&ada).await;
        for foreign in [
            bobs.as_str(), &shown, &unsent, "", "x", "https://example.org/cat.png",
            &format!("https://example.org/api/objects/{name}"),
            &format!("https://example.org/incoming/{name}"),
            "http://localhost:8080/api/objects/", "http://localhost:8080/api/objects/../../etc/passwd",
            "data:image/png;base64,AAAA", "javascript:alert(1)", "\0",
        ] {
            assert_eq!(post(&ada, &[foreign]).await.error_code(422), "invalid", "{foreign}");
        }
        for path in ["/api/profile-images", "/api/header-images"] {
            for foreign in [bobs.as_str(), &shown, &unsent, "x"] {
                let body = json!({"imageURL": foreign});
                let answer = ada.json(Method::PUT, path, body).await;
                assert!(answer.expect(422)["fields"]["imageURL"].is_string(), "{path} {foreign}");
            }
        }
        let mine = format!("/api/users/{}/posts", ada.name().await);
        assert_eq!(ada.get(&mine).await.expect(200), json!([]));
    }

    /// Equal files of one member make one image; another member's makes another.
    /// proves: image-own-address
    async fn equal_files_of_a_member_make_one_image(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let hers = post(&ada, &[&upload(&ada, small(1)).await]).await.expect(201);
        let again = post(&ada, &[&upload(&ada, small(1)).await]).await.expect(201);
        let his = post(&bob, &[&upload(&bob, small(1)).await]).await.expect(201);
        assert_eq!(hers["imageUrls"], again["imageUrls"]);
        assert_ne!(hers["imageUrls"], his["imageUrls"]);
    }

    /// A post has up to four images beside a poll; a fifth one and a description without image are rejected.
    /// proves: image-four, poll-images, wire-422
    async fn a_post_has_at_most_four_images(server) {
        let ada = server.member("ada").await;
        let mut urls = Vec::new();
        for seed in 0..5 {
            urls.push(upload(&ada, small(seed)).await);
        }
        let mut body = json!({"content": "4", "imageUrls": &urls[..4], "pollOptions": ["a", "b"]});
        let four = ada.create(body.clone()).await;
        assert_eq!((four["images"].as_array().unwrap().len(), &four["pollOptions"]), (4, &json!(["a", "b"])));
        body["imageAlts"] = json!(["a", "b", "c", "d", "e"]);
        let answer = ada.post("/api/posts", body).await;
        assert!(answer.expect(422)["fields"]["imageAlts"].is_string());
        let answer = ada.post("/api/posts", json!({"content": "5", "imageUrls": urls})).await;
        assert!(answer.expect(422)["fields"]["imageUrls"].is_string());
        let long = "é".repeat(1_000);
        let body = |alt: &str| json!({"content": "x", "imageUrls": &urls[..1], "imageAlts": [alt]});
        assert_eq!(ada.create(body(&long)).await["images"][0]["alt"], json!(long));
        for long in [format!("{long}é"), "😀\u{20dd}".repeat(715)] {
            ada.post("/api/posts", body(&long)).await.error_code(422);
        }
    }

    /// Images without text are rejected, as in the composer.
    async fn images_need_a_text(server) {
        let ada = server.member("ada").await;
        let body = json!({"content": " ", "imageUrls": [upload(&ada, small(1)).await]});
        ada.post("/api/posts", body).await.error_code(422);
    }

    /// Replies have images, a repost shows the original's, and the media filter finds them.
    /// proves: entity-post-images
    async fn lists_include_images(server) {
        let ada = server.member("ada").await;
        ada.write("plain").await;
        let url = upload(&ada, small(1)).await;
        let shown = id_of(&ada.create(json!({"content": "shown", "imageUrls": [url]})).await);
        let body = json!({"content": "reply", "replyToId": shown, "imageUrls": [url]});
        ada.create(body).await;
        let media = format!("/api/users/{}/posts?filter=media", ada.name().await);
        assert_eq!(ada.contents(&media).await, ["reply", "shown"]);
        let bob = server.member("bob").await;
        let repost = bob.repost(&shown).await;
        let seen: Value = bob.get_post(&repost).await;
        let original = if seen["repostOf"].is_null() { &seen } else { &seen["repostOf"] };
        assert_eq!(original["images"].as_array().unwrap().len(), 1);
    }

    /// A retry with the same key returns the first post with its images.
    async fn a_retry_with_images_creates_one_post(server) {
        let ada = server.member("ada").await;
        let body = json!({"content": "once", "imageUrls": [upload(&ada, small(1)).await]}).to_string();
        let headers = [("content-type", "application/json"), ("idempotency-key", "k1")];
        let first = ada.request("POST", "/api/posts", &headers, body.clone()).await.expect(201);
        let again = ada.request("POST", "/api/posts", &headers, body).await.expect(201);
        assert_eq!(first, again);
    }
}
