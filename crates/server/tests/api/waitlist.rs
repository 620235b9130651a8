//! The waitlist and members' vouches.

use crate::harness::{Browser, id_of, on_both_engines};
use kith::features::auth::Email;
use kith::features::moderation::RemovePeople;
use kith::features::waitlist;
use kith::features::waitlist::RemovalOutcome;
use kith::ops::retention;
use kith::platform::clock::DAY;
use kith_db::{Sql, sql};
use serde_json::{Value, json};

static FILL: Sql = sql!(
    "insert into waitlist (email, joined_at, id)
     with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < $1)
     select 'w' || n || '@example.net', 1, n from numbers"
);

/// Inserts this many waitlist entries.
struct Fill(i64);

impl kith_db::Write for Fill {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut kith_db::Tx) -> kith_db::Result<()> {
        tx.exec(&FILL, kith_db::params![self.0]).await.map(drop)
    }
}

const WAITING: Sql = sql!("select count(*) from waitlist");
const VOUCHES: Sql = sql!("select count(*) from vouches");

const PATH: &str = "/api/waitlist/vouches";

async fn vouch(member: &Browser, email: &str) -> Value {
    member.post(PATH, json!({"email": email})).await.expect(200)
}

on_both_engines! {
    /// A new email, a known one and a member's get the same response.
    /// proves: call-waitlist, waitlist-same-answer, waitlist-once
    async fn joining_twice_adds_one_entry(server) {
        server.member("ada").await;
        let visitor = server.visitor();
        let mut answers = Vec::new();
        for email in ["eve@example.org", " EVE@Example.org ", "eve@example.org", "ada@example.org"] {
            let answer = visitor.post("/api/waitlist", json!({"email": email})).await;
            assert_eq!(answer.expect(200), json!({"message": "We'll let you know when it's your turn."}));
            answers.push((answer.header("content-length").to_owned(), answer.bytes));
        }
        answers.dedup();
        assert_eq!(answers.len(), 1);
        assert_eq!(server.count(&WAITING, &[]).await, 2);
    }

    /// A malformed email is rejected.
    async fn malformed_emails_are_rejected(server) {
        for (email, status) in [(json!(null), 400), (json!(" "), 400), (json!("x"), 422), (json!("a@b.co\0"), 422)] {
            let answer = server.visitor().post("/api/waitlist", json!({"email": email})).await;
            assert_eq!(answer.error_code(status), "invalid");
            assert!(answer.expect(status)["fields"]["email"].is_string());
        }
        assert_eq!(server.count(&WAITING, &[]).await, 0);
    }

    /// A member vouches once per email, however it is written, and can list and withdraw their vouches.
    /// proves: call-vouch, vouch-once, vouch-own
    async fn a_member_vouches_and_withdraws(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let word = vouch(&ada, " EVE@Example.org ").await;
        assert_eq!(word["email"], "eve@example.org");
        server.advance_clock(1);
        assert_eq!(vouch(&ada, "eve@example.org").await, word, "twice is as good as once");
        let other = vouch(&ada, "vic@example.org").await;
        assert_eq!(ada.get(PATH).await.expect(200), json!([other, word]));
        let first = ada.get(&format!("{PATH}?limit=1")).await;
        assert_eq!(first.expect(200), json!([other]));
        assert_eq!(ada.get(&first.next().unwrap()).await.expect(200), json!([word]));
        assert_eq!(bob.get(PATH).await.expect(200), json!([]));
        let mine = format!("{PATH}/{}", id_of(&word));
        assert_eq!(bob.delete(&mine).await.error_code(404), "vouch_not_found");
        ada.delete(&mine).await.expect(204);
        assert_eq!(ada.delete(&mine).await.error_code(404), "vouch_not_found");
        assert_eq!(ada.get(PATH).await.expect(200), json!([other]));
        for (email, status) in [(json!(null), 400), (json!("x"), 422)] {
            let rejected = ada.post(PATH, json!({"email": email})).await;
            assert!(rejected.expect(status)["fields"]["email"].is_string());
        }
    }

    /// Responses to a member reveal neither who waits, nor who was admitted, nor who joined.
    /// proves: vouch-blind
    async fn a_vouch_reveals_no_waitlist_entry(server) {
        let ada = server.member("ada").await;
        server.member("bob").await;
        let join = json!({"email": "eve@example.org"});
        server.visitor().post("/api/waitlist", join).await.expect(200);
        let mut shapes = Vec::new();
        for email in ["eve@example.org", "vic@example.org", "bob@example.org"] {
            let answer = ada.post(PATH, json!({"email": email})).await;
            let mut word = answer.expect(200);
            assert_eq!(word["email"], email);
            for own in ["id", "email", "createdAt"] {
                word.as_object_mut().unwrap().remove(own);
            }
            shapes.push((answer.headers.len(), word));
        }
        shapes.dedup();
        assert_eq!(shapes.len(), 1, "{shapes:?}");
        let before = ada.get(PATH).await.expect(200);
        let eve = Email::parse("eve@example.org").unwrap();
        server.state.db.write(waitlist::AdmitApplicants::new(&server.state, vec![eve])).await.unwrap();
        assert_eq!(ada.get(PATH).await.expect(200), before);
    }

    /// A full waitlist accepts no new email, and its response does not reveal whether an email is on it.
    /// proves: limit-waitlist-room, waitlist-joins, waitlist-remove
    async fn a_full_waitlist_accepts_no_entry(server) {
        let join = |email: &str| {
            let body = json!({"email": email});
            async { server.visitor().post("/api/waitlist", body).await }
        };
        join("ada@example.org").await.expect(200);
        server.state.db.write(Fill(99_998)).await.unwrap();
        retention::purge_expired(&server.state).await.unwrap();
        join("last@example.org").await.expect(200);
        retention::purge_expired(&server.state).await.unwrap();
        for email in ["ada@example.org", "eve@example.org"] {
            assert_eq!(join(email).await.error_code(503), "unavailable");
        }
        assert_eq!(server.count(&WAITING, &[]).await, 100_000);
        // Joining, being admitted and an operator command each free one entry.
        let ada = server.member("ada").await;
        retention::purge_expired(&server.state).await.unwrap();
        join("eve@example.org").await.expect(200);
        let eve = Email::parse("eve@example.org").unwrap();
        server.state.db.write(waitlist::AdmitApplicants::new(&server.state, vec![eve])).await.unwrap();
        retention::purge_expired(&server.state).await.unwrap();
        join("bob@example.org").await.expect(200);
        vouch(&ada, "w7@example.net").await;
        let emails = ["w7@example.net", "nobody@example.net"].map(str::to_owned).to_vec();
        let remove = RemovePeople { emails, now: server.state.now() };
        assert_eq!(server.state.db.write(remove).await.unwrap(), [RemovalOutcome::Removed, RemovalOutcome::Unknown]);
        assert_eq!(server.count(&VOUCHES, &[]).await, 1, "the vouch is kept");
        retention::purge_expired(&server.state).await.unwrap();
        join("cat@example.org").await.expect(200);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(join("dan@example.org").await.error_code(503), "unavailable");
    }

    /// Admins see the vouches of an entry, including earlier ones.
    /// proves: waitlist-vouch, waitlist-vouched
    async fn admins_see_vouches(server) {
        let (kim, ada, bob) = (server.admin("kim").await, server.member("ada").await, server.member("bob").await);
        vouch(&ada, "vic@example.org").await;
        for name in ["eve", "vic"] {
            let body = json!({"email": format!("{name}@example.org")});
            server.visitor().post("/api/waitlist", body).await.expect(200);
            server.advance_clock(1);
        }
        vouch(&bob, "vic@example.org").await;
        let rows = kim.get("/api/admin/waitlist").await.expect(200);
        assert_eq!(rows[0]["vouchedBy"], json!([]));
        let named = rows[1]["vouchedBy"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        assert_eq!(named.collect::<Vec<_>>(), [ada.id().await, bob.id().await]);
        let db = server.state.db.reader();
        let entries = waitlist::load_all_entries(&db).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.vouches).collect::<Vec<_>>(), [0, 2]);
        let vouched = waitlist::load_longest_waiting(&db, 9, true).await.unwrap();
        assert_eq!(vouched.iter().map(Email::as_str).collect::<Vec<_>>(), ["vic@example.org"]);
        assert_eq!(waitlist::load_longest_waiting(&db, 9, false).await.unwrap().len(), 2);
    }

    /// proves: purge-vouches
    async fn a_vouch_counts_for_180_days(server) {
        vouch(&server.member("ada").await, "vic@example.org").await;
        server.advance_clock(180 * DAY);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&VOUCHES, &[]).await, 1);
        server.advance_clock(1);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&VOUCHES, &[]).await, 0);
    }
}
