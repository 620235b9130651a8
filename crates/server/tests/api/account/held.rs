//! Writes that run or wait while an account is erased.

use super::behind::{DELETIONS, LOCK_WAITS, send_across_suspension, sign_up};
use super::leaving::{order_deletion, run_deletions};
use crate::harness::{Server, id_of};
use crate::media::{small, upload};
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::sync::Arc;

const SOURCES: Sql = sql!("select count(*) from image_sources where owner_id = $1");
const INVITED: Sql = sql!("select count(*) from members where invited_by = $1");

/// Opens another connection to the server's database, to lock rows.
pub(super) async fn connect(server: &Server) -> tokio_postgres::Client {
    let url = &server.state.settings.store.database_url;
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// Returns the body of a post with an uploaded image.
fn post_with_image(image: &str) -> serde_json::Value {
    json!({"content": "a picture", "imageUrls": [image]})
}

/// A member who signs up with a code while its owner is erased has no inviter.
/// proves: leave-joining
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_member_who_signs_up_during_an_erasure_has_no_inviter() {
    let server = Arc::new(Server::postgres().await);
    let (ada, adas) = sign_up(&server, "ada").await;
    let (_, bobs) = sign_up(&server, "bob").await;
    let code = ada.post_empty("/api/invites").await.expect(201)["code"].clone();
    let code = code.as_str().unwrap().replace('-', "");
    let client = connect(&server).await;
    // The statements of a sign-up.
    let join = format!(
        "begin;
         update invites set claimed_by = {bobs} where code = '{code}' and claimed_by is null;
         update member_invites set used_by = {bobs}, used_at = 1 where member_id = {adas} and code = '{code}';
         update members set invited_by = {adas} where id = {bobs}"
    );
    client.batch_execute(&join).await.unwrap();
    order_deletion(&server, &adas.to_string(), 0).await;
    let deletion = tokio::spawn({
        let server = server.clone();
        async move { run_deletions(&server).await }
    });
    while server.count(&LOCK_WAITS, &[]).await == 0 {
        assert!(!deletion.is_finished());
        tokio::task::yield_now().await;
    }
    let invited = client.query_one(INVITED.postgres, &[&adas]).await.unwrap();
    assert_eq!(invited.get::<_, i64>(0), 1);
    client.batch_execute("commit").await.unwrap();
    deletion.await.unwrap();
    assert_eq!(server.count(&DELETIONS, params![adas]).await, 0);
    assert_eq!(server.count(&INVITED, params![adas]).await, 0);
}

/// An image processed while its owner is erased is not stored.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_processed_during_an_erasure_is_not_stored() {
    let server = Server::sqlite().await;
    let (ada, adas) = sign_up(&server, "ada").await;
    let post = post_with_image(&upload(&ada, small(1)).await);
    let response = send_across_suspension(&server, adas, ada.post("/api/posts", post)).await;
    assert_eq!(response.error_code(401), "unauthorized");
    assert_eq!(server.count(&SOURCES, params![adas]).await, 0);
}

/// On PostgreSQL an image whose row is locked while its owner is erased is not stored.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_image_locked_during_an_erasure_is_not_stored() {
    let server = Server::postgres().await;
    let (ada, adas) = sign_up(&server, "ada").await;
    // An earlier upload has the same content, and no post shows it any more.
    let earlier = post_with_image(&upload(&ada, small(1)).await);
    let earlier = id_of(&ada.create(earlier).await);
    ada.delete(&format!("/api/posts/{earlier}")).await.expect(204);
    let post = post_with_image(&upload(&ada, small(1)).await);
    let client = connect(&server).await;
    let hold = "begin; update images set uses = uses";
    client.batch_execute(hold).await.unwrap();
    let request = tokio::spawn(async move { ada.post("/api/posts", post).await });
    while server.count(&LOCK_WAITS, &[]).await == 0 {
        assert!(!request.is_finished());
        tokio::task::yield_now().await;
    }
    order_deletion(&server, &adas.to_string(), 0).await;
    run_deletions(&server).await;
    assert_eq!(server.count(&DELETIONS, params![adas]).await, 0);
    client.batch_execute("commit").await.unwrap();
    assert_eq!(request.await.unwrap().error_code(401), "unauthorized");
    assert_eq!(server.count(&SOURCES, params![adas]).await, 0);
}
