//! Retention jobs delete expired rows and nothing else.

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

/// Inserts many votes in a poll.
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

/// Inserts many idempotency keys of the same time.
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
    let headers = [("content-type", "application/json"), ("idempotency-key", key)];
    let body = json!({"content": "x"}).to_string();
    let answer = browser.request("POST", "/api/posts", &headers, body).await;
    answer.expect(201);
}

/// Rows of one table after a retention run.
async fn left(server: &Server, count: &Sql) -> i64 {
    retention::purge_expired(&server.state).await.unwrap();
    server.count(count, &[]).await
}

on_both_engines! {
    /// An expired link is deleted a day later, with the hash of its browser's cookie; the response does not change.
    /// proves: purge-links
    async fn old_links_are_deleted(server) {
        let browser = server.visitor();
        let link = server.request_sign_up_link(&browser, "ada", &server.founder_code()).await;
        server.member("bob").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(15 * MINUTE + DAY - 1);
        server.request_login_link(&server.visitor(), "bob").await;
        assert_eq!(left(&server, &LINKS).await, 3);
        assert_eq!(browser.get(&link).await.error_code(410), "link_expired");
        server.advance_clock(1);
        assert_eq!(left(&server, &LINKS).await, 1);
        assert_eq!(browser.get(&link).await.error_code(410), "link_expired");
        server.advance_clock(DAY + 15 * MINUTE);
        assert_eq!(left(&server, &LINKS).await, 0);
    }

    /// Sessions end after 14 days without use, or after 30 days.
    /// proves: purge-sessions
    async fn ended_sessions_are_deleted(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        server.advance_clock(14 * DAY - 1);
        ada.get("/api/auth/me").await.expect(200);
        assert_eq!(left(&server, &SESSIONS).await, 2);
        server.advance_clock(1);
        assert_eq!(left(&server, &SESSIONS).await, 1, "Bob was not there");
        assert_eq!(bob.get("/api/auth/me").await.error_code(401), "unauthorized");
        server.advance_clock(10 * DAY);
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(6 * DAY - 1);
        assert_eq!(left(&server, &SESSIONS).await, 1);
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(1);
        assert_eq!(left(&server, &SESSIONS).await, 0, "30 days have passed");
    }

    /// After a day a key may be used for another request, so its row is deleted.
    /// proves: purge-keys
    async fn old_keys_are_deleted(server) {
        let ada = server.member("ada").await;
        post_with_key(&ada, "one").await;
        post_with_key(&ada, "two").await;
        server.advance_clock(DAY - 1);
        assert_eq!(left(&server, &KEYS).await, 2);
        server.advance_clock(1);
        post_with_key(&ada, "two").await;
        assert_eq!(left(&server, &KEYS).await, 1, "the key of the second request");
    }

    /// One run deletes all rows in batches, however many there are.
    async fn many_keys_are_deleted_in_one_run(server) {
        let made_at = server.state.now();
        server.state.db.write(Many { count: 350, made_at }).await.unwrap();
        server.advance_clock(DAY);
        assert_eq!(left(&server, &KEYS).await, 0);
    }

    /// Without a mail server mails are files, which are deleted after a day. Files of other programs are kept.
    /// proves: purge-mails
    async fn old_mails_in_the_folder_are_deleted(server) {
        server.member("ada").await;
        server.advance_clock(MINUTE);
        let body = json!({"email": "ada@example.org"});
        server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        server.wait_for_mail_queue().await;
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
        let written = UNIX_EPOCH + Duration::from_millis(server.state.now().try_into().unwrap());
        let all = names();
        assert_eq!(all.len(), 6);
        for path in &all {
            File::options().write(true).open(path).unwrap().set_modified(written).unwrap();
        }
        server.advance_clock(DAY - 1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(names(), all);
        server.advance_clock(1);
        retention::purge_expired(&server.state).await.unwrap();
        let left = others.map(|name| mail.with_file_name(name));
        assert_eq!(names(), BTreeSet::from(left));
        fs::remove_dir_all(mail.parent().unwrap()).unwrap();
        retention::purge_expired(&server.state).await.unwrap();
    }

    /// The worker runs repeatedly, on the server's clock.
    /// proves: purge-keys
    async fn the_worker_runs_repeatedly(server) {
        let ada = server.member("ada").await;
        let worker = tokio::spawn(retention::run_retention(server.state.clone()));
        for round in 0..2 {
            post_with_key(&ada, "one").await;
            server.advance_clock(DAY - HOUR);
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert_eq!(server.count(&KEYS, &[]).await, 1, "round {round}");
            for waited in 0.. {
                // A run may have begun before this step; then the next one deletes the row.
                server.advance_clock(HOUR);
                tokio::time::sleep(Duration::from_millis(10)).await;
                if server.count(&KEYS, &[]).await == 0 {
                    break;
                }
                assert!(waited < 500, "round {round}: nothing was deleted");
            }
        }
        worker.abort();
    }

    /// Votes in large polls are deleted in batches: a few with their poll, the others afterwards.
    /// proves: purge-votes
    async fn votes_in_a_large_poll_are_deleted_in_batches(server) {
        let ada = server.member("ada").await;
        let mut polls = Vec::new();
        for votes in [3, 20, 950] {
            let poll = ada.create(json!({"content": "?", "pollOptions": ["a", "b"]})).await;
            let post = poll["id"].as_str().unwrap().parse().unwrap();
            server.state.db.write(Popular { post, votes }).await.unwrap();
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
