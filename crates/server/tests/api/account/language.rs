//! Language of mails.

use super::account;
use crate::harness::{Browser, Server, on_both_engines};
use axum::http::Method;
use kith::features::auth::Email;
use kith::features::moderation::{Actor, AdmitPeople};
use kith::platform::clock::MINUTE;
use serde_json::{Value, json};

const GERMAN: &str = "Kith · Das menschliche Netzwerk";
const ENGLISH: &str = "Kith · The human network";
const PATH: &str = "/api/account/language";

async fn request(browser: &Browser, path: &str, language: &str, body: Value) {
    let headers = [("content-type", "application/json"), ("accept-language", language)];
    browser.request("POST", path, &headers, body.to_string()).await.expect(200);
}

/// Requests a login link and returns the mail's plain text, without line breaks of the encoding.
async fn login_mail(server: &Server, name: &str, language: &str) -> String {
    server.advance_clock(2 * MINUTE);
    let email = format!("{name}@example.org");
    let body = json!({"email": email});
    request(&server.visitor(), "/api/auth/request-login-link", language, body).await;
    decoded(&server.mail_to(&email).await)
}

/// Undoes the encoding of the letters in the signatures.
fn decoded(mail: &str) -> String {
    mail.replace("=C2=B7", "·")
}

on_both_engines! {
    /// proves: mail-language, call-set-language
    async fn mails_are_in_the_members_language(server) {
        let ada = server.member("ada").await;
        assert_eq!(account(&ada).await["language"], Value::Null);
        assert!(login_mail(&server, "ada", "de-AT,de;q=0.9").await.contains(GERMAN));
        assert!(login_mail(&server, "ada", "fr").await.contains(ENGLISH));
        ada.json(Method::PUT, PATH, json!({"language": "de"})).await.expect(204);
        assert_eq!(account(&ada).await["language"], "de");
        assert!(login_mail(&server, "ada", "en").await.contains(GERMAN));
        ada.post("/api/account/email", json!({"email": "new@example.org"})).await.expect(200);
        for email in ["ada@example.org", "new@example.org"] {
            assert!(decoded(&server.mail_to(email).await).contains(GERMAN), "{email}");
        }
        ada.json(Method::PUT, PATH, json!({"language": "en"})).await.expect(204);
        assert!(login_mail(&server, "ada", "de").await.contains(ENGLISH));
    }

    async fn an_unknown_language_is_rejected(server) {
        let ada = server.member("ada").await;
        for body in [json!({"language": "fr"}), json!({"language": null}), json!({})] {
            let answer = ada.json(Method::PUT, PATH, body.clone()).await;
            assert!(answer.status.is_client_error(), "{body}: {}", answer.status);
        }
        assert_eq!(account(&ada).await["language"], Value::Null);
        let answer = server.visitor().json(Method::PUT, PATH, json!({"language": "de"})).await;
        assert_eq!(answer.status, 401);
    }

    /// proves: mail-language
    async fn an_invite_is_in_the_language_of_the_waitlist_request(server) {
        for (email, language) in [("a@example.org", "de"), ("b@example.org", "en, de;q=0.5")] {
            let body = json!({"email": email});
            request(&server.visitor(), "/api/waitlist", language, body).await;
            let email = Email::parse(email).unwrap();
            let admit = AdmitPeople::new(&server.state, Actor::Operator, vec![email]);
            server.state.db.write(admit).await.unwrap();
        }
        server.state.mail.notify_one();
        assert!(decoded(&server.mail_to("a@example.org").await).contains(GERMAN));
        assert!(decoded(&server.mail_to("b@example.org").await).contains(ENGLISH));
    }
}
