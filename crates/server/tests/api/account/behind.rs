//! Requests authorized before their member was suspended or deleted, which write afterwards.

use super::held::connect;
use super::leaving::{order_deletion, run_deletions};
use crate::harness::{Browser, Server, TestResponse, id_of, on_both_engines};
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

const LOCK_MEMBER: Sql = sql!("update members set search_key = search_key where id = $1");
static SUSPEND: Sql = sql!("update members set suspended_at = 1 where id = $1");
static END_SESSIONS: Sql = sql!("delete from sessions where member_id = $1");
/// Counts requests that wait for the lock. On SQLite a pending request always waits.
pub(super) const LOCK_WAITS: Sql = Sql {
    sqlite: "select 1",
    postgres: "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
};
const USERNAMES: Sql = sql!("select count(*) from usernames where member_id = $1");
const CHANGES: Sql = sql!("select count(*) from email_changes where member_id = $1");
pub(super) const DELETIONS: Sql = sql!("select count(*) from deletions where member_id = $1");
const EXPORTS: Sql = sql!("select count(*) from exports where member_id = $1");

static DELETE_TERMS: Sql = sql!("delete from search_terms where member_id = $1");
/// Counts rows of other members about a member.
const ROWS_ABOUT: Sql = sql!(
    "select (select count(*) from follows where followee_id = $1)
       + (select count(*) from blocks where blocked_id = $1)
       + (select count(*) from notifications where member_id = $1)"
);
/// Counts rows of a member in the tables that erasure scans once.
const ROWS_OF: Sql = sql!(
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

/// Suspends a member or ends their sessions, holding the row lock until the test says so.
struct ChangeSlowly {
    member: i64,
    how: &'static Sql,
    locked: Arc<Notify>,
    resume: Mutex<Receiver<()>>,
}

impl kith_db::Write for ChangeSlowly {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&LOCK_MEMBER, params![self.member]).await?;
        self.locked.notify_one();
        // A closed channel means that the test has failed already.
        self.resume.lock().recv().ok();
        tx.exec(self.how, params![self.member]).await.map(drop)
    }
}

/// Removes a member from the search index.
struct RemoveFromSearch(i64);

impl kith_db::Write for RemoveFromSearch {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&DELETE_TERMS, params![self.0]).await.map(drop)
    }
}

/// Suspends a member and keeps their sessions.
struct SuspendMember(i64);

impl kith_db::Write for SuspendMember {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(&SUSPEND, params![self.0]).await.map(drop)
    }
}

/// Returns the response of a request authorized before its member was suspended.
pub(super) async fn send_across_suspension(
    server: &Server,
    member: i64,
    request: impl Future<Output = TestResponse>,
) -> TestResponse {
    send_across(server, member, &SUSPEND, request).await
}

/// Returns the response of a request authorized before `how` ran; it writes afterwards.
async fn send_across(
    server: &Server,
    member: i64,
    how: &'static Sql,
    request: impl Future<Output = TestResponse>,
) -> TestResponse {
    let locked = Arc::new(Notify::new());
    let (release, resume) = channel();
    let app = server.state.clone();
    let change = ChangeSlowly { member, how, locked: locked.clone(), resume: Mutex::new(resume) };
    let changed = tokio::spawn(async move { app.db.write(change).await });
    locked.notified().await;
    let mut request = pin!(request);
    loop {
        let Poll::Pending = poll!(&mut request) else {
            panic!("the request did not wait");
        };
        if server.count(&LOCK_WAITS, &[]).await > 0 {
            break;
        }
        tokio::task::yield_now().await;
    }
    release.send(()).unwrap();
    changed.await.unwrap().unwrap();
    request.await
}

pub(super) async fn sign_up(server: &Server, name: &str) -> (Browser, i64) {
    let browser = server.member(name).await;
    let id = browser.id().await.parse().unwrap();
    (browser, id)
}

on_both_engines! {
    /// A request of a member suspended meanwhile writes no row, which would outlive the member.
    /// proves: leave-behind
    async fn a_suspended_member_writes_nothing_more(server) {
        let (ada, id) = sign_up(&server, "ada").await;
        let names = server.count(&USERNAMES, params![id]).await;
        let choice = json!({"username": "ada"});
        let request = ada.json(Method::PUT, "/api/users/username", choice);
        assert_eq!(send_across_suspension(&server, id, request).await.error_code(401), "unauthorized");
        assert_eq!(server.count(&USERNAMES, params![id]).await, names);

        let (bob, id) = sign_up(&server, "bob").await;
        let request = bob.post("/api/account/email", json!({"email": "bob@example.net"}));
        assert_eq!(send_across_suspension(&server, id, request).await.error_code(401), "unauthorized");
        assert_eq!(server.count(&CHANGES, params![id]).await, 0);

        let (eve, id) = sign_up(&server, "eve").await;
        let request = eve.post_empty("/api/account/export");
        assert_eq!(send_across_suspension(&server, id, request).await.error_code(401), "unauthorized");
        assert_eq!(server.count(&EXPORTS, params![id]).await, 0);
    }

    /// An intruder's request that waited while its session was ended has no effect.
    /// proves: address-end-all
    async fn an_ended_session_requests_no_email_change(server) {
        let (ada, id) = sign_up(&server, "ada").await;
        let request = ada.post("/api/account/email", json!({"email": "attacker@example.net"}));
        assert_eq!(send_across(&server, id, &END_SESSIONS, request).await.error_code(401), "unauthorized");
        assert_eq!(server.count(&CHANGES, params![id]).await, 0);
    }

    /// A request whose session was ended, or whose member was suspended meanwhile, does not delete
    /// the account.
    /// proves: leave-waited
    async fn an_ended_session_deletes_no_account(server) {
        for (name, how) in [("ada", &END_SESSIONS), ("bob", &SUSPEND)] {
            let (member, id) = sign_up(&server, name).await;
            let request = member.post("/api/account/deletion", json!({"username": member.name().await}));
            assert_eq!(send_across(&server, id, how, request).await.error_code(401), "unauthorized");
            assert_eq!(server.count(&DELETIONS, params![id]).await, 0);
        }
    }

    /// The session of a deleted member is invalid, also for requests that check session and target
    /// in one query.
    async fn a_deleted_members_session_is_unauthorized(server) {
        let (ada, id) = sign_up(&server, "ada").await;
        let bob = server.member("bob").await;
        let (name, bob_id) = (bob.name().await, bob.id().await);
        let post = bob.write("Hello.").await;
        server.state.db.write(SuspendMember(id)).await.unwrap();
        for path in [
            "/api/posts/feed".to_owned(),
            "/api/posts/for-you".into(),
            "/api/notifications".into(),
            format!("/api/users/{name}/posts"),
            format!("/api/posts/{post}/thread"),
            "/api/users/nobody_at_all/posts".into(),
            "/api/posts/1/thread".into(),
        ] {
            assert_eq!(ada.get(&path).await.error_code(401), "unauthorized", "{path}");
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
            let response = ada.post(path, body.clone()).await;
            assert_eq!(response.error_code(401), "unauthorized", "{body}");
        }
        for liked in [&*post, "1"] {
            let response = ada.post_empty(&format!("/api/posts/{liked}/like")).await;
            assert_eq!(response.error_code(401), "unauthorized");
        }
        let seen = bob.get_post(&post).await;
        for count in ["likeCount", "replyCount", "repostCount"] {
            assert_eq!(seen[count], 0, "{count}");
        }
        assert_eq!(bob.get("/api/notifications").await.expect(200), json!([]));
    }
}

/// A SQLite server may have cached that the member exists while an operator's command deletes them
/// in another process, so each insert checks again.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_deleted_by_another_process_writes_nothing_more() {
    let server = Server::sqlite().await;
    let (bob, bob_id) = sign_up(&server, "bob").await;
    let name = bob.name().await;
    let post = bob.write("Hello.").await;
    let poll = json!({"content": "Tea?", "pollOptions": ["yes", "no"], "pollDurationMinutes": 60});
    let poll = id_of(&bob.create(poll).await);
    let (like, vote) = (format!("/api/posts/{post}/like"), format!("/api/posts/{poll}/vote"));
    let (block, mute) = (format!("/api/blocks/{bob_id}"), format!("/api/mutes/{bob_id}"));
    let (post_method, put_method) = (Method::POST, Method::PUT);
    for (n, (method, path, body)) in [
        (&post_method, "/api/follows", json!({"followingId": bob_id.to_string()})),
        (&post_method, &like, json!({})),
        (&post_method, &vote, json!({"option": "yes"})),
        (&post_method, "/api/posts", json!({"repostOfId": post})),
        (&post_method, "/api/posts", json!({"content": "I am here."})),
        (&post_method, "/api/posts", json!({"content": "I am here.", "replyToId": post})),
        (&post_method, "/api/posts", json!({"content": format!("@{name} I am here.")})),
        (&post_method, &block, json!({})),
        (&post_method, &mute, json!({})),
        (&post_method, "/api/reports", json!({"postId": post, "reason": "spam"})),
        (&post_method, "/api/objects/upload", json!({})),
        (&put_method, "/api/users/profile", json!({"displayName": "I am here"})),
    ]
    .into_iter()
    .enumerate()
    {
        let (member, id) = sign_up(&server, &format!("member{n}")).await;
        server.state.db.write(RemoveFromSearch(id)).await.unwrap();
        let request = member.json(method.clone(), path, body);
        let response = send_across_suspension(&server, id, request).await;
        assert_eq!(response.error_code(401), "unauthorized", "{path}");
        assert_eq!(server.count(&ROWS_OF, params![id]).await, 0, "{path}");
    }
}

/// On PostgreSQL these requests wait for a locked row. If the account is erased meanwhile they
/// insert nothing: erasure has scanned the tables already.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_erased_while_a_request_waited_writes_nothing() {
    let server = Server::postgres().await;
    let (bob, bobs) = sign_up(&server, "bob").await;
    let poll = json!({"content": "Which?", "poll": {"options": ["a", "b"], "duration": 1}});
    let post = id_of(&bob.create(poll).await);
    let report = json!({"postId": &post, "reason": "spam"});
    let first = server.member("cat").await;
    first.post("/api/reports", report.clone()).await.expect(200);
    let client = connect(&server).await;
    let lock_post = format!("update posts set like_count = like_count where id = {post}");
    let lock_member = format!("update members set bio = bio where id = {bobs}");
    let lock_case = "update report_cases set report_count = report_count".to_owned();
    let repost = json!({"content": "♻️", "repostOfId": &post});
    let interactions = [
        (format!("/api/posts/{post}/like"), json!({}), &lock_post),
        ("/api/posts".to_owned(), repost, &lock_post),
        (format!("/api/posts/{post}/vote"), json!({"option": "a"}), &lock_post),
        ("/api/follows".to_owned(), json!({"followingId": bobs.to_string()}), &lock_member),
        (format!("/api/blocks/{bobs}"), json!({}), &lock_member),
        ("/api/reports".to_owned(), report, &lock_case),
    ];
    for (n, (path, body, hold)) in interactions.into_iter().enumerate() {
        let (ada, id) = sign_up(&server, &format!("ada_{n}")).await;
        client.batch_execute(&format!("begin; {hold}")).await.unwrap();
        let request = path.clone();
        let request = tokio::spawn(async move { ada.post(&request, body).await });
        while server.count(&LOCK_WAITS, &[]).await == 0 {
            assert!(!request.is_finished(), "{path}");
            tokio::task::yield_now().await;
        }
        order_deletion(&server, &id.to_string(), 0).await;
        run_deletions(&server).await;
        assert_eq!(server.count(&DELETIONS, params![id]).await, 0, "{path}");
        client.batch_execute("commit").await.unwrap();
        assert_eq!(request.await.unwrap().error_code(401), "unauthorized", "{path}");
        assert_eq!(server.count(&ROWS_OF, params![id]).await, 0, "{path}");
    }
    let seen = bob.get_post(&post).await;
    let counts = [&seen["likeCount"], &seen["repostCount"]];
    assert_eq!(counts, [&json!(0); 2]);
}

/// An account erased while another member's follow or block of it waits gets no row either.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_erased_during_a_wait_is_not_followed_or_blocked() {
    let server = Server::postgres().await;
    // The lower id is locked first, so Ada signs up first.
    let (ada, adas) = sign_up(&server, "ada").await;
    let ada = Arc::new(ada);
    let client = connect(&server).await;
    let hold = format!("begin; update members set bio = bio where id = {adas}");
    for action in ["follow", "block"] {
        let ada = ada.clone();
        let (_, bobs) = sign_up(&server, &format!("bob_{action}")).await;
        client.batch_execute(&hold).await.unwrap();
        let request = tokio::spawn(async move {
            if action == "follow" {
                let followed = json!({"followingId": bobs.to_string()});
                ada.post("/api/follows", followed).await
            } else {
                ada.post_empty(&format!("/api/blocks/{bobs}")).await
            }
        });
        while server.count(&LOCK_WAITS, &[]).await == 0 {
            assert!(!request.is_finished(), "{action}");
            tokio::task::yield_now().await;
        }
        order_deletion(&server, &bobs.to_string(), 0).await;
        run_deletions(&server).await;
        client.batch_execute("commit").await.unwrap();
        assert_eq!(request.await.unwrap().status.as_u16(), 404, "{action}");
        assert_eq!(server.count(&ROWS_ABOUT, params![bobs]).await, 0, "{action}");
    }
}
