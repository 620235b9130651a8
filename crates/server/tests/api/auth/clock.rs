//! A machine's clock that jumps: what has expired stays so, and what works goes on working.

use super::codes::code_in;
use crate::harness::{Server, link_in, on_both_engines};
use crate::media::{create_upload, put, small};
use kith::platform::clock::watermark;
use kith::platform::clock::{Clock, DAY, HOUR, MINUTE, Millis};
use kith::platform::ids::COMMAND_NODE;
use serde_json::json;

impl Server {
    /// The machine's clock is set, and no time passes.
    fn jump(&self, by: Millis) {
        self.app.clock.set(by);
    }
}

/// The clock of a process that starts on the same database when the system clock shows `wall`.
async fn restarted(server: &Server, node: i64, wall: Millis) -> Result<Clock, String> {
    let clock = Clock::manual(wall);
    let seen = watermark::load(&server.app.db.reader()).await.unwrap();
    watermark::restore(seen, &clock, node)?;
    Ok(clock)
}

on_both_engines! {
    /// Links, codes, sessions, invites and uploads that are over do not come back with the time.
    /// proves: clock-back
    async fn a_clock_that_is_set_back_lets_nothing_late_in(server) {
        let bob = server.member("bob").await;
        let invite = bob.poke("/api/invites").await.expect(201);
        let code = invite["code"].as_str().unwrap().to_owned();
        server.pass(7 * DAY + HOUR);
        let ada = server.member("ada").await;
        server.pass(14 * DAY + HOUR);
        let eve = server.member("eve").await;
        let upload = create_upload(&eve).await;
        server.mail_settles().await;
        let browser = server.visitor();
        let body = json!({"email": "bob@example.org"});
        browser.post("/api/auth/request-login-link", body).await.expect(200);
        let mail = server.mail_to("bob@example.org").await;
        server.pass(16 * MINUTE);
        // A running server reads its clock all the time.
        let _ = server.app.now();
        for jump in [-DAY, 0, DAY, -DAY, -30 * DAY] {
            server.jump(jump);
            assert_eq!(browser.get(&link_in(&mail)).await.refusal(410), "link_expired");
            let typed = browser.post("/api/auth/verify-code", json!({"code": code_in(&mail)})).await;
            assert_eq!(typed.refusal(422), "invalid");
            assert_eq!(ada.get("/api/auth/me").await.refusal(401), "unauthorized");
            let body = json!({"email": "late@example.org", "inviteCode": code});
            let asked = server.visitor().post("/api/auth/request-magic-link", body).await;
            assert!(asked.status.is_client_error(), "{}", asked.status);
            assert_eq!(put(&eve, &upload, small(1)).await.refusal(410), "upload_expired");
        }
        // Once the clock is right again, what is asked for works for as long as ever.
        server.jump(31 * DAY);
        server.pass(2 * MINUTE);
        let link = server.ask_to_log_in(&browser, "bob").await;
        let twin = browser.tab();
        server.pass(14 * MINUTE);
        browser.get(&link).await.expect(200);
        server.pass(2 * MINUTE);
        assert_eq!(twin.get(&link).await.refusal(410), "link_used");
    }

    /// Forward, and back again: what expired stays so, ids rise, and posts keep their order.
    /// proves: clock-back
    async fn a_clock_that_runs_ahead_for_a_while_breaks_nothing(server) {
        let ada = server.member("ada").await;
        server.mail_settles().await;
        server.pass(2 * MINUTE);
        let browser = server.visitor();
        let link = server.ask_to_log_in(&browser, "ada").await;
        let mut written = vec![ada.write("before").await];
        server.jump(DAY);
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        written.push(ada.write("ahead").await);
        server.jump(-DAY);
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        written.push(ada.write("after").await);
        let numbers: Vec<i64> = written.iter().map(|id| id.parse().unwrap()).collect();
        assert!(numbers.is_sorted_by(|one, next| one < next), "{numbers:?}");
        let name = ada.name().await;
        let shown = ada.contents(&format!("/api/users/{name}/posts")).await;
        assert_eq!(shown, ["after", "ahead", "before"]);
        let fresh = server.log_in("ada").await;
        fresh.get("/api/auth/me").await.expect(200);
    }

    /// A start goes on from the watermark. On a clock that is more than a minute behind it no server starts, under
    /// whatever number; a command follows the server beside which it runs.
    /// proves: clock-restart
    async fn a_start_goes_on_from_the_watermark(server) {
        server.member("ada").await;
        server.jump(DAY);
        let time = server.app.now();
        server.jump(-DAY);
        assert!(!watermark::sync(&server.app.db, &server.app.clock, server.app.lease.node).await.unwrap(), "a day ahead is notable");
        assert_eq!(server.app.now(), time);
        for node in [server.app.lease.node, 7] {
            let refused = restarted(&server, node, time - MINUTE - 1).await.unwrap_err();
            assert!(refused.contains("\"When the clock was wrong\""), "{refused}");
            let clock = restarted(&server, node, time - MINUTE).await.unwrap();
            assert_eq!(clock.now(), time);
            let clock = restarted(&server, node, time + HOUR).await.unwrap();
            assert_eq!(clock.now(), time + HOUR);
        }
        let command = restarted(&server, COMMAND_NODE, time - DAY).await.unwrap();
        assert_eq!(command.now(), time);
    }
}
