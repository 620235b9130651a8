//! Reports, roles, decisions and their audit log.

mod audit;
mod invites;
mod notices;
mod queue;
mod races;
mod removed_posts;
mod reports;
mod roles;
mod sanction_ends;
mod suspended;

use crate::harness::{Browser, TestResponse, id_of};
use axum::http::Method;
use serde_json::{Value, json};

/// Reports a post and expects success.
async fn report(who: &Browser, post: &str, reason: &str) -> Value {
    let body = json!({"postId": post, "reason": reason});
    who.post("/api/reports", body).await.expect(200)
}

/// The cases in a moderator's queue.
async fn queue(who: &Browser) -> Value {
    who.get("/api/admin/reports").await.expect(200)
}

/// The id of the case that was reported last.
async fn first_case(who: &Browser) -> String {
    id_of(&queue(who).await[0])
}

/// Decides a case.
async fn decide(who: &Browser, case: &str, action: &str) -> TestResponse {
    let path = format!("/api/admin/reports/{case}/resolve");
    let body = json!({"action": action, "note": "why"});
    who.post(&path, body).await
}

/// Applies an action to a member by `PUT` or undoes it by `DELETE`.
async fn act(who: &Browser, method: Method, member: &str, what: &str) -> TestResponse {
    let path = format!("/api/admin/members/{member}/{what}");
    who.json(method, &path, json!({"role": "member"})).await
}

/// Removes a post, which need not have been reported.
async fn remove(who: &Browser, post: &str) -> TestResponse {
    let path = format!("/api/admin/posts/{post}/removal");
    who.json(Method::PUT, &path, json!({"note": "why"})).await
}

/// The actions in the audit log, newest first, without those of the test's setup.
async fn actions(admin: &Browser) -> Vec<String> {
    let log = admin.get("/api/admin/audit").await.expect(200);
    let rows = log.as_array().unwrap().iter();
    let rows = rows.filter(|row| !row["actor"].is_null());
    rows.map(|row| row["action"].as_str().unwrap().to_owned()).collect()
}
