//! Deletion of unused images.

use super::{small, upload};
use crate::harness::{Browser, Server, id_of, on_both_engines};
use axum::http::Method;
use kith::platform::clock::{DAY, HOUR, Millis};
use kith_db::{params, sql};
use serde_json::json;

/// Number of image rows.
pub(super) async fn images(server: &Server) -> i64 {
    let db = server.state.db.reader();
    let count = sql!("select count(*) from images");
    db.one(&count, params![], |row| row.int(0)).await.unwrap()
}

/// Number of stored files.
async fn files(server: &Server) -> usize {
    let all = server.state.storage.list(None, 1_000).await.unwrap();
    all.len()
}

/// Advances the clock and runs both phases.
pub(crate) async fn pass(server: &Server, time: Millis) {
    server.advance_clock(time);
    kith::features::media::sweep(&server.state.media).await.unwrap();
    server.advance_clock(HOUR);
    kith::features::media::sweep(&server.state.media).await.unwrap();
}

async fn post(browser: &Browser, url: &str) -> (String, String) {
    let post = browser.create(json!({"content": "x", "imageUrls": [url]})).await;
    (id_of(&post), post["imageUrls"][0].as_str().unwrap().to_owned())
}

on_both_engines! {
    /// An unused upload is deleted after a day: the original and the processed image.
    /// proves: image-unused
    async fn unused_uploads_are_deleted_after_a_day(server) {
        let ada = server.member("ada").await;
        upload(&ada, small(1)).await;
        let prepared = upload(&ada, small(2)).await;
        let path = prepared.split('?').next().unwrap().strip_prefix("http://localhost:8080").unwrap();
        ada.post_empty(&format!("{path}/prepare")).await.expect(200);
        assert_eq!((files(&server).await, images(&server).await), (3, 1));
        pass(&server, DAY - 2 * HOUR).await;
        assert_eq!((files(&server).await, images(&server).await), (3, 1));
        pass(&server, 2 * HOUR).await;
        assert_eq!((files(&server).await, images(&server).await), (0, 0));
        ada.post("/api/posts", json!({"content": "x", "imageUrls": [prepared]})).await.error_code(422);
    }

    /// A post's images stay until seven days after the post is deleted.
    async fn images_of_posts_stay(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        let (first, shown) = post(&ada, &url).await;
        let (second, _) = post(&ada, &url).await;
        pass(&server, 10 * DAY).await;
        assert_eq!(files(&server).await, 1);
        ada.delete(&format!("/api/posts/{first}")).await.expect(204);
        pass(&server, 8 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 200, "another post shows it");
        ada.delete(&format!("/api/posts/{second}")).await.expect(204);
        pass(&server, 6 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 200);
        pass(&server, DAY).await;
        assert_eq!(ada.get(&shown).await.status, 404);
        assert_eq!((files(&server).await, images(&server).await), (0, 0));
    }

    /// A replaced picture is deleted after a day; the current one stays.
    async fn replaced_pictures_are_deleted(server) {
        let ada = server.member("ada").await;
        let set = async |url: String| {
            let body = json!({"imageURL": url});
            let me = ada.json(Method::PUT, "/api/profile-images", body).await.expect(200);
            me["profileImageUrl"].as_str().unwrap().to_owned()
        };
        let old = set(upload(&ada, small(1)).await).await;
        let new = set(upload(&ada, small(2)).await).await;
        pass(&server, 2 * DAY).await;
        assert_eq!(ada.get(&old).await.status, 404);
        assert_eq!(ada.get(&new).await.status, 200);
        // Setting the same picture again changes nothing.
        set(new.clone()).await;
        pass(&server, 2 * DAY).await;
        assert_eq!(ada.get(&new).await.status, 200);
        ada.delete("/api/profile-images").await.expect(200);
        pass(&server, 2 * DAY).await;
        assert_eq!(ada.get(&new).await.status, 404);
    }

    /// A use between the two phases keeps the image.
    async fn a_use_between_the_phases_keeps_the_image(server) {
        let ada = server.member("ada").await;
        let (id, shown) = post(&ada, &upload(&ada, small(1)).await).await;
        ada.delete(&format!("/api/posts/{id}")).await.expect(204);
        server.advance_clock(8 * DAY);
        kith::features::media::sweep(&server.state.media).await.unwrap();
        let (_, again) = post(&ada, &shown).await;
        assert_eq!(again, shown);
        pass(&server, 30 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 200);
    }

    /// A deleted image can be uploaded and shown again.
    async fn a_deleted_image_can_be_uploaded_again(server) {
        let ada = server.member("ada").await;
        let (id, shown) = post(&ada, &upload(&ada, small(1)).await).await;
        ada.delete(&format!("/api/posts/{id}")).await.expect(204);
        pass(&server, 8 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 404);
        let (_, again) = post(&ada, &upload(&ada, small(1)).await).await;
        assert_eq!(again, shown);
        assert_eq!(ada.get(&again).await.status, 200);
    }

    /// Images of a deleted post stay seven days, whatever else its author uploads.
    /// proves: image-evidence
    async fn uploading_again_does_not_shorten_retention(server) {
        let ada = server.member("ada").await;
        let (id, shown) = post(&ada, &upload(&ada, small(1)).await).await;
        ada.delete(&format!("/api/posts/{id}")).await.expect(204);
        let again = upload(&ada, small(1)).await;
        let path = again.split('?').next().unwrap().strip_prefix("http://localhost:8080").unwrap();
        let made = ada.post_empty(&format!("{path}/prepare")).await.expect(200);
        assert_eq!(made["image"]["url"], shown);
        pass(&server, 3 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 200);
        pass(&server, 4 * DAY).await;
        assert_eq!(ada.get(&shown).await.status, 404);
    }
}
