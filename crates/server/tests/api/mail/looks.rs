//! Look of every mail, whatever its purpose.

use crate::harness::{Server, on_both_engines};
use kith::features::auth::Email;
use kith::features::digest;
use kith::features::moderation::{Actor, AdmitPeople};
use kith::platform::clock::{DAY, MINUTE};
use kith::platform::mail::render_test_mail;
use serde_json::json;

const SITE: &str = "http://localhost:8080";

/// Waits for the mail queue, removes all mails from the outbox and returns their subjects and HTML.
async fn drain_outbox(server: &Server) -> Vec<(String, String)> {
    server.wait_for_mail_queue().await;
    let parts = server.mails().into_iter().map(|(path, text)| {
        std::fs::remove_file(path).unwrap();
        let subject = text.lines().find_map(|line| line.strip_prefix("Subject: "));
        let (_, html) = text.split_once("<!DOCTYPE html>").unwrap();
        (subject.unwrap().to_owned(), html.to_owned())
    });
    parts.collect()
}

/// Asserts that a mail loads no resource, links to this site only, and supports dark mode.
#[track_caller]
fn assert_looks(subject: &str, html: &str) {
    let flat = html.to_ascii_lowercase();
    for marker in [
        "<img",
        "<svg",
        "<picture",
        "<link",
        "<script",
        "<iframe",
        "src=",
        "background=",
        "url(",
        "@import",
        "cid:",
        "data:",
    ] {
        assert!(!flat.contains(marker), "{subject}: {marker}");
    }
    for (at, _) in flat.match_indices("//") {
        let scheme =
            flat[..at].rfind(|letter: char| !letter.is_ascii_alphabetic() && letter != ':');
        let url = &flat[scheme.map_or(0, |before| before + 1)..];
        let end = url.find(['"', '<', '/']).unwrap_or_default();
        assert!(url.starts_with(SITE), "{subject}: {}", &url[..end.max(20).min(url.len())]);
        let behind = url[SITE.len()..].chars().next();
        assert!(matches!(behind, Some('"' | '<' | '/' | '?')), "{subject}: {behind:?}");
    }
    assert!(html.contains(r#"<meta name="color-scheme" content="light dark">"#), "{subject}");
    assert!(html.contains(":root{color-scheme:light dark}"), "{subject}");
    let (_, dark) = html.split_once("@media(prefers-color-scheme:dark){").unwrap();
    for rule in ["body{background:#", "small{color:#", "a{color:#"] {
        assert!(dark.contains(rule), "{subject}: {rule}");
    }
}

on_both_engines! {
    /// proves: mail-plain-look
    async fn no_mail_loads_resources_and_each_supports_dark_mode(server) {
        let ada = server.member("ada").await;
        server.founder().await.write(&format!("hello @{}", ada.name().await)).await;
        server.advance_clock(8 * DAY);
        digest::enqueue_due(&server.state).await.unwrap();
        let mut mails = drain_outbox(&server).await;
        let body = json!({"email": "eve@example.org", "inviteCode": server.operator_code().await});
        server.visitor().post("/api/auth/request-magic-link", body).await.expect(200);
        mails.extend(drain_outbox(&server).await);
        server.advance_clock(2 * MINUTE);
        server.visitor().post("/api/auth/request-login-link", json!({"email": "ada@example.org"})).await.expect(200);
        let wait = json!({"email": "bob@example.org"});
        server.visitor().post("/api/waitlist", wait).await.expect(200);
        let bob = Email::parse("bob@example.org").unwrap();
        let admit = AdmitPeople::new(&server.state, Actor::Operator, vec![bob]);
        server.state.db.write(admit).await.unwrap();
        ada.post("/api/account/email", json!({"email": "new@example.net"})).await.expect(200);
        let deletion = json!({"username": ada.name().await});
        ada.post("/api/account/deletion", deletion).await.expect(200);
        mails.extend(drain_outbox(&server).await);
        let test = render_test_mail("me@example.org", SITE);
        mails.push((test.subject, test.html));
        mails.sort_unstable();
        for (subject, html) in &mails {
            assert_looks(subject, html);
        }
        let subjects = mails.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>();
        assert_eq!(subjects, [
            "Confirm your new email address for Kith",
            "Kith test email",
            "Welcome to Kith: your link to join",
            "You're invited to join Kith",
            "Your Kith account will be deleted",
            "Your email address for Kith is about to change",
            "Your link to log in to Kith",
            "Your week on Kith",
        ]);
    }
}
