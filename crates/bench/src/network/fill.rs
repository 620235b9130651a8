//! Writes a network into a SQLite file: each table in the order of its key, without its indexes,
//! which are made at the end.

mod deeds;
mod members;
mod posts;

use super::plan::People;
use super::story::Story;
use anyhow::Result;
use rusqlite::Connection;
use std::path::Path;

/// Nothing here survives a crash, which is as it should be: who made half a network makes another.
const FAST: &str = "pragma journal_mode = off; pragma synchronous = off; \
    pragma cache_size = -1000000; pragma temp_store = memory; pragma threads = 2;";

/// A network on its way into a file.
pub(super) struct Fill<'a> {
    conn: Connection,
    people: &'a People,
    story: &'a Story,
    /// What makes the indexes that were dropped.
    indexes: Vec<String>,
    /// By number of the member.
    usernames: Vec<String>,
    /// Tag and number of the entry.
    tags: Vec<(String, u32)>,
    /// Number of the entry, and of the member that its text names.
    mentions: Vec<(u32, u32)>,
}

impl<'a> Fill<'a> {
    /// Opens a file that has the tables and a founder.
    pub(super) fn of(path: &Path, people: &'a People, story: &'a Story) -> Result<Self> {
        let conn = Connection::open(path)?;
        conn.execute_batch(FAST)?;
        let found = "select name, sql from sqlite_schema where type = 'index' and sql is not null";
        let found = conn
            .prepare(found)?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(String, String)>>>()?;
        for (name, _) in &found {
            conn.execute_batch(&format!("drop index {name}"))?;
        }
        Ok(Self {
            conn,
            people,
            story,
            indexes: found.into_iter().map(|(_, sql)| sql).collect(),
            usernames: Vec::new(),
            tags: Vec::new(),
            mentions: Vec::new(),
        })
    }

    /// Writes all of it, and answers the usernames by number of the member.
    pub(super) fn everything(mut self) -> Result<Vec<String>> {
        self.conn.execute_batch("begin")?;
        self.members()?;
        self.invites()?;
        self.follows()?;
        self.posts()?;
        self.author_posts()?;
        self.tags()?;
        self.replies()?;
        self.likes()?;
        self.reposts()?;
        self.polls()?;
        self.notifications()?;
        self.conn.execute_batch("commit")?;
        for sql in &self.indexes {
            self.conn.execute_batch(sql)?;
        }
        self.conn.execute_batch("pragma journal_mode = wal")?;
        Ok(self.usernames)
    }

    /// The id of a member by number.
    fn member(&self, number: u32) -> i64 {
        self.people.ids[number as usize]
    }

    /// The id of an entry by number.
    fn entry(&self, number: u32) -> i64 {
        self.story.entries[number as usize].id
    }
}
