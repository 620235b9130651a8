//! Every table is looked through for a member who left.

use crate::harness::{Browser, Server, id_of, on_both_engines};
use crate::media::{small, upload};
use kith::features::account::deletion;
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, params};
use serde_json::json;
use std::collections::BTreeSet;

/// What keeps the member's number, on purpose: the empty row that tombstones name, the tombstones
/// themselves, and others' answers, which stand where they stood.
const KEPT: &[&str] = &[
    "author_posts.reply_to_author_id",
    "members.id",
    "posts.author_id",
    "posts.reply_to_author_id",
    "replies.author_id",
];

fn leak(sqlite: String, postgres: String) -> &'static Sql {
    Box::leak(Box::new(Sql {
        sqlite: sqlite.leak(),
        postgres: postgres.leak(),
    }))
}

fn same(text: String) -> &'static Sql {
    let sqlite = text.replace('$', "?");
    leak(sqlite, text)
}

/// Every column of every table, and whether it holds numbers.
async fn columns(server: &Server) -> Vec<(String, String, bool)> {
    let sql = leak(
        "select m.name, c.name, case when c.type = 'TEXT' then 0 else 1 end
           from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table'"
            .to_owned(),
        "select cast(table_name as text), cast(column_name as text),
           cast(case data_type when 'text' then 0 else 1 end as bigint)
           from information_schema.columns where table_schema = 'public' and data_type in ('text', 'bigint')"
            .to_owned(),
    );
    let read = |row: &kith_db::Row<'_>| Ok((row.text(0)?, row.text(1)?, row.int(2)? == 1));
    let db = server.app.db.reader();
    let all = db.all(sql, &[], read).await.unwrap();
    assert!(all.len() > 100, "{all:?}");
    all
}

/// The columns in which a number or a text stands.
async fn places(server: &Server, id: i64, texts: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (table, column, is_number) in columns(server).await {
        if table == "schema_migrations" {
            continue;
        }
        let mut count = 0;
        if is_number {
            let sql = same(format!("select count(*) from {table} where {column} = $1"));
            count += server.count(sql, params![id]).await;
        } else {
            let sql = same(format!(
                "select count(*) from {table} where {column} like $1"
            ));
            for text in texts {
                count += server.count(sql, params![&format!("%{text}%")]).await;
            }
        }
        if count > 0 {
            found.insert(format!("{table}.{column}"));
        }
    }
    found
}

/// Everything that a member can leave somewhere.
async fn live(server: &Server, ada: &Browser, bob: &Browser) {
    let image = upload(ada, small(1)).await;
    let post = json!({"content": "words #tag", "imageUrls": [image], "pollOptions": ["a", "b"]});
    let mine = id_of(&ada.create(post).await);
    bob.reply(&mine, "an answer").await;
    let picture = json!({"imageURL": upload(ada, small(2)).await});
    for path in ["/api/profile-images", "/api/header-images"] {
        ada.json(axum::http::Method::PUT, path, picture.clone())
            .await
            .expect(200);
    }
    upload(ada, small(3)).await;
    let theirs = bob.create(json!({"content": "Bob's", "pollOptions": ["a", "b"]}));
    let theirs = id_of(&theirs.await);
    ada.poke(&format!("/api/posts/{theirs}/like"))
        .await
        .expect(200);
    let vote = json!({"option": "a"});
    ada.post(&format!("/api/posts/{theirs}/vote"), vote)
        .await
        .expect(200);
    ada.repost(&theirs).await;
    let answer = ada.reply(&theirs, "my answer").await;
    bob.reply(&answer, "and mine").await;
    let headers = [
        ("content-type", "application/json"),
        ("idempotency-key", "k"),
    ];
    let body = json!({"content": "once"}).to_string();
    ada.call("POST", "/api/posts", &headers, body)
        .await
        .expect(201);
    ada.follow(bob).await;
    bob.follow(ada).await;
    for deed in ["blocks", "mutes"] {
        for (one, other) in [(ada, bob), (bob, ada)] {
            one.poke(&format!("/api/{deed}/{}", other.id().await))
                .await
                .expect(200);
        }
    }
    let report = json!({"userId": bob.id().await, "reason": "spam"});
    ada.post("/api/reports", report).await.expect(200);
    let report = json!({"userId": ada.id().await, "reason": "spam"});
    bob.post("/api/reports", report).await.expect(200);
    let open = ada.poke("/api/invites").await.expect(201);
    assert!(open["code"].is_string());
    let code = ada.poke("/api/invites").await.expect(201)["code"].clone();
    server.member_with("eve", code.as_str().unwrap()).await;
    let body = json!({"email": "ada@example.org"});
    server
        .visitor()
        .post("/api/waitlist", body)
        .await
        .expect(200);
    let word = json!({"email": "friend.of.ada@example.net"});
    ada.post("/api/waitlist/vouches", word).await.expect(200);
    let word = json!({"email": "ada@example.org"});
    bob.post("/api/waitlist/vouches", word).await.expect(200);
    let email = json!({"email": "ada.new@example.net"});
    ada.post("/api/account/email", email).await.expect(200);
    ada.poke("/api/account/export").await.expect(202);
}

on_both_engines! {
    /// proves: leave-nothing
    async fn nothing_of_a_member_is_left(server) {
        let ada = server.member_with("ada", &server.founder_code()).await;
        let bob = server.member("bob").await;
        let name = json!({"username": "ada_lovelace"});
        ada.json(axum::http::Method::PUT, "/api/users/username", name).await.expect(200);
        let profile = json!({"displayName": "Ada Byron", "bio": "I am ada_lovelace"});
        ada.json(axum::http::Method::PUT, "/api/users/profile", profile).await.expect(200);
        live(&server, &ada, &bob).await;
        let id = ada.id().await.parse::<i64>().unwrap();
        let texts = ["ada@example.org", "ada.new@example.net", "lovelace", "Byron"];
        let before = places(&server, id, &texts).await;
        for place in ["members.email", "emails.member_id", "member_likes.member_id", "poll_votes.member_id",
            "notifications.actor_id", "invites.claimed_by", "member_invites.used_by", "members.invited_by",
            "blocks.member_id", "blocks.blocked_id", "blockers.member_id", "mutes.muted_id", "mutes.member_id",
            "reports.reporter_id", "report_cases.member_id",
            "waitlist.email", "vouches.email", "vouches.member_id", "email_changes.new_email", "search_terms.member_id", "exports.member_id",
            "uploads.owner_id", "image_sources.owner_id", "sessions.member_id", "idempotency_keys.member_id"] {
            assert!(before.contains(place), "{place} is not tried: {before:?}");
        }
        let body = json!({"username": "ada_lovelace"});
        ada.post("/api/account/deletion", body).await.expect(200);
        server.mail_settles().await;
        server.pass(7 * DAY);
        deletion::work(&server.app.account).await.unwrap();
        // What was sent and not used waits for the sweeper; the name for a month.
        for _ in 0..2 {
            server.pass(30 * DAY + MINUTE);
            kith::features::media::sweep(&server.app.media).await.unwrap();
            kith::ops::retention::purge_expired(&server.app).await.unwrap();
        }
        let kept = KEPT.iter().map(|&place| place.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(places(&server, id, &texts).await, kept);
        let founder = server.founder().await;
        let invites = founder.get("/api/invites").await.expect(200);
        assert_eq!((&invites[0]["isUsed"], &invites[0]["usedBy"]), (&json!(true), &json!(null)));
        server.pass(DAY);
        let eve = server.log_in("eve").await;
        assert_eq!(eve.get(&format!("/api/users/{}", eve.name().await)).await.expect(200)["invitedBy"], json!(null));
    }
}

/// Whether some bytes stand in a file.
fn holds(file: &[u8], text: &str) -> bool {
    file.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Nor do the words stand in the file where the database forgot them: backups and copies of the disk would have
/// them, too.
/// proves: leave-bytes
#[tokio::test]
async fn nothing_that_was_deleted_is_in_the_file() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let bob = server.member("bob").await;
    for n in 0..300 {
        ada.write(&format!("secret-{n:03} {}", "and more ".repeat(n % 30)))
            .await;
        bob.write(&format!("public-{n:03}")).await;
    }
    server.mail_settles().await;
    super::leaving::order(&server, &ada.id().await, 0).await;
    super::leaving::work(&server).await;
    // Mails are remembered by their address for as long as they count.
    server.pass(DAY);
    kith::ops::retention::purge_expired(&server.app)
        .await
        .unwrap();
    server.app.db.close().await;
    let file = std::fs::read(server.data.path().join("kith.db")).unwrap();
    for n in 0..300 {
        assert!(holds(&file, &format!("public-{n:03}")), "{n}");
        assert!(!holds(&file, &format!("secret-{n:03}")), "{n}");
    }
    assert!(holds(&file, "bob@example.org"));
    assert!(!holds(&file, "ada@example.org"));
    let log = std::fs::metadata(server.data.path().join("kith.db-wal"));
    assert_eq!(log.map_or(0, |log| log.len()), 0);
}
