//! Effects of operator commands, on both engines.

use crate::harness::{api_path_of, id_of, on_both_engines};
use crate::media::{small, upload};
use axum::http::Method;
use clap::Parser as _;
use kith::cli::Cli;
use kith::features::auth::{Email, create_operator_login_url};
use kith::features::media;
use kith::features::members::{Role, SanctionKind};
use kith::features::moderation::{self, AuditAction};
use kith::features::waitlist::{self, AdmitApplicants, AdmitOutcome};
use kith::http::extract::Page;
use kith::ops::consistency;
use kith::ops::doctor::{self, Verdict};
use kith::platform::clock::{Clock, DAY};
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Depth, Engine, Migration, Sql, Tx, sql};
use serde_json::json;

/// Corrupts stored counts.
struct Falsify(&'static Sql);

impl kith_db::Write for Falsify {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        tx.exec(self.0, &[]).await.map(drop)
    }
}

static LIKES: Sql = sql!("update posts set like_count = like_count + 1 where reply_to_id is null");
static USES: Sql = sql!("update images set uses = uses + 1");
static FOLLOWERS: Sql = sql!("update members set follower_count = 7");

on_both_engines! {
    /// The oldest entries are admitted first; a code is mailed once and works.
    /// proves: waitlist-admit, waitlist-joins
    async fn people_are_admitted_from_the_waitlist(server) {
        let visitor = server.visitor();
        for name in ["ada", "eve", "bob"] {
            visitor.post("/api/waitlist", json!({"email": format!("{name}@example.org")})).await.expect(200);
            server.advance_clock(1);
        }
        let reader = server.state.db.reader();
        let next = waitlist::load_longest_waiting(&reader, 2, false).await.unwrap();
        assert_eq!(next.iter().map(Email::as_str).collect::<Vec<_>>(), ["ada@example.org", "eve@example.org"]);
        let admitted = server.state.db.write(AdmitApplicants::new(&server.state, next.clone())).await.unwrap();
        assert!(admitted.iter().all(|(_, admission)| *admission == AdmitOutcome::Admitted));
        let mail = server.mail_to("ada@example.org").await;
        let code = mail.lines().find(|line| line.len() == 12 && line.chars().all(|c| c.is_ascii_alphanumeric()));
        server.member_with("ada", code.unwrap()).await;
        server.mail_to("eve@example.org").await;
        let eve = next[1..].to_vec();
        let again = server.state.db.write(AdmitApplicants::new(&server.state, eve)).await.unwrap();
        assert!(again.iter().all(|(_, admission)| *admission == AdmitOutcome::Before));
        server.wait_for_mail_queue().await;
        assert!(server.mails().is_empty(), "one code per email");
        let entries = waitlist::load_all_entries(&reader).await.unwrap();
        assert!(entries.iter().all(|entry| entry.email != "ada@example.org"), "who joined waits no more");
        let waiting = entries.iter().filter(|entry| entry.admitted_at.is_none());
        assert_eq!(waiting.map(|entry| entry.email.as_str()).collect::<Vec<_>>(), ["bob@example.org"]);
    }

    /// If one of several emails is unknown, none is admitted.
    async fn one_unknown_email_admits_none(server) {
        server.visitor().post("/api/waitlist", json!({"email": "ada@example.org"})).await.expect(200);
        let emails = ["ada@example.org", "x@example.org"].map(|text| Email::parse(text).unwrap());
        let error = server.state.db.write(AdmitApplicants::new(&server.state, emails.to_vec())).await.unwrap_err();
        assert_eq!(error.to_string(), "x@example.org is not on the waitlist; no applicant was admitted");
        let reader = server.state.db.reader();
        assert_eq!(waitlist::load_longest_waiting(&reader, 9, false).await.unwrap().len(), 1);
        server.wait_for_mail_queue().await;
        assert!(server.mails().is_empty());
    }

    /// proves: operate-suspend, operate-role
    async fn a_suspended_member_is_logged_out_immediately(server) {
        let ada = server.member("ada").await;
        let name = ada.name().await.to_uppercase();
        server.apply_sanction(&name, SanctionKind::Role(Role::Moderator)).await.unwrap();
        assert_eq!(ada.get("/api/auth/me").await.expect(200)["role"], "moderator");
        for _ in 0..2 {
            server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
            ada.get("/api/auth/me").await.expect(401);
        }
        for _ in 0..2 {
            server.apply_sanction(&name, SanctionKind::Unsuspend).await.unwrap();
            ada.get("/api/auth/me").await.expect(401);
        }
        server.advance_clock(DAY);
        server.log_in("ada").await.get("/api/auth/me").await.expect(200);
        let unknown = server.apply_sanction("unknown_user", SanctionKind::Suspend).await.unwrap_err();
        assert_eq!(unknown.status().as_u16(), 404);
    }

    /// A command ends all sessions after a restore by other means than `kith restore`.
    /// proves: operate-sign-out-everybody
    async fn a_command_logs_all_members_out(server) {
        let (ada, visitor) = (server.member("ada").await, server.visitor());
        let (founder, name) = (server.founder().await, ada.name().await);
        server.advance_clock(61_000);
        let link = server.request_login_link(&visitor, "ada").await;
        ada.post("/api/account/email", json!({"email": "attacker@example.org"})).await.expect(200);
        assert!(ada.get("/api/account").await.expect(200).to_string().contains("attacker@"));
        let store = &server.state.settings.store;
        let data = store.data.to_str().unwrap();
        let everybody = ["kith", "member", "sign-out", "--everybody", "--data", data, "--database-url", &store.database_url];
        Cli::try_parse_from(everybody).unwrap().execute().await.unwrap();
        // Changes by other processes are detected within 100 ms; commands wait one second for it.
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        for one in [&ada, &founder] {
            one.get("/api/auth/me").await.expect(401);
        }
        visitor.get(&link).await.error_code(410);
        let log = moderation::load_audit_page(&server.state.db.reader(), Page { limit: 1, offset: 0, before: i64::MAX }).await.unwrap();
        assert_eq!((log[0].action, log[0].detail.as_str()), (Some(AuditAction::SignOut), "everybody"));
        let again = server.visitor();
        again.get(&api_path_of(&create_operator_login_url(&server.state, &name).await.unwrap())).await.expect(200);
        let account = again.get("/api/account").await.expect(200).to_string();
        assert!(!account.contains("attacker@"), "{account}");
        for wrong in [&everybody[..3], &["kith", "member", "sign-out", "ada", "--everybody"]] {
            assert!(Cli::try_parse_from(wrong).is_err(), "{wrong:?}");
        }
    }

    /// Correct counts are not reported, and a wrong one is.
    async fn every_count_is_verified(server) {
        let (founder, ada) = (server.founder().await, server.member("ada").await);
        let post = id_of(&founder.create(json!({"content": "one", "pollOptions": ["a", "b"]})).await);
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        ada.post(&format!("/api/posts/{post}/vote"), json!({"option": "a"})).await.expect(200);
        let reply = ada.reply(&post, "two").await;
        founder.reply(&reply, "three").await;
        ada.repost(&post).await;
        ada.follow(&founder).await;
        let picture = upload(&founder, small(1)).await;
        for content in ["with a picture", "and once more"] {
            founder.create(json!({"content": content, "imageUrls": [picture]})).await;
        }
        let avatar = json!({"imageURL": upload(&ada, small(2)).await});
        ada.json(Method::PUT, "/api/profile-images", avatar).await.expect(200);
        let shown = founder.create(json!({"content": "gone", "imageUrls": [upload(&founder, small(3)).await]})).await;
        founder.delete(&format!("/api/posts/{}", id_of(&shown))).await.expect(204);
        let gone = ada.reply(&post, "gone").await;
        ada.delete(&format!("/api/posts/{gone}")).await.expect(204);
        let db = &server.state.db;
        assert!(consistency::find_count_mismatches(db).await.unwrap().is_empty());
        db.write(Falsify(&LIKES)).await.unwrap();
        let mut wrong = consistency::find_count_mismatches(db).await.unwrap();
        assert!(wrong.len() == 1 && wrong[0].0 == "likes of a post" && wrong[0].1 > 0, "{wrong:?}");
        db.write(Falsify(&FOLLOWERS)).await.unwrap();
        wrong = consistency::find_count_mismatches(db).await.unwrap();
        assert_eq!(wrong[1], ("followers of a member", 2));
        db.write(Falsify(&USES)).await.unwrap();
        wrong = consistency::find_count_mismatches(db).await.unwrap();
        assert_eq!(wrong[2], ("uses of an image", 3));
    }

    /// Only files of visible images are checked.
    async fn images_without_files_are_found(server) {
        let founder = server.founder().await;
        let url = upload(&founder, small(1)).await;
        let post = founder.post("/api/posts", json!({"content": "x", "imageUrls": [url]})).await.expect(201);
        let stock = || media::verify_files(&server.state.db, &server.state.storage, |_| {});
        let whole = stock().await.unwrap();
        assert_eq!((whole.images, whole.missing.len()), (1, 0));
        let key = post["images"][0]["url"].as_str().unwrap().trim_start_matches('/');
        server.state.storage.delete(key).await.unwrap();
        assert_eq!(stock().await.unwrap().missing, [key]);
    }

    /// The health check names the engine's version and distinguishes applied from unknown migrations.
    /// proves: operate-doctor-clocks, operate-doctor-bucket
    async fn database_health_is_reported(server) {
        let config = server.state.settings.store.database();
        let look = async |migrations: &[Migration]| kith_db::health(&config, migrations, Depth::Pages).await;
        let health = look(MIGRATIONS).await.unwrap();
        let engine = match server.state.db.engine() {
            Engine::Sqlite => "SQLite 3.",
            Engine::Postgres => "PostgreSQL 1",
        };
        assert!(health.engine.starts_with(engine), "{health:?}");
        assert_eq!(health.missing, 0);
        // The test cluster may run without fsync.
        assert!(health.faults.iter().all(|fault| fault.starts_with("fsync is off")), "{health:?}");
        let next = Migration { version: 1_000, name: "1000_next", sql: "" };
        assert_eq!(look(&[MIGRATIONS, &[next]].concat()).await.unwrap().missing, 1);
        let error = look(&MIGRATIONS[1..]).await.unwrap_err();
        assert!(error.to_string().contains("newer version of kith"), "{error}");
        let checks = doctor::run_checks(&server.state.settings, &Clock::system(), None).await;
        let storage = checks.iter().find(|check| check.name == "storage").unwrap();
        assert_eq!(storage.verdict, Verdict::Ok, "{storage:?}");
        let database = checks.iter().find(|check| check.name == "database").unwrap();
        assert!(database.found.starts_with(engine), "{database:?}");
        for name in ["database clock", "uploads"] {
            let check = checks.iter().find(|check| check.name == name);
            assert_eq!(check.is_some(), server.state.db.engine() == Engine::Postgres, "{checks:?}");
            assert!(check.is_none_or(|check| check.verdict == Verdict::Ok), "{check:?}");
        }
    }
}
