//! What has expired is deleted, and nothing else.

use crate::harness::{Browser, Server, on_both_engines};
use kith::ops::retention;
use kith::platform::clock::{DAY, HOUR, MINUTE};
use kith_db::{Sql, Tx, Write, params, sql};
use serde_json::json;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::time::{Duration, UNIX_EPOCH};

const LINKS: Sql = sql!("select count(*) from login_links where email is not null");
const SESSIONS: Sql = sql!("select count(*) from sessions");
const KEYS: Sql = sql!("select count(*) from idempotency_keys");
const KEY: Sql =
    sql!("insert into idempotency_keys (member_id, key, post_id, made_at) values ($1, $2, $3, $4)");

const VOTES: Sql = sql!("select count(*) from poll_votes");
const VOTE: Sql = sql!("insert into poll_votes (post_id, member_id, choice) values ($1, $2, 0)");
const POLLS: Sql = sql!("select count(*) from posts where has_votes_left is not null");

/// So many votes in a poll.
struct Popular {
    post: i64,
    votes: i64,
}

impl Write for Popular {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for member in 1..=self.votes {
            tx.exec(&VOTE, params![self.post, member]).await?;
        }
        Ok(())
    }
}

/// So many keys of requests that were made at once.
struct Many {
    count: i64,
    made_at: i64,
}

impl Write for Many {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for n in 0..self.count {
            let key = format!("key {n}");
            tx.exec(&KEY, params![n % 7, &key, n, self.made_at]).await?;
        }
        Ok(())
    }
}

async fn post_with_key(browser: &Browser, key: &str) {
    let headers = [
        ("content-type", "application/json"),
        ("idempotency-key", key),
    ];
    let body = json!({"content": "x"}).to_string();
    let answer = browser.call("POST", "/api/posts", &headers, body).await;
    answer.expect(201);
}

/// What is left after a round, of one table.
async fn left(server: &Server, count: &Sql) -> i64 {
    retention::purge_expired(&server.app).await.unwrap();
    server.count(count, &[]).await
}

on_both_engines! {
    /// A day after it expired a link is gone, with the hash of its browser's cookie; it says the
    /// same as before.
    /// proves: purge-links
    async fn old_links_are_deleted(server) {
        let browser = server.visitor();
        let link = server.ask_to_join(&browser, "ada", &server.founder_code()).await;
        server.member("bob").await;
        server.mail_settles().await;
        server.pass(15 * MINUTE + DAY - 1);
        server.ask_to_log_in(&server.visitor(), "bob").await;
        assert_eq!(left(&server, &LINKS).await, 3);
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        server.pass(1);
        assert_eq!(left(&server, &LINKS).await, 1);
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        server.pass(DAY + 15 * MINUTE);
        assert_eq!(left(&server, &LINKS).await, 0);
    }

    /// Unused for 14 days, or 30 days old.
    /// proves: purge-sessions
    async fn ended_sessions_are_deleted(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        server.pass(14 * DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        assert_eq!(left(&server, &SESSIONS).await, 2);
        server.pass(1);
        assert_eq!(left(&server, &SESSIONS).await, 1, "Bob was not there");
        assert_eq!(bob.get("/api/auth/me").await.refusal(401), "unauthorized");
        server.pass(10 * DAY);
        ada.get("/api/auth/me").await.expect(200);
        server.pass(6 * DAY - 1);
        assert_eq!(left(&server, &SESSIONS).await, 1);
        ada.get("/api/auth/me").await.expect(200);
        server.pass(1);
        assert_eq!(left(&server, &SESSIONS).await, 0, "30 days have passed");
    }

    /// After a day the same key is another request, so nothing need be known of it.
    /// proves: purge-keys
    async fn old_keys_are_deleted(server) {
        let ada = server.member("ada").await;
        post_with_key(&ada, "one").await;
        post_with_key(&ada, "two").await;
        server.pass(DAY - 1);
        assert_eq!(left(&server, &KEYS).await, 2);
        server.pass(1);
        post_with_key(&ada, "two").await;
        assert_eq!(left(&server, &KEYS).await, 1, "the second was taken anew");
    }

    /// However many there are, one round deletes all, a few at a time.
    async fn many_are_deleted_in_one_round(server) {
        let made_at = server.app.now();
        server.app.db.write(Many { count: 350, made_at }).await.unwrap();
        server.pass(DAY);
        assert_eq!(left(&server, &KEYS).await, 0);
    }

    /// Without a mail server mails are files; nobody's address lies there for longer than a day. What the
    /// server did not write is not its own to delete.
    /// proves: purge-mails
    async fn old_mails_in_the_folder_are_deleted(server) {
        server.member("ada").await;
        server.pass(MINUTE);
        let body = json!({"email": "ada@example.org"});
        server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        server.mail_settles().await;
        let mail = server.mails().remove(0).0;
        let others = ["notes.eml", "AAAAAAAAAAAAAAAA.txt", "AAAAAAAAAAAAAAA.eml", "ada.part"];
        let half = "AAAAAAAAAAAAAAAA.part";
        for name in others.iter().chain([&half]) {
            fs::write(mail.with_file_name(name), "").unwrap();
        }
        let names = || {
            let files = fs::read_dir(mail.parent().unwrap()).unwrap();
            files.map(|file| file.unwrap().path()).collect::<BTreeSet<_>>()
        };
        let written = UNIX_EPOCH + Duration::from_millis(server.app.now().try_into().unwrap());
        let all = names();
        assert_eq!(all.len(), 6);
        for path in &all {
            File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
        }
        server.pass(DAY - 1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(names(), all);
        server.pass(1);
        retention::purge_expired(&server.app).await.unwrap();
        let left = others.map(|name| mail.with_file_name(name));
        assert_eq!(names(), BTreeSet::from(left));
        fs::remove_dir_all(mail.parent().unwrap()).unwrap();
        retention::purge_expired(&server.app).await.unwrap();
    }

    /// By the program's own clock, again and again.
    /// proves: purge-keys
    async fn the_worker_goes_on(server) {
        let ada = server.member("ada").await;
        let worker = tokio::spawn(retention::run_retention(server.app.clone()));
        for round in 0..2 {
            post_with_key(&ada, "one").await;
            server.pass(DAY - HOUR);
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert_eq!(server.count(&KEYS, &[]).await, 1, "round {round}");
            for waited in 0.. {
                // A round may have begun before this step: then the next one sees it.
                server.pass(HOUR);
                tokio::time::sleep(Duration::from_millis(10)).await;
                if server.count(&KEYS, &[]).await == 0 {
                    break;
                }
                assert!(waited < 500, "round {round}: nothing was deleted");
            }
        }
        worker.abort();
    }

    /// Nobody waits while thousands of votes are deleted: a few go with their poll, the others after it.
    /// proves: purge-votes
    async fn votes_in_a_large_poll_go_little_by_little(server) {
        let ada = server.member("ada").await;
        let mut polls = Vec::new();
        for votes in [3, 20, 950] {
            let poll = ada.create(json!({"content": "?", "pollOptions": ["a", "b"]})).await;
            let post = poll["id"].as_str().unwrap().parse().unwrap();
            server.app.db.write(Popular { post, votes }).await.unwrap();
            polls.push(post);
        }
        for post in &polls {
            ada.delete(&format!("/api/posts/{post}")).await.expect(204);
        }
        assert_eq!(server.count(&VOTES, &[]).await, 930);
        assert_eq!(server.count(&POLLS, &[]).await, 2);
        assert_eq!(left(&server, &VOTES).await, 0);
        assert_eq!(server.count(&POLLS, &[]).await, 0);
    }
}
