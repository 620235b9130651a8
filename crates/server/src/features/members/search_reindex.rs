//! Adds members who joined before the search index existed to it.

use crate::features::members::search_index::index_member;
use crate::features::members::store::lock_member;
use crate::platform::ids::Id;
use kith_db::{Db, Error, Result, Sql, Tx, params, sql};

/// Members indexed per transaction.
const BATCH: usize = 100;

const UNINDEXED: Sql = sql!("select id from members where search_key is null order by id limit $1");

/// Indexes members without a search key: those who joined before the index existed.
pub async fn index_all(db: &Db) -> Result<()> {
    loop {
        let members = db.reader().all(&UNINDEXED, params![BATCH], |row| row.int(0)).await?;
        if members.is_empty() {
            return Ok(());
        }
        db.write(IndexMembers { members }).await?;
    }
}

struct IndexMembers {
    members: Vec<i64>,
}

impl kith_db::Write for IndexMembers {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        for member in &self.members {
            // Waits for a concurrent change of the name.
            lock_member(tx, Id(*member)).await?;
            index_member(tx, Id(*member)).await?;
        }
        Ok(())
    }
}
