//! Requesting and cancelling account deletion.

use super::account;
use crate::harness::{Browser, Server, id_of, on_both_engines};
use crate::media::{small, upload};
use axum::http::Method;
use kith::features::account::deletion::{self, RequestDeletion};
use kith::features::members::{Role, SanctionKind};
use kith::ops::{consistency, retention};
use kith::platform::clock::{DAY, HOUR, MINUTE, Millis};
use kith::platform::ids::Id;
use kith_db::{Sql, params, sql};
use serde_json::{Value, json};

const PATH: &str = "/api/account/deletion";
const AUTHOR_POSTS: Sql = sql!("select count(*) from author_posts");
const POSTS: Sql = sql!("select count(*) from author_posts where author_id = $1");
const PENDING: Sql = sql!("select count(*) from deletions");
const SHOWN: Sql = sql!("select count(*) from images where uses > 0");

pub(super) async fn request_deletion(browser: &Browser) -> Value {
    let body = json!({"username": browser.name().await});
    browser.post(PATH, body).await.expect(200)
}

/// Requests the deletion of an account as the operator's command does.
pub(super) async fn order_deletion(server: &Server, member: &str, after: Millis) {
    let now = server.state.now();
    let request = RequestDeletion {
        member: Id::parse(member),
        username: None,
        session: None,
        delete_at: now + after,
        job: server.state.id(),
        now,
    };
    server.state.db.write(request).await.unwrap();
}

pub(super) async fn run_deletions(server: &Server) {
    deletion::delete_due(&server.state.account).await.unwrap();
}

async fn assert_counts(server: &Server) {
    let wrong = consistency::find_count_mismatches(&server.state.db).await;
    let wrong = wrong.unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}

on_both_engines! {
    with |options| options.limits = kith::platform::config::Toggle::On;

    /// Deletion requests are limited, so that repeated ones do not fill the mailbox; cancelling
    /// never is.
    /// proves: limit-deletions
    async fn deletion_requests_are_limited(server) {
        let ada = server.member("ada").await;
        for _ in 0..3 {
            request_deletion(&ada).await;
            server.wait_for_mail_queue().await;
            ada.delete(PATH).await.expect(204);
        }
        let body = json!({"username": ada.name().await});
        assert_eq!(ada.post(PATH, body).await.error_code(429), "too_many_requests");
        for _ in 0..4 {
            ada.delete(PATH).await.expect(204);
        }
        server.wait_for_mail_queue().await;
        assert_eq!(server.mails().len(), 3);
    }
}

on_both_engines! {
    /// proves: leave-ask, leave-sessions, leave-mail, leave-keep, call-delete-account, call-keep-account
    async fn deletion_can_be_cancelled_for_seven_days(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let name = ada.name().await;
        for wrong in ["", "ada", "founder"] {
            assert_eq!(ada.post(PATH, json!({"username": wrong})).await.error_code(422), "invalid");
        }
        phone.get("/api/auth/me").await.expect(200);
        let typed = format!(" @{} ", name.to_uppercase());
        let requested = ada.post(PATH, json!({"username": typed})).await.expect(200);
        assert_eq!(requested, json!({"deleteAt": "2026-11-28T09:30:00.000Z"}));
        assert_eq!(account(&ada).await["deletion"], requested);
        assert_eq!(ada.me().await["deletionAt"], requested["deleteAt"]);
        assert_eq!(phone.get("/api/auth/me").await.error_code(401), "session_ended");
        let mail = server.mail_to("ada@example.org").await;
        assert!(mail.contains("On 28 November 2026") && mail.contains("http://localhost:8080/?login=1"), "{mail}");
        server.advance_clock(DAY);
        assert_eq!(request_deletion(&ada).await, requested, "the date does not change");
        server.wait_for_mail_queue().await;
        assert!(server.mails().is_empty(), "one mail is enough");
        let back = server.log_in("ada").await;
        back.write("still here").await;
        for _ in 0..2 {
            back.delete(PATH).await.expect(204);
        }
        assert_eq!(account(&back).await["deletion"], Value::Null);
        server.advance_clock(7 * DAY);
        run_deletions(&server).await;
        assert_eq!(back.me().await["postCount"], 1);
    }

    /// An intruder cannot have the account deleted while it is suspended, and a member cannot
    /// escape a suspension by deletion.
    /// proves: leave-suspended
    async fn a_suspended_members_deletion_waits(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        ada.write("still here").await;
        let (id, name) = (ada.id().await, ada.name().await);
        let suspension = format!("/api/admin/members/{id}/suspension");
        request_deletion(&ada).await;
        server.mail_to("ada@example.org").await;
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        server.advance_clock(10 * DAY);
        run_deletions(&server).await;
        kim.delete(&suspension).await.expect(204);
        let back = server.log_in("ada").await;
        assert_eq!(account(&back).await["deletion"]["deleteAt"], "2026-12-08T09:30:00.000Z");
        assert_eq!(back.me().await["postCount"], 1);
        // An operator's deletion runs despite the suspension.
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        server.advance_clock(HOUR);
        order_deletion(&server, &id, 0).await;
        server.advance_clock(DAY);
        run_deletions(&server).await;
        kim.get(&format!("/api/users/{name}")).await.error_code(404);
        assert_counts(&server).await;
    }

    /// An operator's deletion of one member does not run due deletions of others.
    /// proves: leave-named
    async fn an_operator_deletes_only_the_named_member(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        request_deletion(&ada).await;
        server.advance_clock(7 * DAY);
        let id = bob.id().await;
        order_deletion(&server, &id, 0).await;
        deletion::delete_if_due(&server.state.account, Id::parse(&id)).await.unwrap();
        assert_eq!(server.count(&PENDING, &[]).await, 1);
        ada.get("/api/auth/me").await.expect(200);
        run_deletions(&server).await;
        assert_eq!(server.count(&PENDING, &[]).await, 0);
    }

    /// An operator can order a deletion that waits because of a suspension; its seven days start
    /// again.
    /// proves: leave-suspended
    async fn an_operator_orders_a_waiting_deletion(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        request_deletion(&ada).await;
        kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
        server.advance_clock(8 * DAY);
        run_deletions(&server).await;
        let shown = async || kim.get("/api/admin/members").await.expect(200).to_string();
        assert!(shown().await.contains(&name));
        order_deletion(&server, &id, 7 * DAY).await;
        server.advance_clock(6 * DAY);
        run_deletions(&server).await;
        assert!(shown().await.contains(&name));
        server.advance_clock(2 * DAY);
        run_deletions(&server).await;
        assert!(!shown().await.contains(&name));
    }

    /// A suspension does not delay a deletion that an operator ordered, even after one by the
    /// member.
    /// proves: leave-suspended
    async fn a_suspension_does_not_stop_an_operators_deletion(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        for (member, by_member_first, is_unsuspended) in [("ada", false, false), ("bob", false, true), ("cat", true, true)] {
            let browser = server.member(member).await;
            let (id, name) = (browser.id().await, browser.name().await);
            let suspension = format!("/api/admin/members/{id}/suspension");
            if by_member_first {
                request_deletion(&browser).await;
            }
            order_deletion(&server, &id, 7 * DAY).await;
            server.advance_clock(DAY);
            mia.json(Method::PUT, &suspension, json!({})).await.expect(204);
            server.advance_clock(5 * DAY);
            if is_unsuspended {
                mia.delete(&suspension).await.expect(204);
            }
            run_deletions(&server).await;
            let shown = async || mia.get("/api/admin/members").await.expect(200).to_string();
            assert!(shown().await.contains(&name), "{member}: not before its day");
            server.advance_clock(DAY);
            run_deletions(&server).await;
            assert!(!shown().await.contains(&name), "{member}");
        }
    }

    /// A member cannot be unsuspended during the erasure, which would show a partly erased account.
    /// proves: leave-out
    async fn a_member_being_erased_cannot_be_unsuspended(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        let suspension = format!("/api/admin/members/{id}/suspension");
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        order_deletion(&server, &id, 0).await;
        assert_eq!(kim.delete(&suspension).await.error_code(409), "deletion_begun");
        let error = server.apply_sanction(&name, SanctionKind::Unsuspend).await.unwrap_err();
        assert_eq!(error.message(), "This account is being deleted, so its suspension can't be lifted.");
        let ours = kim.get("/api/admin/members").await.expect(200)[1].clone();
        assert!(ours["id"] == json!(id) && ours["suspendedAt"].is_string(), "{ours}");
        run_deletions(&server).await;
        assert_eq!(kim.delete(&suspension).await.error_code(404), "user_not_found");
    }

    /// An operator's deletion of a suspended member takes seven days, too.
    /// proves: leave-suspended
    async fn an_operator_deletes_a_suspended_member(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
        server.advance_clock(HOUR);
        order_deletion(&server, &id, 7 * DAY).await;
        server.advance_clock(8 * DAY);
        run_deletions(&server).await;
        let shown = kim.get("/api/admin/members").await.expect(200).to_string();
        assert!(!shown.contains(&name), "{shown}");
    }

    /// The account is erased exactly at its time, and for good.
    /// proves: leave-done, leave-threads, counters-exact
    async fn the_account_is_erased_and_threads_stay_whole(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let theirs = bob.write("Bob's").await;
        let mine = ada.write("Ada's").await;
        let reply = bob.reply(&mine, "to Ada").await;
        let poll = id_of(&bob.create(json!({"content": "tea?", "pollOptions": ["yes", "no"]})).await);
        for voter in [&ada, &bob] {
            voter.post(&format!("/api/posts/{poll}/vote"), json!({"option": "no"})).await.expect(200);
        }
        ada.post_empty(&format!("/api/posts/{theirs}/like")).await.expect(200);
        ada.reply(&theirs, "to Bob").await;
        ada.repost(&theirs).await;
        // A liked and reposted post may be deleted before the account is.
        let gone = bob.write("soon gone").await;
        ada.post_empty(&format!("/api/posts/{gone}/like")).await.expect(200);
        ada.repost(&gone).await;
        bob.delete(&format!("/api/posts/{gone}")).await.expect(204);
        ada.follow(&bob).await;
        bob.follow(&ada).await;
        let (name, id) = (ada.name().await, ada.id().await);
        request_deletion(&ada).await;
        server.mail_to("ada@example.org").await;
        server.advance_clock(7 * DAY - 1);
        run_deletions(&server).await;
        ada.get("/api/auth/me").await.expect(200);
        server.advance_clock(1);
        run_deletions(&server).await;
        assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
        assert_eq!(bob.get(&format!("/api/users/{name}")).await.error_code(404), "user_not_found");
        let founder = server.founder().await;
        let suspension = format!("/api/admin/members/{id}/suspension");
        assert_eq!(founder.delete(&suspension).await.error_code(404), "user_not_found");
        let members = founder.get("/api/admin/members").await.expect(200);
        assert!(members.as_array().unwrap().iter().all(|member| member["id"] != json!(id)));
        let thread = bob.get(&format!("/api/posts/{reply}/thread")).await.expect(200);
        let tombstone = &thread["ancestors"][0];
        assert_eq!((&tombstone["isDeleted"], &tombstone["content"]), (&json!(true), &json!("")));
        assert_eq!(tombstone["author"]["displayName"], "Deleted member");
        assert_eq!(thread["post"]["content"], "to Ada");
        let post = bob.get_post(&theirs).await;
        assert_eq!([&post["likeCount"], &post["replyCount"], &post["repostCount"]], [0, 0, 0]);
        assert_eq!(bob.get_post(&poll).await["pollTallies"], json!({"yes": 0, "no": 1}));
        let me = bob.me().await;
        assert_eq!([&me["followerCount"], &me["followingCount"]], [0, 0]);
        assert_eq!(bob.get("/api/notifications").await.expect(200), json!([]));
        assert_counts(&server).await;
        // The email address can sign up again.
        server.advance_clock(MINUTE);
        let again = server.member("ada").await;
        assert_eq!(again.me().await["postCount"], 0);
    }

    /// Erasure runs in many small transactions and resumes after a crash.
    /// proves: leave-steps
    async fn a_killed_worker_is_resumed(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        for n in 0..70 {
            let post = ada.write(&format!("post {n} #many")).await;
            bob.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        request_deletion(&ada).await;
        server.advance_clock(7 * DAY);
        let app = server.state.clone();
        let worker = tokio::spawn(async move { deletion::delete_due(&app.account).await });
        while server.count(&AUTHOR_POSTS, &[]).await == 70 {
            tokio::task::yield_now().await;
        }
        worker.abort();
        let _ = worker.await;
        server.advance_clock(2 * MINUTE);
        run_deletions(&server).await;
        assert_eq!(server.count(&AUTHOR_POSTS, &[]).await, 0);
        assert_eq!(bob.contents("/api/hashtags/many/posts").await, Vec::<String>::new());
        assert_counts(&server).await;
    }

    /// A cancellation at the deletion time either keeps everything or nothing.
    /// proves: leave-race
    async fn concurrent_cancellation_and_erasure_agree(server) {
        for round in 0..4 {
            let member = format!("ada{round}");
            let ada = server.member(&member).await;
            ada.write("mine").await;
            let id = ada.id().await.parse::<i64>().unwrap();
            request_deletion(&ada).await;
            server.mail_to(&format!("{member}@example.org")).await;
            server.advance_clock(7 * DAY);
            let (app, tab) = (server.state.clone(), ada.tab());
            let worker = tokio::spawn(async move { deletion::delete_due(&app.account).await });
            let kept = tab.delete(PATH).await.status;
            worker.await.unwrap().unwrap();
            run_deletions(&server).await;
            let posts = server.count(&POSTS, params![id]).await;
            let here = ada.get("/api/auth/me").await.status == 200;
            assert_eq!(posts, i64::from(here), "round {round}: {kept}");
            assert_eq!(server.count(&PENDING, &[]).await, 0);
        }
    }

    /// The last admin cannot leave.
    /// proves: leave-last-admin
    async fn the_last_admin_cannot_leave(server) {
        let (founder, ada) = (server.founder().await, server.member("ada").await);
        let body = json!({"username": "founder"});
        assert_eq!(founder.post(PATH, body).await.error_code(409), "last_admin");
        server.apply_sanction(&ada.name().await, SanctionKind::Role(Role::Admin)).await.unwrap();
        let name = ada.name().await;
        let request_status = |browser: &Browser, name: &str| {
            let (tab, body) = (browser.tab(), json!({"username": name}));
            async move { tab.post(PATH, body).await.status.as_u16() }
        };
        let (one, two) = tokio::join!(request_status(&founder, "founder"), request_status(&ada, &name));
        let mut statuses = [one, two];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "one of two concurrent requests fails");
    }

    /// A deleted member's username stays reserved, so that no other member can impersonate them.
    /// proves: leave-name
    async fn a_username_is_reserved_for_thirty_days(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.json(axum::http::Method::PUT, "/api/users/username", json!({"username": "ada"})).await.expect(200);
        request_deletion(&ada).await;
        server.advance_clock(7 * DAY);
        run_deletions(&server).await;
        let is_free = async |browser: &Browser| {
            retention::purge_expired(&server.state).await.unwrap();
            browser.get("/api/users/username-available?u=ada").await.expect(200)["available"] == true
        };
        assert!(!is_free(&bob).await);
        let choice = json!({"username": "ada"});
        let error = bob.json(axum::http::Method::PUT, "/api/users/username", choice.clone()).await;
        assert_eq!(error.error_code(409), "username_taken");
        let post = bob.create(json!({"content": "hello @ada"})).await;
        assert_eq!(post["mentions"], json!([]));
        server.advance_clock(30 * DAY);
        let bob = server.log_in("bob").await;
        assert!(is_free(&bob).await);
        bob.json(axum::http::Method::PUT, "/api/users/username", choice).await.expect(200);
    }

    /// Unused images are swept as after any deletion.
    /// proves: leave-images
    async fn images_are_erased(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        ada.create(json!({"content": "x", "imageUrls": [url]})).await;
        let picture = json!({"imageURL": upload(&ada, small(2)).await});
        ada.json(axum::http::Method::PUT, "/api/profile-images", picture).await.expect(200);
        // A report about an erased member no longer keeps their images.
        let report = json!({"userId": ada.id().await, "reason": "spam"});
        server.member("bob").await.post("/api/reports", report).await.expect(200);
        ada.post_empty("/api/account/export").await.expect(202);
        kith::features::account::export::process_exports(&server.state.account).await.unwrap();
        request_deletion(&ada).await;
        server.advance_clock(7 * DAY - MINUTE);
        // A second export, since the first has expired by then.
        ada.post_empty("/api/account/export").await.expect(202);
        kith::features::account::export::process_exports(&server.state.account).await.unwrap();
        server.advance_clock(MINUTE);
        run_deletions(&server).await;
        assert_eq!(server.count(&SHOWN, &[]).await, 0);
        let stored = server.state.storage.list(None, 9).await.unwrap();
        assert!(stored.iter().all(|(key, _)| !key.starts_with("exports/")), "{stored:?}");
        for _ in 0..2 {
            server.advance_clock(8 * DAY);
            kith::features::media::sweep(&server.state.media).await.unwrap();
        }
        assert_eq!(server.state.storage.list(None, 9).await.unwrap(), []);
    }
}
