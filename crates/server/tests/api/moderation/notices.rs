//! Notices of sanctions, objections, and the outcomes of reports.

use super::{act, decide, first_case, remove, report};
use crate::harness::{Browser, Server, TestResponse, on_both_engines};
use axum::http::Method;
use kith::features::members::{Role, SanctionKind};
use kith::features::moderation::{self, ObjectionAction, ResolveObjection};
use kith::platform::clock::{DAY, rfc3339};
use kith::platform::ids::Id;
use serde_json::{Value, json};

async fn notices(who: &Browser) -> Value {
    who.get("/api/moderation-notices").await.expect(200)
}

async fn object(who: &Browser, notice: &Value, text: &str) -> TestResponse {
    let path = format!("/api/moderation-notices/{}/objection", notice["id"].as_str().unwrap());
    who.post(&path, json!({"text": text})).await
}

async fn resolve(who: &Browser, notice: &Value, action: &str) -> TestResponse {
    let path = format!("/api/admin/objections/{}/resolve", notice["id"].as_str().unwrap());
    who.post(&path, json!({"action": action, "answer": "We looked again."})).await
}

/// Texts of the open objections that a moderator may decide about.
async fn objections(who: &Browser) -> Vec<String> {
    let list = who.get("/api/admin/objections").await.expect(200);
    let list = list.as_array().unwrap().iter();
    list.map(|row| row["notice"]["objection"]["text"].as_str().unwrap().to_owned()).collect()
}

/// Token of the link in the newest notice mailed to a member.
async fn mailed_token(server: &Server, name: &str) -> String {
    let mail = server.mail_to(&format!("{name}@example.org")).await;
    let (_, token) = mail.split_once("/notice#").unwrap();
    token.lines().next().unwrap().trim().to_owned()
}

on_both_engines! {
    /// proves: notice-sanction, notice-mail, notice-unread, call-notices
    async fn a_sanction_is_explained_to_the_member(server) {
        let (mia, ada) = (server.with_role("mia", Role::Moderator).await, server.member("ada").await);
        assert_eq!((notices(&ada).await, &ada.me().await["unreadNotices"]), (json!([]), &json!(0)));
        let id = ada.id().await;
        let end = rfc3339(server.state.now() + DAY);
        let path = format!("/api/admin/members/{id}/invite-freeze");
        let body = json!({"note": "internal", "rule": "Be kind.", "message": "Please stop.", "until": end});
        mia.json(Method::PUT, &path, body).await.expect(204);
        let notice = notices(&ada).await[0].clone();
        let expected = json!({
            "id": notice["id"], "type": "invites_frozen", "rule": "Be kind.", "message": "Please stop.",
            "createdAt": notice["createdAt"], "endsAt": end, "liftedAt": null, "post": null, "objection": null,
        });
        assert_eq!(notice, expected);
        let mail = server.mail_to("ada@example.org").await;
        for text in ["Your invites are frozen", "Rule: Be kind.", "Message from the moderators: Please stop."] {
            assert!(mail.contains(text), "{text}: {mail}");
        }
        assert!(!mail.contains("internal"), "{mail}");
        assert_eq!(ada.me().await["unreadNotices"], 1);
        ada.post_empty("/api/moderation-notices/read").await.expect(204);
        assert_eq!(ada.me().await["unreadNotices"], 0);
        // The freeze ends.
        server.advance_clock(DAY);
        moderation::lift_ended(&server.state).await.unwrap();
        assert!(notices(&ada).await[0]["liftedAt"].is_string());
        assert_eq!(object(&ada, &notice, "Why?").await.error_code(409), "lifted");
        // Roles and lifted sanctions write no notice.
        act(&server.admin("kim").await, Method::PUT, &id, "role").await.expect(204);
        act(&mia, Method::DELETE, &id, "invite-freeze").await.expect(204);
        assert_eq!(notices(&ada).await.as_array().unwrap().len(), 1);
    }

    /// proves: notice-link, notice-suspended, objection-once, objection-mail, call-notice-link
    async fn a_suspended_member_objects_by_the_mailed_link(server) {
        let (kim, mia) = (server.admin("kim").await, server.with_role("mia", Role::Moderator).await);
        let ada = server.member("ada").await;
        let id = ada.id().await;
        act(&mia, Method::PUT, &id, "suspension").await.expect(204);
        let token = mailed_token(&server, "ada").await;
        let visitor = server.visitor();
        let notice = visitor.post("/api/moderation-notices/by-link", json!({"token": token})).await.expect(200);
        assert_eq!((&notice["type"], &notice["objection"]), (&json!("suspended"), &json!(null)));
        let path = "/api/moderation-notices/by-link/objection";
        let by_link = async |text: &str| visitor.post(path, json!({"token": token, "text": text})).await;
        assert_eq!(by_link(" \u{200b}").await.error_code(400), "invalid");
        assert_eq!(by_link(&"x".repeat(1_001)).await.error_code(422), "invalid");
        let answer = by_link("It was a joke.").await.expect(200);
        assert_eq!(answer["objection"]["text"], "It was a joke.");
        assert_eq!(by_link("Again").await.error_code(409), "already_objected");
        for wrong in ["A", &token[1..], &format!("{token}A")] {
            let body = json!({"token": wrong});
            let error = visitor.post("/api/moderation-notices/by-link", body).await;
            assert_eq!(error.error_code(404), "notice_not_found", "{wrong}");
        }
        assert_eq!(objections(&kim).await, ["It was a joke."]);
        resolve(&kim, &notice, "accept").await.expect(204);
        let mail = server.mail_to("ada@example.org").await;
        for text in ["Your objection was accepted", "you can log in again", "We looked again."] {
            assert!(mail.contains(text), "{text}: {mail}");
        }
        server.advance_clock(DAY);
        let ada = server.log_in("ada").await;
        let objection = &notices(&ada).await[0]["objection"];
        assert_eq!((&objection["outcome"], &objection["answer"]), (&json!("accepted"), &json!("We looked again.")));
        assert_eq!(ada.me().await["unreadNotices"], 1);
    }

    /// proves: objection-other-moderator, objection-once, objection-audit, call-object, call-objections
    async fn another_moderator_decides_about_an_objection(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        let (ada, eve) = (server.member("ada").await, server.member("eve").await);
        let founder = server.founder().await;
        let post = ada.write("hello").await;
        remove(&mia, &post).await.expect(204);
        let notice = notices(&ada).await[0].clone();
        assert_eq!(notice["post"], json!({"id": post, "content": "hello"}));
        assert_eq!(object(&eve, &notice, "Not mine").await.error_code(404), "notice_not_found");
        object(&ada, &notice, "It was harmless.").await.expect(200);
        assert_eq!(object(&ada, &notice, "Again").await.error_code(409), "already_objected");
        let max = server.with_role("max", Role::Moderator).await;
        assert_eq!((objections(&mia).await, objections(&max).await), (vec![], vec!["It was harmless.".to_owned()]));
        assert_eq!(resolve(&mia, &notice, "accept").await.error_code(404), "objection_not_found");
        resolve(&max, &notice, "reject").await.expect(204);
        assert_eq!(resolve(&max, &notice, "accept").await.error_code(409), "objection_resolved");
        assert!(objections(&max).await.is_empty());
        let objection = &notices(&ada).await[0]["objection"];
        assert_eq!(objection["outcome"], "rejected");
        let row = founder.get("/api/admin/audit").await.expect(200)[0].clone();
        let row = (&row["action"], &row["note"]);
        assert_eq!(row, (&json!("reject_objection"), &json!("")));
        // Only the founder may lift an admin's sanction once the other admin has no role, so she decides about her own.
        let kim = server.admin("kim").await;
        act(&founder, Method::PUT, &eve.id().await, "invite-freeze").await.expect(204);
        object(&eve, &notices(&eve).await[0], "Unfair").await.expect(200);
        assert_eq!((objections(&founder).await, objections(&kim).await), (vec![], vec!["Unfair".to_owned()]));
        server.apply_sanction(&kim.name().await, SanctionKind::Role(Role::Member)).await.unwrap();
        assert_eq!(objections(&founder).await, ["Unfair"]);
    }

    /// Moderators decide neither about an admin's sanction nor about one of their own; the operator decides about all.
    /// proves: objection-rank
    async fn an_objection_is_decided_by_the_same_rank_or_a_higher_one(server) {
        let (kim, mia) = (server.admin("kim").await, server.with_role("mia", Role::Moderator).await);
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        act(&kim, Method::PUT, &ada.id().await, "invite-freeze").await.expect(204);
        act(&kim, Method::PUT, &mia.id().await, "invite-freeze").await.expect(204);
        server.apply_sanction(&bob.name().await, SanctionKind::FreezeInvites).await.unwrap();
        for (who, text) in [(&ada, "by ada"), (&mia, "by mia"), (&bob, "by bob")] {
            object(who, &notices(who).await[0], text).await.expect(200);
        }
        assert!(objections(&mia).await.is_empty());
        assert_eq!(objections(&server.founder().await).await, ["by ada", "by mia"]);
        let notice = notices(&bob).await[0].clone();
        assert_eq!(resolve(&kim, &notice, "accept").await.error_code(404), "objection_not_found");
        let all = moderation::load_objections(&server.state.db.reader(), None).await.unwrap();
        assert_eq!(all.len(), 3);
        let resolve = ResolveObjection {
            actor: moderation::Actor::Operator,
            notice: Id::parse(notice["id"].as_str().unwrap()),
            action: ObjectionAction::Accept,
            answer: String::new(),
            decided: server.state.id(),
            now: server.state.now(),
        };
        server.state.db.write(resolve).await.unwrap();
        assert_eq!(bob.me().await["invitesFrozen"], false);
    }

    /// proves: report-outcome, notice-unread, call-sent-reports
    async fn reporters_read_the_outcome(server) {
        let mia = server.with_role("mia", Role::Moderator).await;
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (first, second) = (bob.write("first").await, bob.write("second").await);
        report(&ada, &first, "spam").await;
        let sent = ada.get("/api/reports").await.expect(200);
        let kind = (&sent[0]["kind"], &sent[0]["username"], &sent[0]["outcome"], &sent[0]["resolvedAt"]);
        assert_eq!(kind, (&json!("post"), &json!(bob.name().await), &json!(null), &json!(null)));
        assert_eq!(ada.me().await["unreadNotices"], 0);
        decide(&mia, &first_case(&mia).await, "remove").await.expect(204);
        report(&ada, &second, "hate").await;
        decide(&mia, &first_case(&mia).await, "dismiss").await.expect(204);
        let sent = ada.get("/api/reports").await.expect(200);
        assert_eq!((&sent[0]["outcome"], &sent[1]["outcome"]), (&json!("no_action"), &json!("action_taken")));
        assert_eq!(ada.me().await["unreadNotices"], 2);
        ada.post_empty("/api/moderation-notices/read").await.expect(204);
        assert_eq!(ada.me().await["unreadNotices"], 0);
        // The author gets a notice of the removal alone.
        let notices = notices(&bob).await;
        assert_eq!(notices.as_array().unwrap().len(), 1);
        assert_eq!(notices[0]["type"], "post_removed");
    }

    /// proves: notice-limits
    async fn a_notice_has_a_short_rule_and_message(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let (id, post) = (ada.id().await, ada.write("x").await);
        for path in [format!("/api/admin/members/{id}/suspension"), format!("/api/admin/posts/{post}/removal")] {
            for body in [json!({"rule": "r".repeat(301)}), json!({"message": "m".repeat(1_001)})] {
                assert_eq!(kim.json(Method::PUT, &path, body).await.error_code(422), "invalid", "{path}");
            }
            let body = json!({"rule": "r".repeat(300), "message": "👋".repeat(1_000)});
            kim.json(Method::PUT, &path, body).await.expect(204);
        }
    }
}
