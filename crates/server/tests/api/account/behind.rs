//! Calls that were let in before their member was gone, and write after that.

use super::leaving::{order, work};
use crate::harness::{Answer, Browser, Server, id_of, on_both_engines};
use axum::http::Method;
use futures_util::poll;
use kith_db::{Sql, Tx, params, sql};
use parking_lot::Mutex;
use serde_json::json;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::task::Poll;
use tokio::sync::Notify;

const HOLD: Sql = sql!("update members set search_key = search_key where id = $1");
static HIDE: Sql = sql!("update members set suspended_at = 1 where id = $1");
static END: Sql = sql!("delete from sessions where member_id = $1");
/// A call of the one that is held waits for the database. On SQLite it does as soon as it waits at all.
pub(super) const WAITING: Sql = Sql {
    sqlite: "select 1",
    postgres: "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
};
const NAMES: Sql = sql!("select count(*) from usernames where member_id = $1");
const CHANGES: Sql = sql!("select count(*) from email_changes where member_id = $1");
pub(super) const DELETIONS: Sql = sql!("select count(*) from deletions where member_id = $1");
const EXPORTS: Sql = sql!("select count(*) from exports where member_id = $1");

static UNLIST: Sql = sql!("delete from search_terms where member_id = $1");
/// What others left with a member.
const OF_OTHERS: Sql = sql!(
    "select (select count(*) from follows where followee_id = $1)
       + (select count(*) from blocks where blocked_id = $1)
       + (select count(*) from notifications where member_id = $1)"
);
/// What a member leaves in tables that are looked through when they go, and nowhere after that.
const LEFT: Sql = sql!(
    "select (select count(*) from follows where follower_id = $1)
       + (select count(*) from likes where member_id = $1)
       + (select count(*) from reposts where member_id = $1)
       + (select count(*) from posts where author_id = $1)
       + (select count(*) from poll_votes where member_id = $1)
       + (select count(*) from notifications where actor_id = $1)
       + (select count(*) from blocks where member_id = $1)
       + (select count(*) from mutes where member_id = $1)
       + (select count(*) from reports where reporter_id = $1)
       + (select count(*) from uploads where owner_id = $1)
       + (select count(*) from search_terms where member_id = $1)"
);

/// Takes a member out of sight as leaving and suspending do, or ends their sessions, as slowly as a test wants it.
struct Hide {
    member: i64,
    how: &'static Sql,
    began: Arc<Notify>,
    go: Mutex<Receiver<()>>,
}

impl kith_db::Write for Hide {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&HOLD, params![self.member]).await?;
        self.began.notify_one();
        // When the other end is gone the test has failed already.
        self.go.lock().recv().ok();
        tx.exec(self.how, params![self.member]).await.map(drop)
    }
}

/// Takes a member out of the search.
struct Unlist(i64);

impl kith_db::Write for Unlist {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&UNLIST, params![self.0]).await.map(drop)
    }
}

/// Takes a member out of sight and leaves their sessions.
struct Gone(i64);

impl kith_db::Write for Gone {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&HIDE, params![self.0]).await.map(drop)
    }
}

/// What a call answers that was let in before its member was hidden, and writes behind that.
pub(super) async fn behind(
    server: &Server,
    member: i64,
    call: impl Future<Output = Answer>,
) -> Answer {
    after(server, member, &HIDE, call).await
}

/// The same after something else that happens to the member.
async fn after(
    server: &Server,
    member: i64,
    how: &'static Sql,
    call: impl Future<Output = Answer>,
) -> Answer {
    let began = Arc::new(Notify::new());
    let (release, go) = channel();
    let app = server.app.clone();
    let hide = Hide {
        member,
        how,
        began: began.clone(),
        go: Mutex::new(go),
    };
    let hidden = tokio::spawn(async move { app.db.write(hide).await });
    began.notified().await;
    let mut call = pin!(call);
    loop {
        let Poll::Pending = poll!(&mut call) else {
            panic!("the call did not wait");
        };
        if server.count(&WAITING, &[]).await > 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();
    hidden.await.unwrap().unwrap();
    call.await
}

pub(super) async fn one(server: &Server, name: &str) -> (Browser, i64) {
    let browser = server.member(name).await;
    let id = browser.id().await.parse().unwrap();
    (browser, id)
}

on_both_engines! {
    /// Nothing is written for a member who went meanwhile: it would outlive them.
    /// proves: leave-behind
    async fn who_is_gone_writes_nothing_more(server) {
        let (ada, id) = one(&server, "ada").await;
        let names = server.count(&NAMES, params![id]).await;
        let choice = json!({"username": "ada"});
        let chosen = ada.json(Method::PUT, "/api/users/username", choice);
        assert_eq!(behind(&server, id, chosen).await.refusal(401), "unauthorized");
        assert_eq!(server.count(&NAMES, params![id]).await, names);

        let (bob, id) = one(&server, "bob").await;
        let asked = bob.post("/api/account/email", json!({"email": "bob@example.net"}));
        assert_eq!(behind(&server, id, asked).await.refusal(401), "unauthorized");
        assert_eq!(server.count(&CHANGES, params![id]).await, 0);

        let (eve, id) = one(&server, "eve").await;
        let asked = eve.poke("/api/account/export");
        assert_eq!(behind(&server, id, asked).await.refusal(401), "unauthorized");
        assert_eq!(server.count(&EXPORTS, params![id]).await, 0);
    }

    /// A thief's call that waited while its session was ended comes to nothing.
    /// proves: address-end-all
    async fn an_ended_session_asks_for_no_other_address(server) {
        let (ada, id) = one(&server, "ada").await;
        let asked = ada.post("/api/account/email", json!({"email": "thief@example.net"}));
        assert_eq!(after(&server, id, &END, asked).await.refusal(401), "unauthorized");
        assert_eq!(server.count(&CHANGES, params![id]).await, 0);
    }

    /// Nor does it have the account deleted, and who was suspended meanwhile does not either.
    /// proves: leave-waited
    async fn an_ended_session_deletes_no_account(server) {
        for (name, how) in [("ada", &END), ("bob", &HIDE)] {
            let (member, id) = one(&server, name).await;
            let asked = member.post("/api/account/deletion", json!({"username": member.name().await}));
            assert_eq!(after(&server, id, how, asked).await.refusal(401), "unauthorized");
            assert_eq!(server.count(&DELETIONS, params![id]).await, 0);
        }
    }

    /// A session that outlived its member is none, also for calls that ask for both at once.
    async fn who_is_gone_is_answered_nothing(server) {
        let (ada, id) = one(&server, "ada").await;
        let bob = server.member("bob").await;
        let (name, bob_id) = (bob.name().await, bob.id().await);
        let post = bob.write("Hello.").await;
        server.app.db.write(Gone(id)).await.unwrap();
        for path in [
            "/api/posts/feed".to_owned(),
            "/api/posts/for-you".into(),
            "/api/notifications".into(),
            format!("/api/users/{name}/posts"),
            format!("/api/posts/{post}/thread"),
            "/api/users/nobody_at_all/posts".into(),
            "/api/posts/1/thread".into(),
        ] {
            assert_eq!(ada.get(&path).await.refusal(401), "unauthorized", "{path}");
        }
        for (path, body) in [
            ("/api/posts", json!({"content": "I am here."})),
            ("/api/posts", json!({"content": format!("@{name} I am here.")})),
            ("/api/posts", json!({"content": "I am here.", "replyToId": post})),
            ("/api/posts", json!({"content": "I am here.", "replyToId": "1"})),
            ("/api/posts", json!({"repostOfId": post})),
            ("/api/follows", json!({"followingId": bob_id})),
            ("/api/follows", json!({"followingId": "1"})),
        ] {
            let answer = ada.post(path, body.clone()).await;
            assert_eq!(answer.refusal(401), "unauthorized", "{body}");
        }
        for liked in [&*post, "1"] {
            let answer = ada.poke(&format!("/api/posts/{liked}/like")).await;
            assert_eq!(answer.refusal(401), "unauthorized");
        }
        let seen = bob.see(&post).await;
        for count in ["likeCount", "replyCount", "repostCount"] {
            assert_eq!(seen[count], 0, "{count}");
        }
        assert_eq!(bob.get("/api/notifications").await.expect(200), json!([]));
    }
}

/// On SQLite a call knows at its start that its member is here, and may know it from a moment ago: an operator's
/// command deletes in a process of its own. So each write that leaves rows asks once more.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_another_process_deleted_gets_no_more_rows() {
    let server = Server::sqlite().await;
    let (bob, bob_id) = one(&server, "bob").await;
    let name = bob.name().await;
    let post = bob.write("Hello.").await;
    let poll = json!({"content": "Tea?", "pollOptions": ["yes", "no"], "pollDurationMinutes": 60});
    let poll = id_of(&bob.create(poll).await);
    let (like, vote) = (
        format!("/api/posts/{post}/like"),
        format!("/api/posts/{poll}/vote"),
    );
    let (block, mute) = (
        format!("/api/blocks/{bob_id}"),
        format!("/api/mutes/{bob_id}"),
    );
    let (post_call, put) = (Method::POST, Method::PUT);
    for (n, (method, path, body)) in [
        (
            &post_call,
            "/api/follows",
            json!({"followingId": bob_id.to_string()}),
        ),
        (&post_call, &like, json!({})),
        (&post_call, &vote, json!({"option": "yes"})),
        (&post_call, "/api/posts", json!({"repostOfId": post})),
        (&post_call, "/api/posts", json!({"content": "I am here."})),
        (
            &post_call,
            "/api/posts",
            json!({"content": "I am here.", "replyToId": post}),
        ),
        (
            &post_call,
            "/api/posts",
            json!({"content": format!("@{name} I am here.")}),
        ),
        (&post_call, &block, json!({})),
        (&post_call, &mute, json!({})),
        (
            &post_call,
            "/api/reports",
            json!({"postId": post, "reason": "spam"}),
        ),
        (&post_call, "/api/objects/upload", json!({})),
        (
            &put,
            "/api/users/profile",
            json!({"displayName": "I am here"}),
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let (member, id) = one(&server, &format!("member{n}")).await;
        server.app.db.write(Unlist(id)).await.unwrap();
        let call = member.json(method.clone(), path, body);
        let answer = behind(&server, id, call).await;
        assert_eq!(answer.refusal(401), "unauthorized", "{path}");
        assert_eq!(server.count(&LEFT, params![id]).await, 0, "{path}");
    }
}

/// On PostgreSQL these wait for a row that somebody else changes. Whose account is deleted meanwhile did none of
/// them: that has looked already for what they left.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_went_while_a_deed_waited_did_not_do_it() {
    let server = Server::postgres().await;
    let (bob, bobs) = one(&server, "bob").await;
    let poll = json!({"content": "Which?", "poll": {"options": ["a", "b"], "duration": 1}});
    let post = id_of(&bob.create(poll).await);
    let report = json!({"postId": &post, "reason": "spam"});
    let first = server.member("cat").await;
    first.post("/api/reports", report.clone()).await.expect(200);
    let url = &server.app.settings.store.database_url;
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    let the_post = format!("update posts set like_count = like_count where id = {post}");
    let the_member = format!("update members set bio = bio where id = {bobs}");
    let the_case = "update report_cases set report_count = report_count".to_owned();
    let repost = json!({"content": "♻️", "repostOfId": &post});
    let deeds = [
        (format!("/api/posts/{post}/like"), json!({}), &the_post),
        ("/api/posts".to_owned(), repost, &the_post),
        (
            format!("/api/posts/{post}/vote"),
            json!({"option": "a"}),
            &the_post,
        ),
        (
            "/api/follows".to_owned(),
            json!({"followingId": bobs.to_string()}),
            &the_member,
        ),
        (format!("/api/blocks/{bobs}"), json!({}), &the_member),
        ("/api/reports".to_owned(), report, &the_case),
    ];
    for (n, (path, body, hold)) in deeds.into_iter().enumerate() {
        let (ada, id) = one(&server, &format!("ada_{n}")).await;
        client
            .batch_execute(&format!("begin; {hold}"))
            .await
            .unwrap();
        let asked = path.clone();
        let call = tokio::spawn(async move { ada.post(&asked, body).await });
        while server.count(&WAITING, &[]).await == 0 {
            assert!(!call.is_finished(), "{path}");
            tokio::task::yield_now().await;
        }
        order(&server, &id.to_string(), 0).await;
        work(&server).await;
        assert_eq!(server.count(&DELETIONS, params![id]).await, 0, "{path}");
        client.batch_execute("commit").await.unwrap();
        assert_eq!(call.await.unwrap().refusal(401), "unauthorized", "{path}");
        assert_eq!(server.count(&LEFT, params![id]).await, 0, "{path}");
    }
    let seen = bob.see(&post).await;
    let counts = [&seen["likeCount"], &seen["repostCount"]];
    assert_eq!(counts, [&json!(0); 2]);
}

/// The same of an account that goes while somebody follows or blocks it.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_gone_after_a_wait_is_not_followed_or_blocked() {
    let server = Server::postgres().await;
    // Their row is changed first, for they have been here longer.
    let (ada, adas) = one(&server, "ada").await;
    let ada = Arc::new(ada);
    let url = &server.app.settings.store.database_url;
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    let hold = format!("begin; update members set bio = bio where id = {adas}");
    for deed in ["follow", "block"] {
        let ada = ada.clone();
        let (_, bobs) = one(&server, &format!("bob_{deed}")).await;
        client.batch_execute(&hold).await.unwrap();
        let call = tokio::spawn(async move {
            if deed == "follow" {
                let followed = json!({"followingId": bobs.to_string()});
                ada.post("/api/follows", followed).await
            } else {
                ada.poke(&format!("/api/blocks/{bobs}")).await
            }
        });
        while server.count(&WAITING, &[]).await == 0 {
            assert!(!call.is_finished(), "{deed}");
            tokio::task::yield_now().await;
        }
        order(&server, &bobs.to_string(), 0).await;
        work(&server).await;
        client.batch_execute("commit").await.unwrap();
        assert_eq!(call.await.unwrap().status.as_u16(), 404, "{deed}");
        assert_eq!(server.count(&OF_OTHERS, params![bobs]).await, 0, "{deed}");
    }
}
