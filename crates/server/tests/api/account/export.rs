//! Export of a member's data.

use crate::harness::{Browser, Server, TestResponse, id_of, on_both_engines};
use crate::media::{small, upload};
use kith::features::account::export;
use kith::features::members::SanctionKind;
use kith::ops::consistency;
use kith::platform::clock::{DAY, HOUR, MINUTE};
use kith_db::{Sql, Tx, Write, sql};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

const PATH: &str = "/api/account/export";
const FILE: &str = "/api/account/export/file";

/// Runs a statement that leaves rows as a killed worker would.
struct Exec(&'static Sql);

impl Write for Exec {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(self.0, &[]).await.map(drop)
    }
}

// The lease ends a minute after the tests' start time.
static SET_RUNNING: Sql =
    sql!("update exports set lease_until = 1795253460000, attempts = 1, percent = 40");
// Images uploaded before each member had a copy of their own.
static SHARE_SOURCES: Sql = sql!(
    "insert into image_sources (owner_id, upload_id, hash)
     select one.owner_id, one.upload_id, other.hash from image_sources one
     join image_sources other on other.hash <> one.hash"
);
static SET_EXHAUSTED: Sql = sql!("update exports set attempts = 3");

async fn run_worker(server: &Server) {
    export::process_exports(&server.state.account).await.unwrap();
}

async fn export_state(browser: &Browser) -> Value {
    browser.get(PATH).await.expect(200)["state"].clone()
}

async fn count_stored(server: &Server) -> usize {
    let list = server.state.storage.list(None, 100).await.unwrap();
    let exports = list.iter().filter(|(key, _)| key.starts_with("exports/"));
    exports.count()
}

/// Unzips a response into its files.
fn unzip(response: &TestResponse) -> BTreeMap<String, Vec<u8>> {
    assert_eq!(response.status, 200);
    let mut zip = zip::ZipArchive::new(Cursor::new(&response.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for n in 0..zip.len() {
        let mut file = zip.by_index(n).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn read_json(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Value {
    serde_json::from_slice(&files[name]).unwrap()
}

on_both_engines! {
    /// The archive contains all of a member's data, and only public data of other members.
    /// proves: digest-setting, export-contents, export-private, export-file, call-start-export, call-export, call-export-file
    async fn the_archive_is_complete(server) {
        let founder = server.founder().await;
        let ada = server.member_with("ada", &server.founder_code()).await;
        let bob = server.member("bob").await;
        let image = upload(&ada, small(1)).await;
        let post = ada.create(json!({"content": "my words", "imageUrls": [image]})).await;
        for n in 0..55 {
            ada.write(&format!("post {n}")).await;
        }
        let theirs = bob.write("Bob's words").await;
        let poll = id_of(&bob.create(json!({"content": "tea?", "pollOptions": ["yes", "no"]})).await);
        ada.post(&format!("/api/posts/{poll}/vote"), json!({"option": "no"})).await.expect(200);
        ada.post_empty(&format!("/api/posts/{theirs}/like")).await.expect(200);
        ada.reply(&theirs, "my answer").await;
        ada.repost(&poll).await;
        bob.follow(&ada).await;
        let carl = server.member("carl").await;
        let (bob_id, carl_id) = (bob.id().await, carl.id().await);
        ada.post_empty(&format!("/api/mutes/{bob_id}")).await.expect(200);
        ada.post_empty(&format!("/api/blocks/{carl_id}")).await.expect(200);
        ada.post_empty(&format!("/api/posts/{theirs}/mute")).await.expect(200);
        for body in [json!({"postId": theirs, "reason": "spam", "note": "again"}), json!({"userId": carl_id, "reason": "other"})] {
            ada.post("/api/reports", body).await.expect(200);
        }
        ada.post("/api/account/email", json!({"email": "ada@new.example"})).await.expect(200);
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].clone();
        ada.post_empty(PATH).await.expect(202);
        run_worker(&server).await;
        let status = ada.get(PATH).await.expect(200);
        let response = ada.get(FILE).await;
        assert_eq!(status, json!({
            "state": "ready", "percent": 100, "size": response.bytes.len(),
            "createdAt": "2026-11-21T09:30:00.000Z", "expiresAt": "2026-11-28T09:30:00.000Z",
        }));
        assert_eq!(response.header("content-type"), "application/zip");
        assert_eq!(response.header("cache-control"), "no-store");
        let name = format!("attachment; filename=\"kith-{}-2026-11-21.zip\"", ada.name().await);
        assert_eq!(response.header("content-disposition"), name);
        let files = unzip(&response);
        let account = read_json(&files, "account.json");
        assert_eq!(account["member"]["email"], "ada@example.org");
        assert_eq!(account["member"]["invitedBy"]["username"], "founder");
        assert_eq!(account["devices"].as_array().unwrap().len(), 1);
        assert_eq!(account["invites"][0]["code"], code);
        assert_eq!(account["addressChanges"], json!([{
            "oldEmail": "ada@example.org", "newEmail": "ada@new.example", "askedAt": "2026-11-21T09:30:00.000Z", "changedAt": null,
        }]));
        assert_eq!(json!([account["deleteAt"], account["notificationSettings"]["weeklyDigest"]]), json!([null, true]));
        assert_eq!(read_json(&files, "muted.json")[0]["member"]["id"], json!(bob_id));
        assert_eq!(read_json(&files, "muted-conversations.json")[0]["postId"], json!(theirs));
        assert_eq!(read_json(&files, "blocked.json")[0]["member"]["id"], json!(carl_id));
        let reports = read_json(&files, "reports.json");
        assert_eq!((&reports[0]["userId"], &reports[0]["reason"]), (&json!(carl_id), &json!("other")));
        assert_eq!((&reports[1]["postId"], &reports[1]["note"]), (&json!(theirs), &json!("again")));
        let posts = read_json(&files, "posts.json");
        let posts = posts.as_array().unwrap();
        assert_eq!(posts.len(), 58, "56 posts, a reply, a repost");
        assert_eq!((&posts[1]["content"], &posts[57]["content"]), (&json!("my answer"), &json!("my words")));
        assert_eq!(posts[0]["repostOf"]["pollMyVote"], "no");
        assert_eq!(read_json(&files, "likes.json")[0]["post"]["content"], "Bob's words");
        assert_eq!(read_json(&files, "votes.json")[0]["pollMyVote"], "no");
        assert_eq!(read_json(&files, "following.json")[0]["member"]["username"], "founder");
        assert_eq!(read_json(&files, "followers.json")[0]["member"]["username"], json!(bob.name().await));
        assert_eq!(read_json(&files, "notifications.json")[0]["type"], "follow");
        let url = post["images"][0]["url"].as_str().unwrap();
        let hash = url.split('/').nth(2).unwrap();
        let largest = post["images"][0]["srcset"].as_str().unwrap().split(", ").last().unwrap();
        let shown = bob.get(largest.split(' ').next().unwrap()).await;
        assert_eq!(files[&format!("media/{hash}.webp")], shown.bytes);
        assert!(String::from_utf8_lossy(&files["README.txt"]).contains("posts.json"));
        for (name, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            let own = text.matches("ada@example.org").count();
            assert_eq!(text.matches("@example.org").count(), own, "{name}: another member's email");
        }
        for other in [&founder, &bob] {
            assert_eq!(other.get(FILE).await.error_code(404), "export_not_found");
        }
        assert_eq!(server.visitor().get(FILE).await.error_code(401), "unauthorized");
    }

    /// proves: export-one
    async fn concurrent_requests_start_one_export(server) {
        let ada = server.member("ada").await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let tab = ada.tab();
            tasks.spawn(async move { tab.post_empty(PATH).await });
        }
        let responses = tasks.join_all().await;
        let started = responses.iter().filter(|response| response.status == 202).count();
        assert_eq!(started, 1, "{responses:?}");
        let rejected = responses.iter().filter(|response| response.status == 409);
        assert!(rejected.clone().all(|response| response.error_code(409) == "export_under_way"));
        assert_eq!(rejected.count(), 7);
        let (app, again) = (server.state.clone(), server.state.clone());
        let (one, two) = tokio::join!(export::process_exports(&app.account), export::process_exports(&again.account));
        one.and(two).unwrap();
        assert_eq!(count_stored(&server).await, 1, "two nodes export once");
    }

    /// A member may start three exports in 24 hours; a newer one replaces the one before.
    /// proves: export-limit, export-kept, export-newest
    async fn exports_are_limited_and_expire(server) {
        let ada = server.member("ada").await;
        assert_eq!(export_state(&ada).await, "none");
        assert_eq!(ada.get(FILE).await.error_code(404), "export_not_found");
        for _ in 0..3 {
            let status = ada.post_empty(PATH).await.expect(202);
            assert_eq!((&status["state"], &status["percent"], &status["size"]), (&json!("waiting"), &json!(0), &Value::Null));
            run_worker(&server).await;
            assert_eq!(export_state(&ada).await, "ready");
            assert_eq!(count_stored(&server).await, 1, "the newest replaces the others");
            server.advance_clock(1);
        }
        assert_eq!(ada.post_empty(PATH).await.error_code(409), "exports_used_up");
        server.advance_clock(DAY);
        ada.post_empty(PATH).await.expect(202);
        for _ in 0..2 {
            run_worker(&server).await;
        }
        assert_eq!(count_stored(&server).await, 1, "the newest");
        server.advance_clock(7 * DAY - 1);
        run_worker(&server).await;
        assert_eq!(export_state(&ada).await, "ready");
        unzip(&ada.get(FILE).await);
        server.advance_clock(1);
        assert_eq!(export_state(&ada).await, "none");
        assert_eq!(ada.get(FILE).await.error_code(404), "export_not_found");
        run_worker(&server).await;
        assert_eq!(count_stored(&server).await, 0);
    }

    /// Another worker restarts an export once the first has been silent for two minutes.
    /// proves: export-crash
    async fn a_killed_worker_is_replaced(server) {
        let ada = server.member("ada").await;
        ada.post_empty(PATH).await.expect(202);
        server.state.db.write(Exec(&SET_RUNNING)).await.unwrap();
        run_worker(&server).await;
        let status = ada.get(PATH).await.expect(200);
        assert_eq!((&status["state"], &status["percent"]), (&json!("running"), &json!(40)));
        server.advance_clock(MINUTE);
        assert_eq!(export_state(&ada).await, "waiting");
        run_worker(&server).await;
        unzip(&ada.get(FILE).await);
    }

    /// An export that three workers could not finish fails, and can be requested again.
    /// proves: export-crash
    async fn an_export_that_keeps_crashing_fails(server) {
        let ada = server.member("ada").await;
        ada.post_empty(PATH).await.expect(202);
        server.state.db.write(Exec(&SET_EXHAUSTED)).await.unwrap();
        run_worker(&server).await;
        assert_eq!(export_state(&ada).await, "failed");
        assert_eq!(ada.get(FILE).await.error_code(404), "export_not_found");
        ada.post_empty(PATH).await.expect(202);
        run_worker(&server).await;
        assert_eq!(export_state(&ada).await, "ready");
    }

    /// An operator exports without a session of the member.
    /// proves: export-operator
    async fn an_operator_exports_a_member(server) {
        let ada = server.member("ada").await;
        ada.write("my words").await;
        let (name, path) = (ada.name().await, server.data.path().join("ada.zip"));
        kith::cli::export::export_to_file(&server.state.account, &name, &path).await.unwrap();
        let mut zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut text = String::new();
        zip.by_name("posts.json").unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("my words"));
        let again = kith::cli::export::export_to_file(&server.state.account, &name, &path).await.unwrap_err();
        assert!(again.contains("cannot be created"), "{again}");
        let unknown = kith::cli::export::export_to_file(&server.state.account, "unknown_user", &path).await.unwrap_err();
        assert_eq!(unknown, "There is no member @unknown_user.");
    }

    /// A suspended member's data can be exported by the operator.
    /// proves: export-suspended
    async fn an_operator_exports_a_suspended_member(server) {
        let ada = server.member("ada").await;
        ada.write("my words").await;
        let name = ada.name().await;
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        let path = server.data.path().join("ada.zip");
        kith::cli::export::export_to_file(&server.state.account, &name, &path).await.unwrap();
        let mut zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        for (file, words) in [("account.json", "ada@example.org"), ("posts.json", "my words")] {
            let mut text = String::new();
            zip.by_name(file).unwrap().read_to_string(&mut text).unwrap();
            assert!(text.contains(words), "{file}: {text}");
        }
    }

    /// Images kept only by a report, or by its decision, are not exported, so that a member does
    /// not learn of the report.
    /// proves: report-untold
    async fn an_export_reveals_no_report(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut posts = Vec::new();
        for seed in [1, 2] {
            let image = upload(&ada, small(seed)).await;
            posts.push(ada.create(json!({"content": "mine", "imageUrls": [image]})).await);
        }
        let names = async |nth: u8| {
            let path = server.data.path().join(format!("{nth}.zip"));
            kith::cli::export::export_to_file(&server.state.account, &ada.name().await, &path).await.unwrap();
            let zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
            let names = zip.file_names().map(|name| name.unwrap().into_owned());
            names.filter(|name| name.starts_with("media/")).collect::<Vec<_>>()
        };
        assert_eq!(names(0).await.len(), 2);
        for post in &posts {
            bob.post("/api/reports", json!({"postId": post["id"], "reason": "spam"})).await.expect(200);
        }
        ada.delete(&format!("/api/posts/{}", id_of(&posts[0]))).await.expect(204);
        let [gone, shown] = [0, 1].map(|nth: usize| posts[nth]["imageUrls"][0].as_str().unwrap());
        let left = [format!("media/{}.webp", shown.split('/').nth(2).unwrap())];
        assert_eq!(names(1).await, left);
        assert_eq!(bob.get(gone).await.status, 200, "moderators still see it");
        let admin = server.admin("kim").await;
        for case in admin.get("/api/admin/reports").await.expect(200).as_array().unwrap() {
            let path = format!("/api/admin/reports/{}/resolve", id_of(case));
            admin.post(&path, json!({"action": "dismiss", "note": "why"})).await.expect(204);
        }
        assert_eq!(names(2).await, left);
        assert!(consistency::find_count_mismatches(&server.state.db).await.unwrap().is_empty());
    }

    /// Uploading a file that another member has posted does not reveal that: neither by its URL nor
    /// by an export, even where older images are shared.
    /// proves: image-own-address
    async fn an_export_does_not_reveal_who_else_posted_a_file(server) {
        let (ada, eve) = (server.member("ada").await, server.member("eve").await);
        ada.block(&eve).await;
        let image = upload(&ada, small(1)).await;
        let post = ada.create(json!({"content": "mine", "imageUrls": [image]})).await;
        let shown = post["imageUrls"][0].as_str().unwrap();
        let sent = upload(&eve, small(1)).await;
        let path = sent.split('?').next().unwrap().strip_prefix("http://localhost:8080").unwrap();
        let made = eve.post_empty(&format!("{path}/prepare")).await.expect(200)["image"]["url"].clone();
        let made = made.as_str().unwrap();
        assert_ne!(made, shown);
        server.state.db.write(Exec(&SHARE_SOURCES)).await.unwrap();
        for (member, images) in [(&ada, 1), (&eve, 0)] {
            let name = member.name().await;
            let path = server.data.path().join(format!("{name}.zip"));
            kith::cli::export::export_to_file(&server.state.account, &name, &path).await.unwrap();
            let zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
            let names = zip.file_names().map(|name| name.unwrap().into_owned());
            assert_eq!(names.filter(|name| name.starts_with("media/")).count(), images, "{name}");
        }
        for time in [DAY, HOUR] {
            server.advance_clock(time);
            kith::features::media::sweep(&server.state.media).await.unwrap();
        }
        assert_eq!(eve.get(made).await.status, 404);
        assert_eq!(eve.get(shown).await.status, 200);
    }
}
