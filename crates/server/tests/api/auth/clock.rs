//! System clock jumps: what has expired stays expired, and what is valid stays valid.

use super::codes::code_in;
use crate::harness::{Server, link_in, on_both_engines};
use crate::media::{create_upload, put, small};
use kith::platform::clock::watermark;
use kith::platform::clock::{Clock, DAY, HOUR, MINUTE, Millis};
use kith::platform::ids::COMMAND_NODE;
use serde_json::json;

impl Server {
    /// Sets the system clock off by `by` without advancing the monotonic clock.
    fn jump(&self, by: Millis) {
        self.state.clock.shift_wall(by);
    }
}

/// Returns the clock of a process that starts on the same database when the system clock shows
/// `wall`.
async fn restart_clock(server: &Server, node: i64, wall: Millis) -> Result<Clock, String> {
    let clock = Clock::manual(wall);
    let seen = watermark::load(&server.state.db.reader()).await.unwrap();
    watermark::restore(seen, &clock, node)?;
    Ok(clock)
}

on_both_engines! {
    /// Expired links, codes, sessions, invites and uploads stay expired when the clock is set back.
    /// proves: clock-back
    async fn a_clock_set_back_revives_nothing_expired(server) {
        let bob = server.member("bob").await;
        let invite = bob.post_empty("/api/invites").await.expect(201);
        let code = invite["code"].as_str().unwrap().to_owned();
        server.advance_clock(7 * DAY + HOUR);
        let ada = server.member("ada").await;
        server.advance_clock(14 * DAY + HOUR);
        let eve = server.member("eve").await;
        let upload = create_upload(&eve).await;
        server.wait_for_mail_queue().await;
        let browser = server.visitor();
        let body = json!({"email": "bob@example.org"});
        browser.post("/api/auth/request-login-link", body).await.expect(200);
        let mail = server.mail_to("bob@example.org").await;
        server.advance_clock(16 * MINUTE);
        // A running server reads its clock all the time.
        let _ = server.state.now();
        for jump in [-DAY, 0, DAY, -DAY, -30 * DAY] {
            server.jump(jump);
            assert_eq!(browser.get(&link_in(&mail)).await.error_code(410), "link_expired");
            let by_code = browser.post("/api/auth/verify-code", json!({"code": code_in(&mail)})).await;
            assert_eq!(by_code.error_code(422), "invalid");
            assert_eq!(ada.get("/api/auth/me").await.error_code(401), "unauthorized");
            let body = json!({"email": "late@example.org", "inviteCode": code});
            let requested = server.visitor().post("/api/auth/request-magic-link", body).await;
            assert!(requested.status.is_client_error(), "{}", requested.status);
            assert_eq!(put(&eve, &upload, small(1)).await.error_code(410), "upload_expired");
        }
        // After the clock is right again, a new link lives for its full time.
        server.jump(31 * DAY);
        server.advance_clock(2 * MINUTE);
        let link = server.request_login_link(&browser, "bob").await;
        let twin = browser.tab();
        server.advance_clock(14 * MINUTE);
        browser.get(&link).await.expect(200);
        server.advance_clock(2 * MINUTE);
        assert_eq!(twin.get(&link).await.error_code(410), "link_used");
    }

    /// After a jump ahead and back, expired links stay expired, ids increase and posts keep their
    /// order.
    /// proves: clock-back
    async fn a_clock_that_runs_ahead_for_a_while_is_harmless(server) {
        let ada = server.member("ada").await;
        server.wait_for_mail_queue().await;
        server.advance_clock(2 * MINUTE);
        let browser = server.visitor();
        let link = server.request_login_link(&browser, "ada").await;
        let mut posts = vec![ada.write("before").await];
        server.jump(DAY);
        assert_eq!(browser.get(&link).await.error_code(410), "link_expired");
        posts.push(ada.write("ahead").await);
        server.jump(-DAY);
        assert_eq!(browser.get(&link).await.error_code(410), "link_expired");
        posts.push(ada.write("after").await);
        let numbers: Vec<i64> = posts.iter().map(|id| id.parse().unwrap()).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
        let name = ada.name().await;
        let shown = ada.contents(&format!("/api/users/{name}/posts")).await;
        assert_eq!(shown, ["after", "ahead", "before"]);
        let fresh = server.log_in("ada").await;
        fresh.get("/api/auth/me").await.expect(200);
    }

    /// A restart continues from the stored watermark. A server whose clock is over a minute behind
    /// does not start, under any node id; a command follows the running server.
    /// proves: clock-restart
    async fn a_restart_continues_from_the_clock_watermark(server) {
        server.member("ada").await;
        server.jump(DAY);
        let time = server.state.now();
        server.jump(-DAY);
        assert!(!watermark::sync(&server.state.db, &server.state.clock, server.state.lease.node).await.unwrap(), "a day ahead is reported");
        assert_eq!(server.state.now(), time);
        for node in [server.state.lease.node, 7] {
            let error = restart_clock(&server, node, time - MINUTE - 1).await.unwrap_err();
            assert!(error.contains("\"When the clock was wrong\""), "{error}");
            let clock = restart_clock(&server, node, time - MINUTE).await.unwrap();
            assert_eq!(clock.now(), time);
            let clock = restart_clock(&server, node, time + HOUR).await.unwrap();
            assert_eq!(clock.now(), time + HOUR);
        }
        let command = restart_clock(&server, COMMAND_NODE, time - DAY).await.unwrap();
        assert_eq!(command.now(), time);
    }
}
