//! Permissions of roles.

use super::{act, actions, decide, first_case, queue, remove, report};
use crate::harness::{Browser, on_both_engines};
use crate::routes;
use axum::http::Method;
use kith::features::members::{Role, SanctionKind};
use kith::platform::clock::DAY;
use serde_json::json;

/// Endpoints for moderators; all others below `/api/admin` need an admin.
const MODERATORS: [&str; 12] = [
    "GET /api/admin/reports",
    "POST /api/admin/reports/{id}/resolve",
    "GET /api/admin/objections",
    "POST /api/admin/objections/{id}/resolve",
    "GET /api/admin/removed-posts",
    "PUT /api/admin/posts/{id}/removal",
    "DELETE /api/admin/posts/{id}/removal",
    "PUT /api/admin/members/{userId}/suspension",
    "DELETE /api/admin/members/{userId}/suspension",
    "PUT /api/admin/members/{userId}/invite-freeze",
    "DELETE /api/admin/members/{userId}/invite-freeze",
    "GET /api/admin/members",
];

/// Whether the endpoint responds as if it did not exist.
async fn is_hidden(who: &Browser, call: &routes::Call) -> bool {
    let headers = [("content-type", "application/json")];
    let body = r#"{"action": "dismiss", "role": "member"}"#;
    let answer = who.request(&call.method, &call.nowhere(), &headers, body).await;
    let text = String::from_utf8_lossy(&answer.bytes).into_owned();
    answer.status.as_u16() == 404 && text.contains("\"no_such_call\"")
}

on_both_engines! {
    /// Every endpoint with every role: without permission it does not exist.
    /// proves: roles-calls, safe-roles
    async fn each_role_has_its_endpoints(server) {
        let member = server.member("ada").await;
        let moderator = server.with_role("mia", Role::Moderator).await;
        let admin = server.admin("kim").await;
        let calls = routes::all().into_iter().filter(|call| call.path.starts_with("/api/admin/"));
        let calls = calls.collect::<Vec<_>>();
        assert_eq!(calls.len(), 21, "{calls:?}");
        for call in &calls {
            let name = format!("{} {}", call.method, call.path);
            let for_moderators = MODERATORS.contains(&name.as_str());
            assert!(is_hidden(&member, call).await, "{name}");
            assert_eq!(is_hidden(&moderator, call).await, !for_moderators, "{name}");
            assert!(!is_hidden(&admin, call).await, "{name}");
        }
        // The current role in the database applies, whatever the session began with.
        server.apply_sanction(&admin.name().await, SanctionKind::Role(Role::Member)).await.unwrap();
        for call in &calls {
            assert!(is_hidden(&admin, call).await, "{call:?}");
        }
    }

    /// Members of the same or a higher role and oneself cannot be acted on.
    /// proves: roles-rank
    async fn actions_need_a_higher_rank_than_the_target(server) {
        let founder = server.founder().await;
        let (mia, max) = (server.with_role("mia", Role::Moderator).await, server.with_role("max", Role::Moderator).await);
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let all = [("suspension", Method::PUT), ("suspension", Method::DELETE), ("invite-freeze", Method::PUT), ("invite-freeze", Method::DELETE)];
        for (who, target, code) in [(&mia, &max, "outranked"), (&mia, &kim, "outranked"), (&kim, &founder, "outranked"), (&mia, &mia, "yourself"), (&kim, &kim, "yourself")] {
            let id = target.id().await;
            for (what, method) in all.clone() {
                assert_eq!(act(who, method, &id, what).await.error_code(403), code, "{what}");
            }
            let post = target.write("mine").await;
            assert_eq!(remove(who, &post).await.error_code(403), code);
            target.get("/api/auth/me").await.expect(200);
            assert_eq!(target.get_post(&post).await["content"], "mine");
        }
        for target in [&kim, &founder] {
            act(&kim, Method::PUT, &target.id().await, "role").await.error_code(403);
        }
        let before = actions(&kim).await;
        assert!(before.is_empty(), "{before:?}");
        let id = ada.id().await;
        for (what, method) in all {
            act(&mia, method, &id, what).await.expect(204);
        }
        assert_eq!(actions(&kim).await, ["unfreeze_invites", "freeze_invites", "unsuspend", "suspend"]);
    }

    /// An action by an admin or the operator stays until one of that rank undoes it, even if a lower rank did the
    /// same before or repeats it.
    /// proves: roles-lift, operate-suspend
    async fn lower_ranks_cannot_undo_actions_of_higher_ones(server) {
        let (mia, kim) = (server.with_role("mia", Role::Moderator).await, server.admin("kim").await);
        let ada = server.member("ada").await;
        let (id, name) = (ada.id().await, ada.name().await);
        let both = [
            ("suspension", "suspendedAt", SanctionKind::Suspend, SanctionKind::Unsuspend),
            ("invite-freeze", "invitesFrozenAt", SanctionKind::FreezeInvites, SanctionKind::UnfreezeInvites),
        ];
        for (what, since, action, undo) in both {
            let put = async |who: &Browser| act(who, Method::PUT, &id, what).await.expect(204);
            let lift = async |who: &Browser| act(who, Method::DELETE, &id, what).await;
            let first = async || {
                put(&mia).await;
                kim.get("/api/admin/members").await.expect(200)[0][since].clone()
            };
            let begun = first().await;
            server.advance_clock(1);
            for who in [&kim, &mia] {
                put(who).await;
                assert_eq!(lift(&mia).await.error_code(403), "done_above", "{what}");
            }
            assert_eq!(first().await, begun, "{what} goes on since it began");
            lift(&kim).await.expect(204);
            server.apply_sanction(&name, action).await.unwrap();
            for who in [&mia, &kim] {
                put(who).await;
                assert_eq!(lift(who).await.error_code(403), "done_above", "{what}");
            }
            server.apply_sanction(&name, undo).await.unwrap();
            for who in [&mia, &kim] {
                lift(who).await.expect(204);
            }
            put(&mia).await;
            lift(&kim).await.expect(204);
        }
        let mut expected = Vec::new();
        for (done, undone) in [("freeze_invites", "unfreeze_invites"), ("suspend", "unsuspend")] {
            expected.extend([undone, done, undone, done, done]);
        }
        assert_eq!(actions(&kim).await, expected, "what changed nothing is no row");
    }

    /// Reports of a moderator are decided by others and hidden from that moderator.
    /// proves: queue-own, roles-rank
    async fn moderators_do_not_decide_reports_about_themselves(server) {
        let (mia, max) = (server.with_role("mia", Role::Moderator).await, server.with_role("max", Role::Moderator).await);
        let ada = server.member("ada").await;
        let post = mia.write("bad").await;
        report(&ada, &post, "hate").await;
        assert_eq!(queue(&mia).await, json!([]));
        let case = first_case(&max).await;
        let guessed = decide(&mia, "1", "dismiss").await;
        let own = decide(&mia, &case, "dismiss").await;
        assert_eq!((own.error_code(404), own.bytes), (guessed.error_code(404), guessed.bytes));
        for action in ["remove", "suspend"] {
            assert_eq!(decide(&max, &case, action).await.error_code(403), "outranked");
        }
        decide(&max, &case, "dismiss").await.expect(204);
    }

    /// Not even the operator can remove the last admin.
    /// proves: roles-last-admin
    async fn the_last_admin_stays(server) {
        let founder = server.founder().await;
        let name = founder.name().await;
        for action in [SanctionKind::Role(Role::Member), SanctionKind::Role(Role::Moderator), SanctionKind::Suspend] {
            let error = server.apply_sanction(&name, action).await.unwrap_err();
            assert_eq!(error.message(), "This is the last admin. Make someone else an admin first.");
        }
        server.apply_sanction(&name, SanctionKind::Role(Role::Admin)).await.unwrap();
        let kim = server.admin("kim").await;
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        let last = server.apply_sanction(&kim.name().await, SanctionKind::Role(Role::Member)).await.unwrap_err();
        assert_eq!(last.status().as_u16(), 409, "a suspended admin is none");
        let max = server.admin("max").await;
        let leaves = json!({"username": max.name().await});
        max.post("/api/account/deletion", leaves).await.expect(200);
        for action in [SanctionKind::Role(Role::Member), SanctionKind::Suspend] {
            let last = server.apply_sanction(&kim.name().await, action).await.unwrap_err();
            assert_eq!(last.status().as_u16(), 409, "nor is one who leaves");
        }
        max.delete("/api/account/deletion").await.expect(204);
        server.apply_sanction(&kim.name().await, SanctionKind::Role(Role::Member)).await.unwrap();
    }

    /// proves: roles-change, call-change-role, call-suspend, suspended-login
    async fn an_admin_changes_roles_and_suspends(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let id = ada.id().await;
        for role in ["moderator", "moderator", "admin"] {
            let path = format!("/api/admin/members/{id}/role");
            kim.json(Method::PUT, &path, json!({"role": role, "note": "helps"})).await.expect(204);
            assert_eq!(ada.me().await["role"], role);
        }
        assert_eq!(actions(&kim).await, ["change_role", "change_role"], "twice the same is once");
        let log = kim.get("/api/admin/audit").await.expect(200);
        assert_eq!((&log[0]["detail"], &log[0]["note"], &log[0]["member"]["id"]), (&json!("admin"), &json!("helps"), &json!(id)));
        let bob = server.member("bob").await;
        let bobs = bob.id().await;
        for _ in 0..2 {
            act(&kim, Method::PUT, &bobs, "suspension").await.expect(204);
        }
        bob.get("/api/auth/me").await.expect(401);
        // The link proves the email address; the suspension is shown to its owner only.
        server.advance_clock(DAY);
        let browser = server.visitor();
        let link = server.request_login_link(&browser, "bob").await;
        assert_eq!(browser.get(&link).await.expect(403)["message"], "Your account is suspended, so you can't log in for now.");
        let kim = server.log_in("kim").await;
        let bobs = kim.get("/api/admin/members").await.expect(200)[0].clone();
        assert!(bobs["suspendedAt"].is_string(), "{bobs}");
        act(&kim, Method::DELETE, bobs["id"].as_str().unwrap(), "suspension").await.expect(204);
        browser.get(&link).await.expect(200);
        browser.get("/api/auth/me").await.expect(200);
        assert_eq!(actions(&kim).await[..2], ["unsuspend", "suspend"]);
    }

    /// Invited members, recursively, in pages.
    /// proves: members-invited
    async fn moderators_see_invited_members(server) {
        let kim = server.with_role("kim", Role::Moderator).await;
        let ada = server.member("ada").await;
        let mut friends = Vec::new();
        for name in ["bob", "carl", "dora"] {
            let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
            friends.push(server.member_with(name, &code).await.id().await);
        }
        friends.reverse();
        let mut next = Some(format!("/api/admin/members?invitedBy={}&limit=2", ada.id().await));
        let mut seen = Vec::new();
        while let Some(path) = next {
            let page = kim.get(&path).await;
            for one in page.expect(200).as_array().unwrap() {
                assert_eq!(one["invitedBy"]["id"], json!(ada.id().await));
                seen.push(one["id"].as_str().unwrap().to_owned());
            }
            next = page.next();
        }
        assert_eq!(seen, friends);
        let none = kim.get(&format!("/api/admin/members?invitedBy={}", friends[0])).await;
        assert_eq!(none.expect(200), json!([]));
        assert_eq!(kim.get("/api/admin/members?invitedBy=7").await.error_code(404), "user_not_found");
    }

    /// By any part of a name, suspended or not, or all members in pages.
    /// proves: members-list, call-list-members
    async fn moderators_find_members(server) {
        let kim = server.with_role("kim", Role::Moderator).await;
        let ada = server.member("ada").await;
        ada.json(Method::PUT, "/api/users/profile", json!({"displayName": "Ada Lovelace"})).await.expect(200);
        server.apply_sanction(&ada.name().await, SanctionKind::Suspend).await.unwrap();
        for query in ["love", "ADA", &format!("@{}", kim.id().await)] {
            let found = kim.get(&format!("/api/admin/members?query={query}")).await.expect(200);
            let names = found.as_array().unwrap().iter().map(|one| one["displayName"].as_str().unwrap());
            let expected: &[&str] = if query.starts_with('@') { &[] } else { &["Ada Lovelace"] };
            assert_eq!(names.collect::<Vec<_>>(), expected, "{query}");
        }
        let mut next = Some("/api/admin/members?limit=1".to_owned());
        let mut seen = Vec::new();
        while let Some(path) = next {
            let page = kim.get(&path).await;
            let rows = page.expect(200);
            seen.extend(rows.as_array().unwrap().iter().map(|one| one["displayName"].as_str().unwrap().to_owned()));
            next = page.next();
        }
        assert_eq!(seen, ["Ada Lovelace", "New member", "Founder"]);
        let long = "x".repeat(101);
        let error = kim.get(&format!("/api/admin/members?query={long}")).await.expect(400);
        assert_eq!(error["fields"], json!({"query": "A search term can have at most 100 characters."}));
    }
}
