//! Strangers who wait for their turn.

use crate::harness::on_both_engines;
use kith_db::{Sql, sql};
use serde_json::json;

const WAITING: Sql = sql!("select count(*) from waitlist");

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
}
