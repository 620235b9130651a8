//! Every table is scanned for data of an erased member.

use crate::harness::{Browser, Server, id_of, on_both_engines};
use crate::media::{small, upload};
use kith::features::account::deletion;
use kith::platform::clock::{DAY, MINUTE};
use kith_db::{Sql, params};
use serde_json::json;
use std::collections::BTreeSet;

/// Columns that keep the member's id on purpose: the empty member row that tombstones reference,
/// the tombstones, and other members' replies.
const KEPT: &[&str] = &[
    "author_posts.reply_to_author_id",
    "members.id",
    "posts.author_id",
    "posts.reply_to_author_id",
    "replies.author_id",
];

fn leak_sql(sqlite: String, postgres: String) -> &'static Sql {
    Box::leak(Box::new(Sql { sqlite: sqlite.leak(), postgres: postgres.leak() }))
}

fn both_dialects(text: String) -> &'static Sql {
    let sqlite = text.replace('$', "?");
    leak_sql(sqlite, text)
}

/// Lists every column of every table, and whether it holds integers.
async fn columns(server: &Server) -> Vec<(String, String, bool)> {
    let sql = leak_sql(
        "select m.name, c.name, case when c.type = 'TEXT' then 0 else 1 end
           from sqlite_master as m join pragma_table_info(m.name) as c where m.type = 'table'"
            .to_owned(),
        "select cast(table_name as text), cast(column_name as text),
           cast(case data_type when 'text' then 0 else 1 end as bigint)
           from information_schema.columns where table_schema = 'public' and data_type in ('text', 'bigint')"
            .to_owned(),
    );
    let read = |row: &kith_db::Row<'_>| Ok((row.text(0)?, row.text(1)?, row.int(2)? == 1));
    let db = server.state.db.reader();
    let all = db.all(sql, &[], read).await.unwrap();
    assert!(all.len() > 100, "{all:?}");
    all
}

/// Lists the columns that contain the id or one of the texts.
async fn columns_with(server: &Server, id: i64, texts: &[&str]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (table, column, is_number) in columns(server).await {
        if table == "schema_migrations" {
            continue;
        }
        let mut count = 0;
        if is_number {
            let sql = both_dialects(format!("select count(*) from {table} where {column} = $1"));
            count += server.count(sql, params![id]).await;
        } else {
            let sql = both_dialects(format!("select count(*) from {table} where {column} like $1"));
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

/// Leaves data of every kind that a member can create.
async fn leave_data_everywhere(server: &Server, ada: &Browser, bob: &Browser) {
    let image = upload(ada, small(1)).await;
    let post = json!({"content": "words #tag", "imageUrls": [image], "pollOptions": ["a", "b"]});
    let mine = id_of(&ada.create(post).await);
    bob.reply(&mine, "an answer").await;
    let picture = json!({"imageURL": upload(ada, small(2)).await});
    for path in ["/api/profile-images", "/api/header-images"] {
        ada.json(axum::http::Method::PUT, path, picture.clone()).await.expect(200);
    }
    upload(ada, small(3)).await;
    let theirs = bob.create(json!({"content": "Bob's", "pollOptions": ["a", "b"]}));
    let theirs = id_of(&theirs.await);
    ada.post_empty(&format!("/api/posts/{theirs}/like")).await.expect(200);
    let vote = json!({"option": "a"});
    ada.post(&format!("/api/posts/{theirs}/vote"), vote).await.expect(200);
    ada.repost(&theirs).await;
    let response = ada.reply(&theirs, "my answer").await;
    bob.reply(&response, "and mine").await;
    let headers = [("content-type", "application/json"), ("idempotency-key", "k")];
    let body = json!({"content": "once"}).to_string();
    ada.request("POST", "/api/posts", &headers, body).await.expect(201);
    ada.follow(bob).await;
    bob.follow(ada).await;
    ada.post_empty(&format!("/api/posts/{theirs}/mute")).await.expect(200);
    for action in ["blocks", "mutes"] {
        for (one, other) in [(ada, bob), (bob, ada)] {
            one.post_empty(&format!("/api/{action}/{}", other.id().await)).await.expect(200);
        }
    }
    let settings = json!({"like": {"from": "none", "push": true}});
    ada.json(axum::http::Method::PUT, "/api/notifications/settings", settings).await.expect(200);
    let report = json!({"userId": bob.id().await, "reason": "spam"});
    ada.post("/api/reports", report).await.expect(200);
    let report = json!({"userId": ada.id().await, "reason": "spam"});
    bob.post("/api/reports", report).await.expect(200);
    let open = ada.post_empty("/api/invites").await.expect(201);
    assert!(open["code"].is_string());
    let code = ada.post_empty("/api/invites").await.expect(201)["code"].clone();
    server.member_with("eve", code.as_str().unwrap()).await;
    let body = json!({"email": "ada@example.org"});
    server.visitor().post("/api/waitlist", body).await.expect(200);
    let vouch = json!({"email": "friend.of.ada@example.net"});
    ada.post("/api/waitlist/vouches", vouch).await.expect(200);
    let vouch = json!({"email": "ada@example.org"});
    bob.post("/api/waitlist/vouches", vouch).await.expect(200);
    let email = json!({"email": "ada.new@example.net"});
    ada.post("/api/account/email", email).await.expect(200);
    ada.post_empty("/api/account/export").await.expect(202);
}

on_both_engines! {
    /// proves: leave-nothing, digest-setting
    async fn nothing_of_an_erased_member_is_left(server) {
        let ada = server.member_with("ada", &server.founder_code()).await;
        let bob = server.member("bob").await;
        let name = json!({"username": "ada_lovelace"});
        ada.json(axum::http::Method::PUT, "/api/users/username", name).await.expect(200);
        let profile = json!({"displayName": "Ada Byron", "bio": "I am ada_lovelace"});
        ada.json(axum::http::Method::PUT, "/api/users/profile", profile).await.expect(200);
        leave_data_everywhere(&server, &ada, &bob).await;
        let id = ada.id().await.parse::<i64>().unwrap();
        let texts = ["ada@example.org", "ada.new@example.net", "lovelace", "Byron"];
        let before = columns_with(&server, id, &texts).await;
        for column in ["members.email", "emails.member_id", "member_likes.member_id", "poll_votes.member_id",
            "notifications.actor_id", "invites.claimed_by", "member_invites.used_by", "members.invited_by",
            "blocks.member_id", "blocks.blocked_id", "blockers.member_id", "mutes.muted_id", "mutes.member_id",
            "reports.reporter_id", "report_cases.member_id",
            "waitlist.email", "vouches.email", "vouches.member_id", "email_changes.new_email", "search_terms.member_id", "exports.member_id",
            "uploads.owner_id", "image_sources.owner_id", "sessions.member_id", "idempotency_keys.member_id", "digests.member_id"] {
            assert!(before.contains(column), "{column} is not covered: {before:?}");
        }
        let body = json!({"username": "ada_lovelace"});
        ada.post("/api/account/deletion", body).await.expect(200);
        server.wait_for_mail_queue().await;
        server.advance_clock(7 * DAY);
        deletion::delete_due(&server.state.account).await.unwrap();
        // Unused uploads wait for the sweep; the username is reserved for a month.
        for _ in 0..2 {
            server.advance_clock(30 * DAY + MINUTE);
            kith::features::media::sweep(&server.state.media).await.unwrap();
            kith::ops::retention::purge_expired(&server.state).await.unwrap();
        }
        let kept = KEPT.iter().map(|&column| column.to_owned()).collect::<BTreeSet<_>>();
        assert_eq!(columns_with(&server, id, &texts).await, kept);
        let founder = server.founder().await;
        let invites = founder.get("/api/invites").await.expect(200);
        assert_eq!((&invites[0]["isUsed"], &invites[0]["usedBy"]), (&json!(true), &json!(null)));
        server.advance_clock(DAY);
        let eve = server.log_in("eve").await;
        assert_eq!(eve.get(&format!("/api/users/{}", eve.name().await)).await.expect(200)["invitedBy"], json!(null));
    }
}

/// Finds the texts in a file that are `length` bytes long and begin with `prefix`.
fn texts_in<'a>(file: &'a [u8], prefix: &str, length: usize) -> BTreeSet<&'a [u8]> {
    file.windows(length).filter(|text| text.starts_with(prefix.as_bytes())).collect()
}

/// Deleted text must not remain in free pages of the file: backups and disk images would contain
/// it, too.
/// proves: leave-bytes
#[tokio::test]
async fn deleted_text_is_not_in_the_database_file() {
    let server = Server::sqlite().await;
    let ada = server.member("ada").await;
    let bob = server.member("bob").await;
    for n in 0..300 {
        ada.write(&format!("secret-{n:03} {}", "and more ".repeat(n % 30))).await;
        bob.write(&format!("public-{n:03}")).await;
    }
    server.wait_for_mail_queue().await;
    super::leaving::order_deletion(&server, &ada.id().await, 0).await;
    super::leaving::run_deletions(&server).await;
    // Login mails are counted by email address for a day.
    server.advance_clock(DAY);
    kith::ops::retention::purge_expired(&server.state).await.unwrap();
    server.state.db.close().await;
    let file = std::fs::read(server.data.path().join("kith.db")).unwrap();
    let public = texts_in(&file, "public-", "public-000".len());
    for n in 0..300 {
        assert!(public.contains(format!("public-{n:03}").as_bytes()), "{n}");
    }
    assert!(texts_in(&file, "secret-", "secret-".len()).is_empty());
    let emails = ["ada@example.org", "bob@example.org"];
    assert_eq!(emails.map(|email| texts_in(&file, email, email.len()).len()), [0, 1]);
    let log = std::fs::metadata(server.data.path().join("kith.db-wal"));
    assert_eq!(log.map_or(0, |log| log.len()), 0);
}
