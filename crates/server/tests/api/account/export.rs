//! A copy of everything that a member has.

use crate::harness::{Answer, Browser, Server, id_of, on_both_engines};
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

/// Changes rows as a worker that was killed leaves them.
struct Leave(&'static Sql);

impl Write for Leave {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(self.0, &[]).await.map(drop)
    }
}

// A minute after the tests' first moment.
static BEGUN: Sql =
    sql!("update exports set lease_until = 1795253460000, attempts = 1, percent = 40");
// As of members who sent the same file before each had an image of their own.
static SHARED: Sql = sql!(
    "insert into image_sources (owner_id, upload_id, hash)
     select one.owner_id, one.upload_id, other.hash from image_sources one
     join image_sources other on other.hash <> one.hash"
);
static BROKEN: Sql = sql!("update exports set attempts = 3");

async fn work(server: &Server) {
    export::work(&server.app.account).await.unwrap();
}

async fn state(browser: &Browser) -> Value {
    browser.get(PATH).await.expect(200)["state"].clone()
}

async fn stored(server: &Server) -> usize {
    let list = server.app.storage.list(None, 100).await.unwrap();
    let exports = list.iter().filter(|(key, _)| key.starts_with("exports/"));
    exports.count()
}

/// The files inside.
fn open(answer: &Answer) -> BTreeMap<String, Vec<u8>> {
    assert_eq!(answer.status, 200);
    let mut zip = zip::ZipArchive::new(Cursor::new(&answer.bytes)).unwrap();
    let mut files = BTreeMap::new();
    for n in 0..zip.len() {
        let mut file = zip.by_index(n).unwrap();
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.insert(file.name().unwrap().into_owned(), bytes);
    }
    files
}

fn read(files: &BTreeMap<String, Vec<u8>>, name: &str) -> Value {
    serde_json::from_slice(&files[name]).unwrap()
}

on_both_engines! {
    /// All of it is there, and of others only what everybody sees.
    /// proves: export-contents, export-private, export-file, call-start-export, call-export, call-export-file
    async fn everything_is_in_it(server) {
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
        ada.poke(&format!("/api/posts/{theirs}/like")).await.expect(200);
        ada.reply(&theirs, "my answer").await;
        ada.repost(&poll).await;
        bob.follow(&ada).await;
        let carl = server.member("carl").await;
        let (bob_id, carl_id) = (bob.id().await, carl.id().await);
        ada.poke(&format!("/api/mutes/{bob_id}")).await.expect(200);
        ada.poke(&format!("/api/blocks/{carl_id}")).await.expect(200);
        for body in [json!({"postId": theirs, "reason": "spam", "note": "again"}), json!({"userId": carl_id, "reason": "other"})] {
            ada.post("/api/reports", body).await.expect(200);
        }
        ada.post("/api/account/email", json!({"email": "ada@new.example"})).await.expect(200);
        let code = ada.poke("/api/invites").await.expect(201)["code"].clone();
        ada.poke(PATH).await.expect(202);
        work(&server).await;
        let status = ada.get(PATH).await.expect(200);
        let answer = ada.get(FILE).await;
        assert_eq!(status, json!({
            "state": "ready", "percent": 100, "size": answer.bytes.len(),
            "createdAt": "2026-11-21T09:30:00.000Z", "expiresAt": "2026-11-28T09:30:00.000Z",
        }));
        assert_eq!(answer.header("content-type"), "application/zip");
        assert_eq!(answer.header("cache-control"), "no-store");
        let name = format!("attachment; filename=\"kith-{}-2026-11-21.zip\"", ada.name().await);
        assert_eq!(answer.header("content-disposition"), name);
        let files = open(&answer);
        let account = read(&files, "account.json");
        assert_eq!(account["member"]["email"], "ada@example.org");
        assert_eq!(account["member"]["invitedBy"]["username"], "founder");
        assert_eq!(account["devices"].as_array().unwrap().len(), 1);
        assert_eq!(account["invites"][0]["code"], code);
        assert_eq!(account["addressChanges"], json!([{
            "oldEmail": "ada@example.org", "newEmail": "ada@new.example", "askedAt": "2026-11-21T09:30:00.000Z", "changedAt": null,
        }]));
        assert_eq!(account["deleteAt"], Value::Null);
        assert_eq!(read(&files, "muted.json")[0]["member"]["id"], json!(bob_id));
        assert_eq!(read(&files, "blocked.json")[0]["member"]["id"], json!(carl_id));
        let reports = read(&files, "reports.json");
        assert_eq!((&reports[0]["userId"], &reports[0]["reason"]), (&json!(carl_id), &json!("other")));
        assert_eq!((&reports[1]["postId"], &reports[1]["note"]), (&json!(theirs), &json!("again")));
        let posts = read(&files, "posts.json");
        let posts = posts.as_array().unwrap();
        assert_eq!(posts.len(), 58, "56 posts, a reply, a repost");
        assert_eq!((&posts[1]["content"], &posts[57]["content"]), (&json!("my answer"), &json!("my words")));
        assert_eq!(posts[0]["repostOf"]["pollMyVote"], "no");
        assert_eq!(read(&files, "likes.json")[0]["post"]["content"], "Bob's words");
        assert_eq!(read(&files, "votes.json")[0]["pollMyVote"], "no");
        assert_eq!(read(&files, "following.json")[0]["member"]["username"], "founder");
        assert_eq!(read(&files, "followers.json")[0]["member"]["username"], json!(bob.name().await));
        assert_eq!(read(&files, "notifications.json")[0]["type"], "follow");
        let url = post["images"][0]["url"].as_str().unwrap();
        let hash = url.split('/').nth(2).unwrap();
        let largest = post["images"][0]["srcset"].as_str().unwrap().split(", ").last().unwrap();
        let shown = bob.get(largest.split(' ').next().unwrap()).await;
        assert_eq!(files[&format!("media/{hash}.webp")], shown.bytes);
        assert!(String::from_utf8_lossy(&files["README.txt"]).contains("posts.json"));
        for (name, bytes) in &files {
            let text = String::from_utf8_lossy(bytes);
            let own = text.matches("ada@example.org").count();
            assert_eq!(text.matches("@example.org").count(), own, "{name}: an address of somebody else");
        }
        for other in [&founder, &bob] {
            assert_eq!(other.get(FILE).await.refusal(404), "export_not_found");
        }
        assert_eq!(server.visitor().get(FILE).await.refusal(401), "unauthorized");
    }

    /// proves: export-one
    async fn of_many_at_once_one_is_made(server) {
        let ada = server.member("ada").await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let tab = ada.tab();
            tasks.spawn(async move { tab.poke(PATH).await });
        }
        let answers = tasks.join_all().await;
        let started = answers.iter().filter(|answer| answer.status == 202).count();
        assert_eq!(started, 1, "{answers:?}");
        let refused = answers.iter().filter(|answer| answer.status == 409);
        assert!(refused.clone().all(|answer| answer.refusal(409) == "export_under_way"));
        assert_eq!(refused.count(), 7);
        let (app, again) = (server.app.clone(), server.app.clone());
        let (one, two) = tokio::join!(export::work(&app.account), export::work(&again.account));
        one.and(two).unwrap();
        assert_eq!(stored(&server).await, 1, "two nodes make it once");
    }

    /// Three in any 24 hours; a newer one takes the place of the one before.
    /// proves: export-limit, export-kept, export-newest
    async fn exports_are_few_and_go(server) {
        let ada = server.member("ada").await;
        assert_eq!(state(&ada).await, "none");
        assert_eq!(ada.get(FILE).await.refusal(404), "export_not_found");
        for _ in 0..3 {
            let asked = ada.poke(PATH).await.expect(202);
            assert_eq!((&asked["state"], &asked["percent"], &asked["size"]), (&json!("waiting"), &json!(0), &Value::Null));
            work(&server).await;
            assert_eq!(state(&ada).await, "ready");
            assert_eq!(stored(&server).await, 1, "the newest takes the others' place");
            server.pass(1);
        }
        assert_eq!(ada.poke(PATH).await.refusal(409), "exports_used_up");
        server.pass(DAY);
        ada.poke(PATH).await.expect(202);
        for _ in 0..2 {
            work(&server).await;
        }
        assert_eq!(stored(&server).await, 1, "the newest");
        server.pass(7 * DAY - 1);
        work(&server).await;
        assert_eq!(state(&ada).await, "ready");
        open(&ada.get(FILE).await);
        server.pass(1);
        assert_eq!(state(&ada).await, "none");
        assert_eq!(ada.get(FILE).await.refusal(404), "export_not_found");
        work(&server).await;
        assert_eq!(stored(&server).await, 0);
    }

    /// Another worker begins anew once the first one was silent for two minutes.
    /// proves: export-crash
    async fn a_killed_worker_is_replaced(server) {
        let ada = server.member("ada").await;
        ada.poke(PATH).await.expect(202);
        server.app.db.write(Leave(&BEGUN)).await.unwrap();
        work(&server).await;
        let status = ada.get(PATH).await.expect(200);
        assert_eq!((&status["state"], &status["percent"]), (&json!("running"), &json!(40)));
        server.pass(MINUTE);
        assert_eq!(state(&ada).await, "waiting");
        work(&server).await;
        open(&ada.get(FILE).await);
    }

    /// What three workers could not make is given up, and can be asked for again.
    /// proves: export-crash
    async fn what_breaks_off_again_and_again_fails(server) {
        let ada = server.member("ada").await;
        ada.poke(PATH).await.expect(202);
        server.app.db.write(Leave(&BROKEN)).await.unwrap();
        work(&server).await;
        assert_eq!(state(&ada).await, "failed");
        assert_eq!(ada.get(FILE).await.refusal(404), "export_not_found");
        ada.poke(PATH).await.expect(202);
        work(&server).await;
        assert_eq!(state(&ada).await, "ready");
    }

    /// For an operator, without a session of the member's.
    /// proves: export-operator
    async fn an_operator_writes_a_file(server) {
        let ada = server.member("ada").await;
        ada.write("my words").await;
        let (name, path) = (ada.name().await, server.data.path().join("ada.zip"));
        kith::cli::export::export_to_file(&server.app.account, &name, &path).await.unwrap();
        let mut zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut text = String::new();
        zip.by_name("posts.json").unwrap().read_to_string(&mut text).unwrap();
        assert!(text.contains("my words"));
        let again = kith::cli::export::export_to_file(&server.app.account, &name, &path).await.unwrap_err();
        assert!(again.contains("cannot be created"), "{again}");
        let nobody = kith::cli::export::export_to_file(&server.app.account, "nobody_here", &path).await.unwrap_err();
        assert_eq!(nobody, "There is no member @nobody_here.");
    }

    /// Who is suspended can ask for what is kept of them, though not by themselves.
    /// proves: export-suspended
    async fn an_operator_writes_a_file_of_a_suspended_member(server) {
        let ada = server.member("ada").await;
        ada.write("my words").await;
        let name = ada.name().await;
        server.operate(&name, SanctionKind::Suspend).await.unwrap();
        let path = server.data.path().join("ada.zip");
        kith::cli::export::export_to_file(&server.app.account, &name, &path).await.unwrap();
        let mut zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        for (file, words) in [("account.json", "ada@example.org"), ("posts.json", "my words")] {
            let mut text = String::new();
            zip.by_name(file).unwrap().read_to_string(&mut text).unwrap();
            assert!(text.contains(words), "{file}: {text}");
        }
    }

    /// What only a report keeps is not in it, nor what its decision keeps for a while: nobody learns so that
    /// they were reported.
    /// proves: report-untold
    async fn an_export_tells_of_no_report(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let mut posts = Vec::new();
        for seed in [1, 2] {
            let image = upload(&ada, small(seed)).await;
            posts.push(ada.create(json!({"content": "mine", "imageUrls": [image]})).await);
        }
        let names = async |nth: u8| {
            let path = server.data.path().join(format!("{nth}.zip"));
            kith::cli::export::export_to_file(&server.app.account, &ada.name().await, &path).await.unwrap();
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
        assert_eq!(bob.get(gone).await.status, 200, "it is there to be seen all the same");
        let admin = server.admin("kim").await;
        for case in admin.get("/api/admin/reports").await.expect(200).as_array().unwrap() {
            let path = format!("/api/admin/reports/{}/resolve", id_of(case));
            admin.post(&path, json!({"action": "dismiss", "note": "why"})).await.expect(204);
        }
        assert_eq!(names(2).await, left);
        assert!(consistency::find_count_mismatches(&server.app.db).await.unwrap().is_empty());
    }

    /// Who sends a file that somebody else shows learns nothing of that: neither by the address that is made of
    /// it, nor from an export, also where older images are shared.
    /// proves: image-own-address
    async fn nobody_learns_who_else_shows_a_file(server) {
        let (ada, eve) = (server.member("ada").await, server.member("eve").await);
        ada.block(&eve).await;
        let image = upload(&ada, small(1)).await;
        let post = ada.create(json!({"content": "mine", "imageUrls": [image]})).await;
        let shown = post["imageUrls"][0].as_str().unwrap();
        let sent = upload(&eve, small(1)).await;
        let path = sent.split('?').next().unwrap().strip_prefix("http://localhost:8080").unwrap();
        let made = eve.poke(&format!("{path}/prepare")).await.expect(200)["image"]["url"].clone();
        let made = made.as_str().unwrap();
        assert_ne!(made, shown);
        server.app.db.write(Leave(&SHARED)).await.unwrap();
        for (member, images) in [(&ada, 1), (&eve, 0)] {
            let name = member.name().await;
            let path = server.data.path().join(format!("{name}.zip"));
            kith::cli::export::export_to_file(&server.app.account, &name, &path).await.unwrap();
            let zip = zip::ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
            let names = zip.file_names().map(|name| name.unwrap().into_owned());
            assert_eq!(names.filter(|name| name.starts_with("media/")).count(), images, "{name}");
        }
        for time in [DAY, HOUR] {
            server.pass(time);
            kith::features::media::sweep(&server.app.media).await.unwrap();
        }
        assert_eq!(eve.get(made).await.status, 404);
        assert_eq!(eve.get(shown).await.status, 200);
    }
}
