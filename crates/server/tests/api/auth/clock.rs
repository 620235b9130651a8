//! A machine's clock that jumps: what has expired stays so, and what works goes on working.

use super::codes::code_in;
use crate::harness::{Server, link_in, on_both_engines};
use crate::media::{address, put, small};
use kith::clock::{Clock, DAY, HOUR, MINUTE, Millis, SECOND};
use kith::{leaving, marks};
use kith_db::{Sql, sql};
use serde_json::json;

const LEAVING: Sql = sql!("select count(*) from deletions where started_at is null");

impl Server {
    /// The machine's clock is set, and no time passes.
    fn jump(&self, by: Millis) {
        self.app.clock.set(by);
    }
}

/// The clock of a server that starts on the same database when the machine's says `wall`.
async fn restarted(server: &Server, wall: Millis) -> Clock {
    restarted_as(server, server.app.lease.node, wall).await
}

/// The same of one that gets another number, as on PostgreSQL soon after it was stopped.
async fn restarted_as(server: &Server, node: i64, wall: Millis) -> Clock {
    let clock = Clock::manual(wall);
    let marks = marks::resume(&server.app.db, &clock).await.unwrap();
    let taken = marks::take_up(&server.app.db, &clock, node, &marks).await;
    taken.unwrap();
    clock
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
        let upload = address(&eve).await;
        server.mail_settles().await;
        let browser = server.visitor();
        let body = json!({"email": "bob@example.org"});
        browser.post("/api/auth/request-login-link", body).await.expect(200);
        let mail = server.mail_to("bob@example.org").await;
        server.pass(16 * MINUTE);
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
        // What is asked for now works, for as long as ever.
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

    /// A start goes on from the time that was noted. How far the clock moved meanwhile does not tell how
    /// long the server was away, unless it is past all that was seen: it may just have been put right.
    /// proves: clock-restart
    async fn a_start_goes_on_from_the_time_that_was(server) {
        let ada = server.member("ada").await;
        server.jump(DAY);
        ada.get("/api/auth/me").await.expect(200);
        server.jump(-DAY);
        server.mail_settles().await;
        let browser = server.visitor();
        let link = server.ask_to_log_in(&browser, "ada").await;
        assert!(!marks::keep(&server.app).await.unwrap(), "a day ahead is notable");
        let (time, wall) = (server.app.now(), server.app.clock.wall());
        assert_eq!(time - wall, DAY);
        // An hour away, or the clock put right by one.
        let later = restarted(&server, wall + HOUR).await;
        assert_eq!(later.now(), time + marks::PERIOD);
        server.app.clock.reach(later.now());
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        // Put right by more than the time was ahead: what the clock says is the time.
        let right = restarted(&server, wall + 3 * DAY).await;
        assert_eq!(right.now(), wall + 3 * DAY);
    }

    /// A clock that shows next week for a moment deletes no account: there is a day to notice.
    /// proves: clock-back
    async fn a_leap_of_the_clock_deletes_no_account(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await;
        ada.post("/api/account/deletion", json!({ "username": name })).await.expect(200);
        for (jump, pass) in [(8 * DAY, 0), (0, HOUR), (-8 * DAY, 2 * DAY), (0, 4 * DAY)] {
            server.jump(jump);
            server.pass(pass);
            leaving::work(&server.app).await.unwrap();
            assert_eq!(server.count(&LEAVING, &[]).await, 1, "{jump} {pass}");
        }
        server.pass(DAY);
        leaving::work(&server.app).await.unwrap();
        assert_eq!(server.count(&LEAVING, &[]).await, 0);
    }

    /// Set back while the server was away, nobody knows for how long that was: links that were on their
    /// way have ended, and sessions go on.
    /// proves: clock-restart
    async fn a_clock_that_was_set_back_before_a_start_ends_links(server) {
        let ada = server.member("ada").await;
        server.mail_settles().await;
        server.pass(2 * MINUTE);
        let browser = server.visitor();
        let link = server.ask_to_log_in(&browser, "ada").await;
        marks::keep(&server.app).await.unwrap();
        let (time, wall) = (server.app.now(), server.app.clock.wall());
        let after = restarted(&server, wall - DAY).await;
        assert_eq!(after.now(), time + marks::PERIOD);
        server.app.clock.reach(after.now());
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
        ada.get("/api/auth/me").await.expect(200);
        // Once more, and the clock was not set since: time is not driven on by starts alone.
        let again = restarted(&server, wall - DAY + SECOND).await;
        assert_eq!(again.now(), after.now() + SECOND);
        // Commands beside the server live in the same time.
        let command = Clock::manual(wall - DAY + 11 * SECOND);
        let marks = marks::resume(&server.app.db, &command).await.unwrap();
        marks::follow(&command, &marks);
        assert_eq!(command.now(), after.now() + 11 * SECOND);
    }

    /// Soon after a stop the old process still has its number: the clock was set back all the same.
    /// proves: clock-restart
    async fn another_number_knows_that_the_clock_was_set_back(server) {
        server.member("ada").await;
        server.mail_settles().await;
        server.pass(2 * MINUTE);
        let browser = server.visitor();
        let link = server.ask_to_log_in(&browser, "ada").await;
        marks::keep(&server.app).await.unwrap();
        let (time, wall) = (server.app.now(), server.app.clock.wall());
        let after = restarted_as(&server, 7, wall - 2 * HOUR).await;
        assert_eq!(after.now(), time + marks::PERIOD);
        server.app.clock.reach(after.now());
        assert_eq!(browser.get(&link).await.refusal(410), "link_expired");
    }

    /// One restart after a leap makes the time no more certain, nor does another number or a command.
    /// proves: clock-doubt
    async fn a_leap_stays_in_doubt_over_restarts(server) {
        marks::keep(&server.app).await.unwrap();
        let before = server.app.now();
        let wall = before + 8 * DAY;
        for start in 0..4 {
            let node = if start % 2 == 0 { server.app.lease.node } else { 7 };
            let clock = restarted_as(&server, node, wall + start * 6 * SECOND).await;
            assert_eq!(clock.now(), clock.wall());
            assert_eq!(clock.certain(), before, "start {start}");
        }
        let command = Clock::manual(wall + MINUTE);
        let marks = marks::resume(&server.app.db, &command).await.unwrap();
        marks::follow(&command, &marks);
        assert_eq!((command.now(), command.certain()), (wall + MINUTE, before));
        // A leap under a running server, which a command sees as well.
        let command = Clock::manual(wall + 3 * DAY);
        marks::follow(&command, &marks);
        assert_eq!(command.certain(), before);
        // After the day it is over, for those who start then.
        let clock = restarted(&server, wall + HOUR).await;
        clock.advance(HOUR);
        assert_eq!(clock.certain(), before + HOUR);
        let clock = restarted(&server, wall + DAY + MINUTE).await;
        assert_eq!(clock.certain(), clock.now());
    }

    /// All machines ask one server for the time, which leaps: one has it a minute before the other.
    /// proves: clock-doubt
    async fn what_one_node_doubts_no_other_is_certain_of(server) {
        marks::keep(&server.app).await.unwrap();
        let before = server.app.now();
        restarted_as(&server, 7, before + 8 * DAY).await;
        marks::keep(&server.app).await.unwrap();
        server.jump(8 * DAY);
        server.pass(MINUTE);
        assert_eq!(server.app.now(), before + 8 * DAY + MINUTE);
        assert!(server.app.clock.certain() <= before + MINUTE);
    }
}
