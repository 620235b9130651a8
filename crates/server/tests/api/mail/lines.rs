//! What goes first when many mails wait.

use super::office::Fault;
use super::{Mail, ask, log_in, taken, through_smtp, tried};
use crate::harness::{Server, id_of, on_both_engines};
use kith::features::auth::Email;
use kith::features::moderation::{Actor, AdmitPeople};
use kith::platform::clock::{DAY, MINUTE};
use kith::platform::jobs::{Job, enqueue};
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

const WAITING: Sql = sql!("select count(*) from jobs");
const LATER: Sql = sql!("select count(*) from jobs where run_at > $1");

/// Lets so many in from the waitlist at once, as an operator's command does.
async fn admit(server: &Server, count: usize) {
    let mut emails = Vec::new();
    for n in 0..count {
        let email = format!("w{n}@example.org");
        let visitor = server.visitor();
        visitor
            .post("/api/waitlist", json!({"email": email}))
            .await
            .expect(200);
        emails.push(Email::parse(&email).unwrap());
    }
    let admit = AdmitPeople::new(&server.app, Actor::Operator, emails);
    server.app.db.write(admit).await.unwrap();
    server.app.mail.notify_one();
}

/// More invites than other mails may wait, for a day that does not come.
struct ManyInvites(Vec<Job>);

impl kith_db::Write for ManyInvites {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for job in &self.0 {
            enqueue(tx, job).await?;
        }
        Ok(())
    }
}

through_smtp! {
    /// A thousand were let in, and the mail server stalls over the first of them: who asks for a link
    /// has their mail all the same, before any of those.
    /// proves: mail-asked-first
    async fn a_login_mail_waits_for_no_invites(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Hesitate);
        admit(&server, 1_000).await;
        tried(&office, 1).await;
        for (n, name) in ["ada", "bob", "cat"].into_iter().enumerate() {
            ask(&server, name).await;
            log_in(&server, &taken(&office, n + 1).await[n]).await;
        }
        server.comes_to(&WAITING, &[], 1_000).await;
        office.release();
        while office.taken().len() < 6 {
            tokio::task::yield_now().await;
        }
        assert!(office.taken()[3..].iter().all(|mail| mail.contains("To: w")));
    }

    /// Strangers ask for nobody's address and for a member's, again and again: their wishes come to the same at once, and
    /// a newcomer's mail need not wait until each was looked at for itself.
    /// proves: mail-same
    async fn wishes_for_one_address_delay_nobody(mail) {
        let Mail { server, office } = mail;
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.pass(MINUTE);
        for name in ["bob", "cat", "dan"] {
            office.next(Fault::Hesitate);
            ask(&server, name).await;
        }
        tried(&office, 4).await;
        for n in 0..1_600 {
            let name = if n % 2 == 0 { "nobody" } else { "ada" };
            let body = json!({"email": format!("{name}@example.org")});
            server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        }
        ask(&server, "eve").await;
        office.release();
        let mut mails = taken(&office, 6).await.split_off(4);
        mails.sort_by_key(|mail| mail.contains("To: eve@example.org"));
        assert!(mails[0].contains("To: ada@example.org"), "once");
        assert!(mails[1].contains("To: eve@example.org"));
        server.comes_to(&WAITING, &[], 0).await;
        assert_eq!(office.taken().len(), 6);
    }

    /// Their mail cannot be delivered for now: the others are not tried one after the other.
    /// proves: mail-same
    async fn wishes_wait_together_for_a_mailbox(mail) {
        let Mail { server, office } = mail;
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.pass(MINUTE);
        for (n, name) in ["bob", "cat", "dan"].into_iter().enumerate() {
            office.next(Fault::Hesitate);
            ask(&server, name).await;
            tried(&office, n + 2).await;
        }
        for _ in 0..9 {
            office.next(Fault::Recipient("452 the mailbox is full"));
            let body = json!({"email": "ada@example.org"});
            server.visitor().post("/api/auth/request-login-link", body).await.expect(200);
        }
        office.release();
        let now = server.app.now();
        server.comes_to(&LATER, params![now], 9).await;
        // One of the nine, and at most one more that the worker had not read when the first failed.
        assert!((5..=6).contains(&office.tries()), "{} tries", office.tries());
        office.forgive();
        server.pass(MINUTE);
        server.app.mail.notify_one();
        server.comes_to(&WAITING, &[], 0).await;
        assert_eq!(office.taken().len(), 5);
    }

    /// Strangers who have an invite code ask for mails to many addresses, which wait for each other. Whoever asks
    /// after them does not wait for any.
    /// proves: mail-same
    async fn wishes_with_one_code_delay_nobody(mail) {
        let Mail { server, office } = mail;
        let invite = server.founder().await.poke("/api/invites").await.expect(201);
        office.next(Fault::Hesitate);
        for n in 0..1_000 {
            let body = json!({"email": format!("w{n}@example.org"), "inviteCode": invite["code"]});
            server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
        }
        tried(&office, 1).await;
        ask(&server, "eve").await;
        let mails = taken(&office, 1).await;
        assert!(mails[0].contains("To: eve@example.org"));
        assert_eq!(office.tries(), 2, "the others still wait");
        office.release();
        // A code has fifty; what waits beyond that comes to nothing at once.
        taken(&office, 51).await;
        server.comes_to(&WAITING, &[], 0).await;
        assert_eq!(office.taken().len(), 51);
    }

    /// A wish that came with a code, or the other mail of a change of address, is another wish.
    /// proves: mail-same
    async fn wishes_with_a_code_are_not_those_without(mail) {
        let Mail { server, office } = mail;
        office.next(Fault::Hesitate);
        ask(&server, "ada").await;
        tried(&office, 1).await;
        let nobody = json!({"email": "eve@example.org"});
        for _ in 0..3 {
            server.visitor().post("/api/auth/request-login-link", nobody.clone()).await.expect(200);
        }
        ask(&server, "eve").await;
        server.visitor().post("/api/auth/request-login-link", nobody).await.expect(200);
        office.release();
        let mails = taken(&office, 2).await;
        assert!(mails.iter().any(|mail| mail.contains("To: eve@example.org")));
        server.comes_to(&WAITING, &[], 0).await;
    }

    /// A code that went while its mails wait mails nobody, a member neither.
    /// proves: link-code-all
    async fn a_code_that_went_mails_no_member(mail) {
        let Mail { server, office } = mail;
        ask(&server, "ada").await;
        log_in(&server, &taken(&office, 1).await[0]).await;
        server.pass(MINUTE);
        let founder = server.founder().await;
        let invite = founder.poke("/api/invites").await.expect(201);
        let ask = async |name: &str| {
            let body = json!({"email": format!("{name}@example.org"), "inviteCode": invite["code"]});
            let visitor = server.visitor();
            visitor.post("/api/auth/request-magic-link", body).await.expect(200);
        };
        office.next(Fault::Hesitate);
        ask("eve").await;
        tried(&office, 2).await;
        ask("ada").await;
        founder.delete(&format!("/api/invites/{}", id_of(&invite))).await.expect(204);
        office.release();
        server.comes_to(&WAITING, &[], 0).await;
        assert_eq!(office.taken().len(), 2, "the second is the stranger's");
    }
}

on_both_engines! {
    /// Invites do not count in the mails that may wait before nobody can ask any more.
    /// proves: mail-asked-first
    async fn invites_take_no_place_of_a_login_mail(server) {
        let email = Email::parse("eve@example.org").unwrap();
        let later = server.app.now() + DAY;
        let job = |_| Job::invite_mail(server.app.id(), email.as_str(), "ABCDEFGHJKMN", later);
        let many = ManyInvites((0..10_001).map(job).collect());
        server.app.db.write(many).await.unwrap();
        let ada = server.member("ada").await;
        assert_eq!(ada.me().await["email"], "ada@example.org");
        server.comes_to(&WAITING, &[], 10_001).await;
    }

    /// However many leave at once, a code is not used for one mail too many.
    /// proves: link-code-share
    async fn a_code_mails_a_few_strangers_only_at_once(server) {
        let code = server.operator_code().await;
        let ask = async |n: usize| {
            let body = json!({"email": format!("s{n}@example.org"), "inviteCode": code});
            let visitor = server.visitor();
            visitor.post("/api/auth/request-magic-link", body).await.expect(200);
        };
        futures_util::future::join_all((0..60).map(ask)).await;
        server.mail_settles().await;
        assert_eq!(server.mails().len(), 50);
    }
}
