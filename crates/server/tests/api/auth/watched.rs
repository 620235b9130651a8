//! Responses to codes do not reveal members, and repeated requests stay cheap.

use super::codes::{mailed_code, request_link, submit_code, wrong_code};
use crate::harness::on_both_engines;
use kith::ops::retention;
use kith_db::{Sql, sql};
use serde_json::json;

const REQUESTS_OF_ONE_NONCE: Sql =
    sql!("select max(n) from (select count(*) as n from login_links group by nonce_hash) counts");
const REQUESTS: Sql = sql!("select count(*) from login_links where nonce_hash is not null");

on_both_engines! {
    /// If a request for another email pushed an older code out, the response would reveal a member.
    /// proves: link-codes-alike
    async fn a_request_for_another_email_displaces_no_code(server) {
        server.member("ada").await;
        for target in ["ada", "unknown"] {
            let eve = server.visitor();
            let mut codes = Vec::new();
            for n in 0..5 {
                server.advance_clock(61_000);
                let name = format!("eve-{target}-{n}");
                request_link(&server, &eve, &name).await;
                codes.push(mailed_code(&server, &name).await);
            }
            for _ in 0..5 {
                assert_eq!(submit_code(&eve, &wrong_code(&codes[0])).await.error_code(422), "invalid");
            }
            let body = json!({"email": format!("{target}@example.org")});
            eve.post("/api/auth/request-login-link", body).await.expect(200);
            server.wait_for_mail_queue().await;
            assert_eq!(submit_code(&eve, &codes[0]).await.error_code(410), "link_dead", "{target}");
        }
    }

    /// A browser that requested a link for an email does not learn that its owner logs in.
    /// proves: link-codes-watch
    async fn a_login_elsewhere_changes_no_response(server) {
        server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(61_000);
        let eve = server.visitor();
        eve.post("/api/auth/request-login-link", json!({"email": "ada@example.org"})).await.expect(200);
        server.wait_for_mail_queue().await;
        for _ in 0..5 {
            assert_eq!(submit_code(&eve, "22222222").await.error_code(422), "invalid");
        }
        assert_eq!(submit_code(&eve, "22222222").await.error_code(410), "link_dead");
        server.advance_clock(61_000);
        server.log_in("ada").await;
        assert_eq!(submit_code(&eve, "22222222").await.error_code(410), "link_dead");
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(submit_code(&eve, "22222222").await.error_code(410), "link_dead");
    }

    /// Each code is compared with all requests of its browser, so a nonce is replaced after about
    /// 20.
    /// proves: link-cookie-exchanged
    async fn a_nonce_serves_few_requests(server) {
        let eve = server.visitor();
        let request_link = |n: usize| {
            let body = json!({"email": format!("nobody{n}@example.org")});
            eve.post("/api/auth/request-login-link", body)
        };
        request_link(0).await.expect(200);
        let first = eve.cookie("login").unwrap();
        for n in 1..=50 {
            eve.set_cookie("login", &first);
            request_link(n).await.expect(200);
        }
        assert!(server.count(&REQUESTS_OF_ONE_NONCE, &[]).await <= 21);
        assert_ne!(eve.cookie("login"), Some(first));
    }

    /// proves: link-unmailed-purged
    async fn requests_without_a_mail_are_deleted_soon(server) {
        let eve = server.visitor();
        eve.post("/api/auth/request-login-link", json!({"email": "nobody@example.org"})).await.expect(200);
        request_link(&server, &eve, "eve").await;
        mailed_code(&server, "eve").await;
        server.advance_clock(15 * 60_000);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&REQUESTS, &[]).await, 2, "a mail with their code may be on its way");
        server.advance_clock(61_000);
        retention::purge_expired(&server.state).await.unwrap();
        assert_eq!(server.count(&REQUESTS, &[]).await, 1, "a sent mail is counted for a day");
    }
}
