//! Digests that the mail server rejects.

use super::smtp::Fault;
use super::{Mail, log_in, received, request_sign_up, through_smtp, wait_for_attempts};
use crate::harness::{Browser, Server};
use kith::features::digest;
use kith::platform::clock::{DAY, HOUR, MINUTE};
use kith_db::{Sql, params, sql};

const DIGESTS: Sql = sql!("select count(*) from digests");
const BOUNCED: Sql = sql!("select count(*) from digests where bounces = $1");
const LATER: Sql = sql!("select count(*) from jobs where run_at >= $1");

/// Signs up a member who follows the founder, and returns the founder.
async fn sign_up_follower(mail: &Mail) -> Browser {
    request_sign_up(&mail.server, "ada").await;
    log_in(&mail.server, &received(&mail.smtp, 1).await[0]).await;
    mail.server.wait_for_mail_queue().await;
    let founder = mail.server.founder().await;
    let suggested = founder.get("/api/users/suggested").await.expect(200);
    let ada = suggested[0]["username"].as_str().unwrap();
    founder.write(&format!("@{ada}")).await;
    founder
}

/// Sends the digest of a week in which the founder mentioned the member, and returns the founder.
async fn send_digest(server: &Server, founder: &Browser) -> Browser {
    let founder = server.log_in_again(founder, "").await;
    let suggested = founder.get("/api/users/suggested").await.expect(200);
    founder.write(&format!("@{}", suggested[0]["username"].as_str().unwrap())).await;
    server.advance_clock(7 * DAY);
    digest::enqueue_due(&server.state).await.unwrap();
    server.wait_for_mail_queue().await;
    founder
}

through_smtp! {
    /// proves: digest-bounced
    async fn three_rejections_in_a_row_turn_digests_off(mail) {
        let mut founder = sign_up_follower(&mail).await;
        let Mail { server, smtp } = mail;
        server.advance_clock(DAY);
        smtp.reject_mailbox("ada@");
        for bounces in 1..3 {
            founder = send_digest(&server, &founder).await;
            assert_eq!(server.count(&BOUNCED, params![bounces]).await, 1);
        }
        smtp.reject_mailbox("other@");
        founder = send_digest(&server, &founder).await;
        assert_eq!((smtp.received().len(), server.count(&BOUNCED, params![0]).await), (2, 1));
        smtp.reject_mailbox("ada@");
        for bounces in 1..3 {
            founder = send_digest(&server, &founder).await;
            assert_eq!(server.count(&BOUNCED, params![bounces]).await, 1);
        }
        founder = send_digest(&server, &founder).await;
        assert_eq!((smtp.attempts(), server.count(&DIGESTS, &[]).await), (7, 0));
        smtp.reject_mailbox("other@");
        send_digest(&server, &founder).await;
        assert_eq!(smtp.received().len(), 2);
    }

    /// proves: digest-late
    async fn a_digest_is_retried_hourly_for_a_day(mail) {
        sign_up_follower(&mail).await;
        let Mail { server, smtp } = mail;
        server.advance_clock(8 * DAY);
        smtp.next(Fault::Recipient("450 4.2.0 greylisted"));
        digest::enqueue_due(&server.state).await.unwrap();
        let now = server.state.now();
        server.wait_for_count(&LATER, params![now + HOUR], 1).await;
        server.advance_clock(59 * MINUTE);
        smtp.next(Fault::Recipient("450 4.2.0 greylisted"));
        server.state.mail.notify_one();
        server.advance_clock(MINUTE);
        server.state.mail.notify_one();
        server.wait_for_count(&LATER, params![now + 2 * HOUR], 1).await;
        wait_for_attempts(&smtp, 3).await;
        server.advance_clock(DAY);
        server.state.mail.notify_one();
        server.wait_for_mail_queue().await;
        assert_eq!((smtp.attempts(), smtp.received().len()), (3, 1), "given up");
        assert_eq!(server.count(&BOUNCED, params![0]).await, 1);
    }
}
