//! What comes while an account is deleted, or waits meanwhile.

use super::behind::{DELETIONS, WAITING, behind, one};
use super::leaving::{order, work};
use crate::harness::{Server, id_of};
use crate::media::{small, upload};
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::sync::Arc;

const SOURCES: Sql = sql!("select count(*) from image_sources where owner_id = $1");
const INVITED: Sql = sql!("select count(*) from members where invited_by = $1");

/// Another connection to the server's database, for holding rows.
async fn beside(server: &Server) -> tokio_postgres::Client {
    let url = &server.app.settings.store.database_url;
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// A post that shows a file that was sent.
fn showing(image: &str) -> serde_json::Value {
    json!({"content": "a picture", "imageUrls": [image]})
}

/// Who joins with a code at the moment at which its owner's account is deleted was invited by nobody.
/// proves: leave-joining
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_joins_meanwhile_was_invited_by_nobody() {
    let server = Arc::new(Server::postgres().await);
    let (ada, adas) = one(&server, "ada").await;
    let (_, bobs) = one(&server, "bob").await;
    let code = ada.poke("/api/invites").await.expect(201)["code"].clone();
    let code = code.as_str().unwrap().replace('-', "");
    let client = beside(&server).await;
    // As a sign-up does.
    let join = format!(
        "begin;
         update invites set claimed_by = {bobs} where code = '{code}' and claimed_by is null;
         update member_invites set used_by = {bobs}, used_at = 1 where member_id = {adas} and code = '{code}';
         update members set invited_by = {adas} where id = {bobs}"
    );
    client.batch_execute(&join).await.unwrap();
    order(&server, &adas.to_string(), 0).await;
    let deletion = tokio::spawn({
        let server = server.clone();
        async move { work(&server).await }
    });
    while server.count(&WAITING, &[]).await == 0 {
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

/// A picture that is worked on while its owner's account is deleted is nobody's.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_was_worked_on_meanwhile_is_nobodys() {
    let server = Server::sqlite().await;
    let (ada, adas) = one(&server, "ada").await;
    let post = showing(&upload(&ada, small(1)).await);
    let answer = behind(&server, adas, ada.post("/api/posts", post)).await;
    assert_eq!(answer.refusal(401), "unauthorized");
    assert_eq!(server.count(&SOURCES, params![adas]).await, 0);
}

/// The same on PostgreSQL, where its row is waited for.
/// proves: leave-behind
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_picture_that_waited_meanwhile_is_nobodys() {
    let server = Server::postgres().await;
    let (ada, adas) = one(&server, "ada").await;
    // The image of an earlier file is the same, and nothing shows it any more.
    let earlier = showing(&upload(&ada, small(1)).await);
    let earlier = id_of(&ada.create(earlier).await);
    ada.delete(&format!("/api/posts/{earlier}"))
        .await
        .expect(204);
    let post = showing(&upload(&ada, small(1)).await);
    let client = beside(&server).await;
    let hold = "begin; update images set uses = uses";
    client.batch_execute(hold).await.unwrap();
    let call = tokio::spawn(async move { ada.post("/api/posts", post).await });
    while server.count(&WAITING, &[]).await == 0 {
        assert!(!call.is_finished());
        tokio::task::yield_now().await;
    }
    order(&server, &adas.to_string(), 0).await;
    work(&server).await;
    assert_eq!(server.count(&DELETIONS, params![adas]).await, 0);
    client.batch_execute("commit").await.unwrap();
    assert_eq!(call.await.unwrap().refusal(401), "unauthorized");
    assert_eq!(server.count(&SOURCES, params![adas]).await, 0);
}
