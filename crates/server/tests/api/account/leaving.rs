//! Having one's account deleted, and keeping it after all.

use super::account;
use crate::harness::{Browser, Server, id_of, on_both_engines};
use crate::media::{small, upload};
use axum::http::Method;
use kith::features::account::deletion;
use kith::features::account::deletion::RequestDeletion;
use kith::features::members::{Role, SanctionKind};
use kith::ops::{consistency, retention};
use kith::platform::clock::{DAY, HOUR, MINUTE, Millis};
use kith::platform::ids::Id;
use kith_db::{Sql, params, sql};
use serde_json::{Value, json};

const PATH: &str = "/api/account/deletion";
const LEFT: Sql = sql!("select count(*) from author_posts");
const POSTS: Sql = sql!("select count(*) from author_posts where author_id = $1");
const PENDING: Sql = sql!("select count(*) from deletions");
const SHOWN: Sql = sql!("select count(*) from images where uses > 0");

pub(super) async fn leave(browser: &Browser) -> Value {
    let body = json!({"username": browser.name().await});
    browser.post(PATH, body).await.expect(200)
}

/// Asks for the deletion of an account as an operator does.
pub(super) async fn order(server: &Server, member: &str, after: Millis) {
    let now = server.app.now();
    let leave = RequestDeletion {
        member: Id::parse(member),
        username: None,
        session: None,
        delete_at: now + after,
        job: server.app.id(),
        now,
    };
    server.app.db.write(leave).await.unwrap();
}

pub(super) async fn work(server: &Server) {
    deletion::work(&server.app.account).await.unwrap();
}

async fn assert_counts(server: &Server) {
    let wrong = consistency::find_count_mismatches(&server.app.db)
        .await
        .unwrap();
    assert!(wrong.is_empty(), "{wrong:?}");
}

on_both_engines! {
    with |options| options.limits = kith::platform::config::Switch::On;

    /// Who asks and thinks better of it all day fills no mailbox; thinking better of it is never refused.
    /// proves: limit-deletions
    async fn deletions_are_asked_for_a_few_times_only(server) {
        let ada = server.member("ada").await;
        for _ in 0..3 {
            leave(&ada).await;
            server.mail_settles().await;
            ada.delete(PATH).await.expect(204);
        }
        let body = json!({"username": ada.name().await});
        assert_eq!(ada.post(PATH, body).await.refusal(429), "too_many_requests");
        for _ in 0..4 {
            ada.delete(PATH).await.expect(204);
        }
        server.mail_settles().await;
        assert_eq!(server.mails().len(), 3);
    }
}

on_both_engines! {
    /// proves: leave-ask, leave-sessions, leave-mail, leave-keep, call-delete-account, call-keep-account
    async fn who_leaves_has_seven_days(server) {
        let ada = server.member("ada").await;
        let phone = server.log_in_again(&ada, "").await;
        let name = ada.name().await;
        for wrong in ["", "ada", "founder"] {
            assert_eq!(ada.post(PATH, json!({"username": wrong})).await.refusal(422), "invalid");
        }
        phone.get("/api/auth/me").await.expect(200);
        let typed = format!(" @{} ", name.to_uppercase());
        let asked = ada.post(PATH, json!({"username": typed})).await.expect(200);
        assert_eq!(asked, json!({"deleteAt": "2026-11-28T09:30:00.000Z"}));
        assert_eq!(account(&ada).await["deletion"], asked);
        assert_eq!(ada.me().await["deletionAt"], asked["deleteAt"]);
        assert_eq!(phone.get("/api/auth/me").await.refusal(401), "session_ended");
        let mail = server.mail_to("ada@example.org").await;
        assert!(mail.contains("On 28 November 2026") && mail.contains("http://localhost:8080/?login=1"), "{mail}");
        server.pass(DAY);
        assert_eq!(leave(&ada).await, asked, "the day stays");
        server.mail_settles().await;
        assert!(server.mails().is_empty(), "one mail is enough");
        let back = server.log_in("ada").await;
        back.write("still here").await;
        for _ in 0..2 {
            back.delete(PATH).await.expect(204);
        }
        assert_eq!(account(&back).await["deletion"], Value::Null);
        server.pass(7 * DAY);
        work(&server).await;
        assert_eq!(back.me().await["postCount"], 1);
    }

    /// Whoever took an account over cannot have it deleted while its owner is kept out with them, and
    /// nobody escapes a suspension by leaving.
    /// proves: leave-suspended
    async fn what_a_suspended_member_asked_for_waits(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        ada.write("still here").await;
        let (id, name) = (ada.id().await, ada.name().await);
        let suspension = format!("/api/admin/members/{id}/suspension");
        leave(&ada).await;
        server.mail_to("ada@example.org").await;
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        server.pass(10 * DAY);
        work(&server).await;
        kim.delete(&suspension).await.expect(204);
        let back = server.log_in("ada").await;
        assert_eq!(account(&back).await["deletion"]["deleteAt"], "2026-12-08T09:30:00.000Z");
        assert_eq!(back.me().await["postCount"], 1);
        // An operator's word is done all the same.
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        server.pass(HOUR);
        order(&server, &id, 0).await;
        server.pass(DAY);
        work(&server).await;
        kim.get(&format!("/api/users/{name}")).await.refusal(404);
        assert_counts(&server).await;
    }

    /// Who deletes one member has not ordered to delete the others whose day has come.
    /// proves: leave-named
    async fn an_order_deletes_the_one_it_names(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        leave(&ada).await;
        server.pass(7 * DAY);
        let id = bob.id().await;
        order(&server, &id, 0).await;
        deletion::work_on(&server.app.account, Id::parse(&id)).await.unwrap();
        assert_eq!(server.count(&PENDING, &[]).await, 1);
        ada.get("/api/auth/me").await.expect(200);
        work(&server).await;
        assert_eq!(server.count(&PENDING, &[]).await, 0);
    }

    /// What waits since a suspension is an operator's to order, with its seven days.
    /// proves: leave-suspended
    async fn an_operator_orders_what_waits(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        leave(&ada).await;
        kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
        server.pass(8 * DAY);
        work(&server).await;
        let shown = async || kim.get("/api/admin/members").await.expect(200).to_string();
        assert!(shown().await.contains(&name));
        order(&server, &id, 7 * DAY).await;
        server.pass(6 * DAY);
        work(&server).await;
        assert!(shown().await.contains(&name));
        server.pass(2 * DAY);
        work(&server).await;
        assert!(!shown().await.contains(&name));
    }

    /// A moderator puts off nothing that an operator asked for, whether the member did so first or not.
    /// proves: leave-suspended
    async fn a_suspension_stops_no_order(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        for (member, has_asked, is_let_in) in [("ada", false, false), ("bob", false, true), ("cat", true, true)] {
            let browser = server.member(member).await;
            let (id, name) = (browser.id().await, browser.name().await);
            let suspension = format!("/api/admin/members/{id}/suspension");
            if has_asked {
                leave(&browser).await;
            }
            order(&server, &id, 7 * DAY).await;
            server.pass(DAY);
            mia.json(Method::PUT, &suspension, json!({})).await.expect(204);
            server.pass(5 * DAY);
            if is_let_in {
                mia.delete(&suspension).await.expect(204);
            }
            work(&server).await;
            let shown = async || mia.get("/api/admin/members").await.expect(200).to_string();
            assert!(shown().await.contains(&name), "{member}: not before its day");
            server.pass(DAY);
            work(&server).await;
            assert!(!shown().await.contains(&name), "{member}");
        }
    }

    /// Whoever is let in while the account goes would be seen by everybody, with what is left of it.
    /// proves: leave-out
    async fn nobody_is_let_in_whose_account_goes(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        let suspension = format!("/api/admin/members/{id}/suspension");
        kim.json(Method::PUT, &suspension, json!({})).await.expect(204);
        order(&server, &id, 0).await;
        assert_eq!(kim.delete(&suspension).await.refusal(409), "deletion_begun");
        let refused = server.operate(&name, SanctionKind::Unsuspend).await.unwrap_err();
        assert_eq!(refused.message(), "This account is being deleted, so its suspension can't be lifted.");
        let ours = kim.get("/api/admin/members").await.expect(200)[1].clone();
        assert!(ours["id"] == json!(id) && ours["suspendedAt"].is_string(), "{ours}");
        work(&server).await;
        assert_eq!(kim.delete(&suspension).await.refusal(404), "user_not_found");
    }

    /// An operator gives a suspended member seven days, too.
    /// proves: leave-suspended
    async fn an_operator_has_a_suspended_member_deleted(server) {
        let (ada, kim) = (server.member("ada").await, server.admin("kim").await);
        let (id, name) = (ada.id().await, ada.name().await);
        kim.json(Method::PUT, &format!("/api/admin/members/{id}/suspension"), json!({})).await.expect(204);
        server.pass(HOUR);
        order(&server, &id, 7 * DAY).await;
        server.pass(8 * DAY);
        work(&server).await;
        let shown = kim.get("/api/admin/members").await.expect(200).to_string();
        assert!(!shown.contains(&name), "{shown}");
    }

    /// Not a moment before its time, and then for good.
    /// proves: leave-done, leave-threads, counters-exact
    async fn the_account_goes_and_threads_stay_whole(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let theirs = bob.write("Bob's").await;
        let mine = ada.write("Ada's").await;
        let answer = bob.reply(&mine, "to Ada").await;
        let poll = id_of(&bob.create(json!({"content": "tea?", "pollOptions": ["yes", "no"]})).await);
        for voter in [&ada, &bob] {
            voter.post(&format!("/api/posts/{poll}/vote"), json!({"option": "no"})).await.expect(200);
        }
        ada.poke(&format!("/api/posts/{theirs}/like")).await.expect(200);
        ada.reply(&theirs, "to Bob").await;
        ada.repost(&theirs).await;
        // What is liked and reposted may be gone before its friend is.
        let gone = bob.write("soon gone").await;
        ada.poke(&format!("/api/posts/{gone}/like")).await.expect(200);
        ada.repost(&gone).await;
        bob.delete(&format!("/api/posts/{gone}")).await.expect(204);
        ada.follow(&bob).await;
        bob.follow(&ada).await;
        let (name, id) = (ada.name().await, ada.id().await);
        leave(&ada).await;
        server.mail_to("ada@example.org").await;
        server.pass(7 * DAY - 1);
        work(&server).await;
        ada.get("/api/auth/me").await.expect(200);
        server.pass(1);
        work(&server).await;
        assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
        assert_eq!(bob.get(&format!("/api/users/{name}")).await.refusal(404), "user_not_found");
        let founder = server.founder().await;
        let suspension = format!("/api/admin/members/{id}/suspension");
        assert_eq!(founder.delete(&suspension).await.refusal(404), "user_not_found");
        let members = founder.get("/api/admin/members").await.expect(200);
        assert!(members.as_array().unwrap().iter().all(|member| member["id"] != json!(id)));
        let thread = bob.get(&format!("/api/posts/{answer}/thread")).await.expect(200);
        let tombstone = &thread["ancestors"][0];
        assert_eq!((&tombstone["isDeleted"], &tombstone["content"]), (&json!(true), &json!("")));
        assert_eq!(tombstone["author"]["displayName"], "Deleted member");
        assert_eq!(thread["post"]["content"], "to Ada");
        let post = bob.see(&theirs).await;
        assert_eq!([&post["likeCount"], &post["replyCount"], &post["repostCount"]], [0, 0, 0]);
        assert_eq!(bob.see(&poll).await["pollTallies"], json!({"yes": 0, "no": 1}));
        let me = bob.me().await;
        assert_eq!([&me["followerCount"], &me["followingCount"]], [0, 0]);
        assert_eq!(bob.get("/api/notifications").await.expect(200), json!([]));
        assert_counts(&server).await;
        // The mailbox can join again.
        server.pass(MINUTE);
        let again = server.member("ada").await;
        assert_eq!(again.me().await["postCount"], 0);
    }

    /// Many posts are many small transactions; one that broke off goes on.
    /// proves: leave-steps
    async fn a_killed_worker_is_continued(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        for n in 0..70 {
            let post = ada.write(&format!("post {n} #many")).await;
            bob.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        leave(&ada).await;
        server.pass(7 * DAY);
        let app = server.app.clone();
        let worker = tokio::spawn(async move { deletion::work(&app.account).await });
        while server.count(&LEFT, &[]).await == 70 {
            tokio::task::yield_now().await;
        }
        worker.abort();
        let _ = worker.await;
        server.pass(2 * MINUTE);
        work(&server).await;
        assert_eq!(server.count(&LEFT, &[]).await, 0);
        assert_eq!(bob.contents("/api/hashtags/many/posts").await, Vec::<String>::new());
        assert_counts(&server).await;
    }

    /// Either all of it is kept or all of it goes.
    /// proves: leave-race
    async fn keeping_and_deleting_at_once_agree(server) {
        for round in 0..4 {
            let member = format!("ada{round}");
            let ada = server.member(&member).await;
            ada.write("mine").await;
            let id = ada.id().await.parse::<i64>().unwrap();
            leave(&ada).await;
            server.mail_to(&format!("{member}@example.org")).await;
            server.pass(7 * DAY);
            let (app, tab) = (server.app.clone(), ada.tab());
            let worker = tokio::spawn(async move { deletion::work(&app.account).await });
            let kept = tab.delete(PATH).await.status;
            worker.await.unwrap().unwrap();
            work(&server).await;
            let posts = server.count(&POSTS, params![id]).await;
            let here = ada.get("/api/auth/me").await.status == 200;
            assert_eq!(posts, i64::from(here), "round {round}: {kept}");
            assert_eq!(server.count(&PENDING, &[]).await, 0);
        }
    }

    /// Somebody must stay who can run the network.
    /// proves: leave-last-admin
    async fn the_last_admin_stays(server) {
        let (founder, ada) = (server.founder().await, server.member("ada").await);
        let body = json!({"username": "founder"});
        assert_eq!(founder.post(PATH, body).await.refusal(409), "last_admin");
        server.operate(&ada.name().await, SanctionKind::Role(Role::Admin)).await.unwrap();
        let name = ada.name().await;
        let leaves = |browser: &Browser, name: &str| {
            let (tab, body) = (browser.tab(), json!({"username": name}));
            async move { tab.post(PATH, body).await.status.as_u16() }
        };
        let (one, two) = tokio::join!(leaves(&founder, "founder"), leaves(&ada, &name));
        let mut statuses = [one, two];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "of two at once one stays");
    }

    /// Nobody can pose as somebody who left.
    /// proves: leave-name
    async fn a_name_is_kept_for_thirty_days(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        ada.json(axum::http::Method::PUT, "/api/users/username", json!({"username": "ada"})).await.expect(200);
        leave(&ada).await;
        server.pass(7 * DAY);
        work(&server).await;
        let is_free = async |browser: &Browser| {
            retention::purge_expired(&server.app).await.unwrap();
            browser.get("/api/users/username-available?u=ada").await.expect(200)["available"] == true
        };
        assert!(!is_free(&bob).await);
        let choice = json!({"username": "ada"});
        let refused = bob.json(axum::http::Method::PUT, "/api/users/username", choice.clone()).await;
        assert_eq!(refused.refusal(409), "username_taken");
        let post = bob.create(json!({"content": "hello @ada"})).await;
        assert_eq!(post["mentions"], json!([]));
        server.pass(30 * DAY);
        let bob = server.log_in("bob").await;
        assert!(is_free(&bob).await);
        bob.json(axum::http::Method::PUT, "/api/users/username", choice).await.expect(200);
    }

    /// What nothing shows any more is swept away as after any deletion.
    /// proves: leave-images
    async fn images_are_let_go(server) {
        let ada = server.member("ada").await;
        let url = upload(&ada, small(1)).await;
        ada.create(json!({"content": "x", "imageUrls": [url]})).await;
        let picture = json!({"imageURL": upload(&ada, small(2)).await});
        ada.json(axum::http::Method::PUT, "/api/profile-images", picture).await.expect(200);
        // What was reported is evidence about nobody then.
        let report = json!({"userId": ada.id().await, "reason": "spam"});
        server.member("bob").await.post("/api/reports", report).await.expect(200);
        ada.poke("/api/account/export").await.expect(202);
        kith::features::account::export::work(&server.app.account).await.unwrap();
        leave(&ada).await;
        server.pass(7 * DAY - MINUTE);
        // A fresh one: the first has expired by then.
        ada.poke("/api/account/export").await.expect(202);
        kith::features::account::export::work(&server.app.account).await.unwrap();
        server.pass(MINUTE);
        work(&server).await;
        assert_eq!(server.count(&SHOWN, &[]).await, 0);
        let stored = server.app.storage.list(None, 9).await.unwrap();
        assert!(stored.iter().all(|(key, _)| !key.starts_with("exports/")), "{stored:?}");
        for _ in 0..2 {
            server.pass(8 * DAY);
            kith::features::media::sweep(&server.app.media).await.unwrap();
        }
        assert_eq!(server.app.storage.list(None, 9).await.unwrap(), []);
    }
}
