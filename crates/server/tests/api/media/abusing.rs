//! Abusive clients of the image endpoints: repeated, slow and aborted requests.

use super::{create_upload, file, picture, put, small, upload};
use crate::harness::{Browser, Server, id_of, on_both_engines};
use axum::body::{Body, Bytes};
use axum::http::Method;
use futures_util::{StreamExt as _, stream};
use image::ImageFormat;
use kith::platform::clock::{DAY, HOUR, MINUTE, SECOND};
use kith::platform::config::Toggle;
use kith_db::{params, sql};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The path of a URL, without its query.
fn path(upload_url: &str) -> &str {
    let bare = upload_url.split('?').next().unwrap();
    bare.strip_prefix("http://localhost:8080").unwrap()
}

async fn count(server: &Server, sql: kith_db::Sql) -> i64 {
    let db = server.state.db.reader();
    db.one(&sql, params![], |row| row.int(0)).await.unwrap()
}

async fn prepare(browser: &Browser, upload_url: &str) -> crate::harness::TestResponse {
    browser.post_empty(&format!("{}/prepare", path(upload_url))).await
}

on_both_engines! {
    /// An image request whose client disconnects still completes the image, and a second request does not repeat it.
    async fn an_aborted_request_still_completes_its_image(server) {
        let ada = server.member("ada").await;
        let upload_url = upload(&ada, file(&picture(2_400, 1_800, 3), ImageFormat::Png)).await;
        for _ in 0..5 {
            let given_up = tokio::time::timeout(Duration::from_millis(30), prepare(&ada, &upload_url)).await;
            drop(given_up);
        }
        prepare(&ada, &upload_url).await.expect(200);
        assert_eq!(count(&server, sql!("select count(*) from images")).await, 1);
        assert_eq!(count(&server, sql!("select count(*) from image_sources")).await, 1);
    }

    /// Of two connections to one upload URL the newer one is the browser's retry and wins.
    async fn a_retry_aborts_the_first_upload(server) {
        let ada = server.member("ada").await;
        let upload_url = create_upload(&ada).await;
        let first = stream::iter([Ok::<_, std::io::Error>(small(1)[..10].to_vec())]);
        let stalled = Body::from_stream(first.chain(stream::pending()));
        let sending = ada.request("PUT", upload_url.strip_prefix("http://localhost:8080").unwrap(), &[], stalled);
        let again = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            put(&ada, &upload_url, small(1)).await
        };
        let (first, second) = futures_util::join!(sending, again);
        assert_eq!(first.error_code(400), "body_unreadable");
        second.expect(200);
        ada.create(json!({"content": "x", "imageUrls": [upload_url]})).await;
    }

    /// A slow upload times out after five minutes.
    /// proves: image-5-minutes
    async fn a_slow_upload_times_out(server) {
        let ada = server.member("ada").await;
        let upload_url = create_upload(&ada).await;
        let (byte, sent) = tokio::sync::mpsc::channel::<Result<Bytes, std::io::Error>>(1);
        let body = Body::from_stream(stream::unfold(sent, |mut sent| async move {
            sent.recv().await.map(|byte| (byte, sent))
        }));
        let sending = ada.request("PUT", upload_url.strip_prefix("http://localhost:8080").unwrap(), &[], body);
        let trickling = async {
            let mut taken = 0;
            while taken < 30 && byte.send(Ok(Bytes::from_static(b"x"))).await.is_ok() {
                taken += 1;
                server.advance_clock(20 * SECOND);
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            taken
        };
        let (answer, taken) = futures_util::join!(sending, trickling);
        assert_eq!(answer.error_code(400), "body_unreadable");
        assert!((15..30).contains(&taken), "{taken} bytes at 20 s each");
        put(&ada, &upload_url, small(1)).await.expect(200);
    }

    /// A rejected file no longer counts against the limit, and its upload URL accepts no other file.
    async fn a_rejected_file_ends_its_upload(server) {
        let ada = server.member("ada").await;
        for _ in 0..21 {
            let upload_url = upload(&ada, vec![b'x'; 10_000_000]).await;
            assert_eq!(prepare(&ada, &upload_url).await.error_code(415), "not_an_image");
            put(&ada, &upload_url, small(1)).await.error_code(404);
            prepare(&ada, &upload_url).await.error_code(404);
        }
    }

    /// A file counts until it is deleted: a day later if unused, and soon after a post shows its image.
    /// proves: limit-uploads
    async fn files_count_until_they_are_deleted(server) {
        let ada = server.member("ada").await;
        let mut last = String::new();
        for number in 0..19 {
            let mut padded = small(number);
            // PNG decoders stop at the end of the image.
            padded.resize(10_000_000, 0);
            last = upload(&ada, padded).await;
            prepare(&ada, &last).await.expect(200);
        }
        assert_eq!(ada.post_empty("/api/objects/upload").await.error_code(409), "too_many_uploads");
        let post = ada.create(json!({"content": "x", "imageUrls": [last]})).await;
        // Otherwise a member could fill the disk by showing each file for a moment.
        assert_eq!(ada.post_empty("/api/objects/upload").await.error_code(409), "too_many_uploads");
        kith::features::media::sweep(&server.state.media).await.unwrap();
        assert_eq!(ada.post_empty("/api/objects/upload").await.error_code(409), "too_many_uploads");
        server.advance_clock(10 * MINUTE);
        kith::features::media::sweep(&server.state.media).await.unwrap();
        create_upload(&ada).await;
        let stored = server.state.storage.list(None, 99).await.unwrap();
        let sent = stored.iter().filter(|(key, _)| key.starts_with("incoming/"));
        assert_eq!(sent.count(), 18);
        let again = ada.create(json!({"content": "y", "imageUrls": [last]})).await;
        assert_eq!(again["imageUrls"], post["imageUrls"]);
    }

    /// One file used as profile picture and in a post makes two separate images.
    async fn equal_files_for_two_uses_make_two_images(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let square = file(&picture(64, 64, 5), ImageFormat::Png);
        let url = upload(&ada, square.clone()).await;
        ada.json(Method::PUT, "/api/profile-images", json!({"imageURL": url})).await.expect(200);
        let url = upload(&bob, square).await;
        let image = prepare(&bob, &url).await.expect(200)["image"]["url"].clone();
        bob.create(json!({"content": "x", "imageUrls": [image]})).await;
    }

    /// One run marks all unused images, however many there are, and the next run deletes them.
    async fn two_runs_delete_all_unused_images(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        let post = ada.create(json!({"content": "x", "imageUrls": [url]})).await;
        for number in 0..250 {
            let hash = format!("{number:040x}");
            server.state.db.write(Unused { hash }).await.unwrap();
        }
        server.advance_clock(DAY);
        kith::features::media::sweep(&server.state.media).await.unwrap();
        server.advance_clock(HOUR);
        kith::features::media::sweep(&server.state.media).await.unwrap();
        assert_eq!(count(&server, sql!("select count(*) from images")).await, 1);
        assert_eq!(ada.get(post["imageUrls"][0].as_str().unwrap()).await.status, 200);
        assert!(!id_of(&post).is_empty());
    }

    /// The row of a cancelled upload is deleted once its URL has expired.
    async fn the_row_of_a_cancelled_upload_is_deleted(server) {
        let ada = server.member("ada").await;
        let upload_url = upload(&ada, small(1)).await;
        ada.post_empty(&format!("{}/cancel", path(&upload_url))).await.expect(204);
        assert_eq!(server.state.storage.list(None, 9).await.unwrap().len(), 0);
        server.advance_clock(HOUR + 11 * MINUTE);
        kith::features::media::sweep(&server.state.media).await.unwrap();
        assert_eq!(count(&server, sql!("select count(*) from uploads")).await, 0);
    }
}

/// Inserts the row of an image without files.
struct Unused {
    hash: String,
}

impl kith_db::Write for Unused {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<()> {
        let insert = sql!(
            "insert into images (hash, kind, width, height, widths, thumbhash, uses, keep_until)
             values ($1, 0, 1, 1, '[1]', '', 0, 1)"
        );
        tx.exec(&insert, params![self.hash.as_str()]).await?;
        Ok(())
    }
}

/// A file that cannot be deleted does not stop the deletion of others.
#[tokio::test]
async fn an_undeletable_file_does_not_stop_others() {
    let server = Server::sqlite().await;
    let stuck = format!("{:040x}", 7);
    let key = format!("images/{stuck}/1.webp");
    server.state.storage.put(&key, "x".into()).await.unwrap();
    // A non-empty folder at the path of the file cannot be deleted.
    let file = find(&server.data.path().join("media"), &stuck).unwrap();
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir_all(file.join("x")).unwrap();
    for hash in [stuck, format!("{:040x}", 8)] {
        server.state.db.write(Unused { hash }).await.unwrap();
    }
    let ada = server.member("ada").await;
    upload(&ada, small(1)).await;
    server.advance_clock(DAY + MINUTE);
    kith::features::media::sweep(&server.state.media).await.unwrap();
    server.advance_clock(HOUR);
    assert!(kith::features::media::sweep(&server.state.media).await.is_err());
    assert_eq!(count(&server, sql!("select count(*) from images")).await, 1);
    assert_eq!(count(&server, sql!("select count(*) from uploads")).await, 0);
}

/// Finds the file below a folder whose name contains `part`.
fn find(folder: &Path, part: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut paths = entries.map(|entry| entry.unwrap().path());
    paths.find_map(|path| {
        if path.is_dir() {
            return find(&path, part);
        }
        path.to_string_lossy().contains(part).then_some(path)
    })
}

/// One file can be processed as picture or header as often as files can be uploaded, by any of its URLs.
/// proves: image-reworked
#[tokio::test]
async fn processing_of_one_file_is_limited() {
    let server = Server::with(|options| options.limits = Toggle::On).await;
    let (ada, bob) = (server.member("ada").await, server.member("bob").await);
    let (url, other) = (upload(&ada, small(1)).await, upload(&bob, small(1)).await);
    let set = async |browser: &Browser, path: &str, url: &str| {
        let body = json!({"imageURL": url});
        browser.json(Method::PUT, path, body).await
    };
    let mut me = Value::Null;
    let ways = ["/api/profile-images", "/api/header-images"];
    for path in ways.into_iter().cycle().take(29) {
        me = set(&ada, path, &url).await.expect(200);
    }
    // Together with the upload itself these are thirty.
    let waits = set(&ada, "/api/header-images", &url).await;
    assert_eq!(waits.error_code(429), "too_many_requests");
    assert_eq!(ada.post_empty("/api/objects/upload").await.status, 429);
    // A processed image needs no work, and a post's image is processed once.
    let shown = me["profileImageUrl"].as_str().unwrap();
    set(&ada, "/api/profile-images", shown).await.expect(200);
    prepare(&ada, &url).await.expect(200);
    set(&bob, "/api/profile-images", &other).await.expect(200);
}
