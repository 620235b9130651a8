//! What the answers to codes tell a stranger of others' addresses, and what strangers' wishes cost.

use super::codes::{ask, mailed_code, type_in, wrong};
use crate::harness::on_both_engines;
use kith::ops::retention;
use kith_db::{Sql, sql};
use serde_json::json;

const OF_ONE_COOKIE: Sql =
    sql!("select max(n) from (select count(*) as n from login_links group by nonce_hash) counts");
const WISHES: Sql = sql!("select count(*) from login_links where nonce_hash is not null");

on_both_engines! {
    /// Whose mails push one's own code out of sight would be a member's.
    /// proves: link-codes-alike
    async fn a_wish_for_another_address_displaces_no_code(server) {
        server.member("ada").await;
        for target in ["ada", "nobody"] {
            let eve = server.visitor();
            let mut codes = Vec::new();
            for n in 0..5 {
                server.pass(61_000);
                let name = format!("eve-{target}-{n}");
                ask(&server, &eve, &name).await;
                codes.push(mailed_code(&server, &name).await);
            }
            for _ in 0..5 {
                assert_eq!(type_in(&eve, &wrong(&codes[0])).await.refusal(422), "invalid");
            }
            let body = json!({"email": format!("{target}@example.org")});
            eve.post("/api/auth/request-login-link", body).await.expect(200);
            server.mail_settles().await;
            assert_eq!(type_in(&eve, &codes[0]).await.refusal(410), "link_dead", "{target}");
        }
    }

    /// Who asked for a link to an address does not see that somebody logs in with it.
    /// proves: link-codes-watch
    async fn a_login_elsewhere_changes_no_answer(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(61_000);
        let eve = server.visitor();
        eve.post("/api/auth/request-login-link", json!({"email": "ada@example.org"})).await.expect(200);
        server.mail_settles().await;
        for _ in 0..5 {
            assert_eq!(type_in(&eve, "22222222").await.refusal(422), "invalid");
        }
        assert_eq!(type_in(&eve, "22222222").await.refusal(410), "link_dead");
        server.pass(61_000);
        server.log_in("ada").await;
        assert_eq!(type_in(&eve, "22222222").await.refusal(410), "link_dead");
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(type_in(&eve, "22222222").await.refusal(410), "link_dead");
    }

    /// Each code is looked for among all that its browser asked for.
    /// proves: link-cookie-worn
    async fn one_cookie_stands_for_few_wishes(server) {
        let eve = server.visitor();
        let ask = |n: usize| {
            let body = json!({"email": format!("nobody{n}@example.org")});
            eve.post("/api/auth/request-login-link", body)
        };
        ask(0).await.expect(200);
        let first = eve.cookie("login").unwrap();
        for n in 1..=50 {
            eve.set_cookie("login", &first);
            ask(n).await.expect(200);
        }
        assert!(server.count(&OF_ONE_COOKIE, &[]).await <= 21);
        assert_ne!(eve.cookie("login"), Some(first));
    }

    /// proves: link-unmailed-purged
    async fn wishes_without_a_mail_go_soon(server) {
        let eve = server.visitor();
        eve.post("/api/auth/request-login-link", json!({"email": "nobody@example.org"})).await.expect(200);
        ask(&server, &eve, "eve").await;
        mailed_code(&server, "eve").await;
        server.pass(15 * 60_000);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&WISHES, &[]).await, 2, "a code of theirs may be on its way");
        server.pass(61_000);
        retention::purge_expired(&server.app).await.unwrap();
        assert_eq!(server.count(&WISHES, &[]).await, 1, "what was mailed is counted for a day");
    }
}
