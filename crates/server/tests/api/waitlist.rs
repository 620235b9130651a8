//! Strangers who wait for their turn, and members' word for them.

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

/// Has so many wait.
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
    /// The same answer for a new address, a known one and a member's.
    /// proves: call-waitlist, waitlist-same-answer, waitlist-once
    async fn joining_twice_is_joining_once(server) {
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

    /// What is no address does not wait.
    async fn odd_addresses_do_not_wait(server) {
        for (email, status) in [(json!(null), 400), (json!(" "), 400), (json!("x"), 422), (json!("a@b.co\0"), 422)] {
            let answer = server.visitor().post("/api/waitlist", json!({"email": email})).await;
            assert_eq!(answer.refusal(status), "invalid");
            assert!(answer.expect(status)["fields"]["email"].is_string());
        }
        assert_eq!(server.count(&WAITING, &[]).await, 0);
    }

    /// One word for one address, however it is written; it is mine to see and to take back.
    /// proves: call-vouch, vouch-once, vouch-own
    async fn a_member_vouches_and_takes_it_back(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let word = vouch(&ada, " EVE@Example.org ").await;
        assert_eq!(word["email"], "eve@example.org");
        server.pass(1);
        assert_eq!(vouch(&ada, "eve@example.org").await, word, "twice is as good as once");
        let other = vouch(&ada, "vic@example.org").await;
        assert_eq!(ada.get(PATH).await.expect(200), json!([other, word]));
        let first = ada.get(&format!("{PATH}?limit=1")).await;
        assert_eq!(first.expect(200), json!([other]));
        assert_eq!(ada.get(&first.next().unwrap()).await.expect(200), json!([word]));
        assert_eq!(bob.get(PATH).await.expect(200), json!([]));
        let mine = format!("{PATH}/{}", id_of(&word));
        assert_eq!(bob.delete(&mine).await.refusal(404), "vouch_not_found");
        ada.delete(&mine).await.expect(204);
        assert_eq!(ada.delete(&mine).await.refusal(404), "vouch_not_found");
        assert_eq!(ada.get(PATH).await.expect(200), json!([other]));
        for (email, status) in [(json!(null), 400), (json!("x"), 422)] {
            let refused = ada.post(PATH, json!({"email": email})).await;
            assert!(refused.expect(status)["fields"]["email"].is_string());
        }
    }

    /// Nothing that a member is answered tells who waits, who was admitted or who joined.
    /// proves: vouch-blind
    async fn a_vouch_does_not_tell_who_waits(server) {
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
        server.app.db.write(waitlist::Admit::new(&server.app, vec![eve])).await.unwrap();
        assert_eq!(ada.get(PATH).await.expect(200), before);
    }

    /// A stranger's list has an end, and whether an address stands on it is not told by that.
    /// proves: limit-waitlist-room, waitlist-joins, waitlist-remove
    async fn a_full_waitlist_takes_nobody(server) {
        let join = |email: &str| {
            let body = json!({"email": email});
            async { server.visitor().post("/api/waitlist", body).await }
        };
        join("ada@example.org").await.expect(200);
        server.app.db.write(Fill(99_998)).await.unwrap();
        retention::purge_expired(&server.app).await.unwrap();
        join("last@example.org").await.expect(200);
        retention::purge_expired(&server.app).await.unwrap();
        for email in ["ada@example.org", "eve@example.org"] {
            assert_eq!(join(email).await.refusal(503), "unavailable");
        }
        assert_eq!(server.count(&WAITING, &[]).await, 100_000);
        // Each of these makes one place: joining the network, being admitted, an operator's command.
        let ada = server.member("ada").await;
        retention::purge_expired(&server.app).await.unwrap();
        join("eve@example.org").await.expect(200);
        let eve = Email::parse("eve@example.org").unwrap();
        server.app.db.write(waitlist::Admit::new(&server.app, vec![eve])).await.unwrap();
        retention::purge_expired(&server.app).await.unwrap();
        join("bob@example.org").await.expect(200);
        vouch(&ada, "w7@example.net").await;
        let emails = ["w7@example.net", "nobody@example.net"].map(str::to_owned).to_vec();
        let remove = RemovePeople { emails, now: server.app.now() };
        assert_eq!(server.app.db.write(remove).await.unwrap(), [RemovalOutcome::Removed, RemovalOutcome::Unknown]);
        assert_eq!(server.count(&VOUCHES, &[]).await, 1, "nobody learns of it");
        retention::purge_expired(&server.app).await.unwrap();
        join("cat@example.org").await.expect(200);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(join("dan@example.org").await.refusal(503), "unavailable");
    }

    /// Whoever admits people sees who vouches, also for a word that was given before.
    /// proves: waitlist-vouch, waitlist-vouched
    async fn who_admits_sees_who_vouches(server) {
        let (kim, ada, bob) = (server.admin("kim").await, server.member("ada").await, server.member("bob").await);
        vouch(&ada, "vic@example.org").await;
        for name in ["eve", "vic"] {
            let body = json!({"email": format!("{name}@example.org")});
            server.visitor().post("/api/waitlist", body).await.expect(200);
            server.pass(1);
        }
        vouch(&bob, "vic@example.org").await;
        let rows = kim.get("/api/admin/waitlist").await.expect(200);
        assert_eq!(rows[0]["vouchedBy"], json!([]));
        let named = rows[1]["vouchedBy"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        assert_eq!(named.collect::<Vec<_>>(), [ada.id().await, bob.id().await]);
        let db = server.app.db.reader();
        let entries = waitlist::load_entries(&db).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.vouches).collect::<Vec<_>>(), [0, 2]);
        let vouched = waitlist::load_longest_waiting(&db, 9, true).await.unwrap();
        assert_eq!(vouched.iter().map(Email::as_str).collect::<Vec<_>>(), ["vic@example.org"]);
        assert_eq!(waitlist::load_longest_waiting(&db, 9, false).await.unwrap().len(), 2);
    }

    /// proves: purge-vouches
    async fn a_vouch_counts_for_180_days(server) {
        vouch(&server.member("ada").await, "vic@example.org").await;
        server.pass(180 * DAY);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&VOUCHES, &[]).await, 1);
        server.pass(1);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&VOUCHES, &[]).await, 0);
    }
}
