//! Conversations that a member is not notified of, by the post that they started with.

use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use kith_db::{Reader, Row, Sql, Tx, params, sql};
use serde::Serialize;

const FIND: Sql = sql!("select id from muted_conversations where member_id = $1 and post_id = $2");
const INSERT: Sql = sql!(
    "insert into muted_conversations (member_id, post_id, id) values ($1, $2, $3)
     on conflict (member_id, post_id) do nothing"
);
const DELETE: Sql = sql!("delete from muted_conversations where member_id = $1 and post_id = $2");
const LIST: Sql = sql!(
    "select post_id, id from muted_conversations where member_id = $1 and id < $2
     order by id desc limit $3"
);

/// A muted conversation, for the export of an account.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MutedConversation {
    post_id: Id,
    since: String,
}

/// Returns whether a member muted a conversation.
pub async fn is_conversation_muted(db: &Reader<'_>, member: Id, root: Id) -> kith_db::Result<bool> {
    Ok(db.opt(&FIND, params![member.0, root.0], |_| Ok(())).await?.is_some())
}

/// Mutes a conversation; `id` is the id of the new row.
pub async fn mute_conversation(tx: &Tx, member: Id, root: Id, id: Id) -> kith_db::Result<()> {
    tx.exec(&INSERT, params![member.0, root.0, id.0]).await.map(drop)
}

/// Unmutes a conversation.
pub async fn unmute_conversation(tx: &Tx, member: Id, root: Id) -> kith_db::Result<()> {
    tx.exec(&DELETE, params![member.0, root.0]).await.map(drop)
}

/// Lists a member's muted conversations with ids below `before`, newest first, and the cursor of the next page.
pub async fn list_muted_conversations(
    db: &Reader<'_>,
    member: Id,
    (before, limit): (i64, usize),
) -> kith_db::Result<(Vec<MutedConversation>, Option<i64>)> {
    let read = |row: &Row<'_>| Ok((Id(row.int(0)?), Id(row.int(1)?)));
    let rows = db.all(&LIST, params![member.0, before, limit], read).await?;
    let next = crate::http::pagination::next_cursor(&rows, limit, |(_, id)| id.0);
    let muted = |(post_id, id): (Id, Id)| MutedConversation { post_id, since: rfc3339(id.time()) };
    Ok((rows.into_iter().map(muted).collect(), next))
}
