//! Fixtures for a run: session cookies, and ids of posts and members to request.

use super::Size;
use super::activity::Activity;
use super::graph::{READERS, SocialGraph, WRITERS};
use anyhow::{Context as _, Result};
use kith::features::sessions::{self, NewSession};
use kith::ops::demo::EntryKind;
use kith::platform::crypto;
use kith::platform::ids::Id;
use kith::state::AppState;
use kith_db::{Tx, Write};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Maximum number of posts to like and of members to follow.
const MAX_TARGETS: usize = 100_000;
const FILE: &str = "bench.json";

/// A member with a session.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Caller {
    /// Member id.
    pub member: i64,
    /// Value of the session cookie.
    pub cookie: String,
}

/// A member who reads.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reader {
    /// Session of the member.
    pub caller: Caller,
    /// Number of members that they follow.
    pub follows: usize,
}

/// Sessions and ids of a generated data set, saved beside it as JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fixtures {
    /// Size that the data set was generated with.
    pub size: Size,
    /// Readers: [`READERS`] for each number of follows.
    pub readers: Vec<Reader>,
    /// Readers without any request before the cold cache is measured.
    pub cold: Vec<Caller>,
    /// Most followed member: every member except the writers follows them.
    pub star: Caller,
    /// Username of the most followed member.
    pub author: String,
    /// Writers, who have no likes, and no follows beyond their invites.
    pub writers: Vec<Caller>,
    /// Id of the first post of the measured thread.
    pub thread: i64,
    /// Ids of posts that no writer likes, newest first.
    pub posts: Vec<i64>,
    /// Ids of members that no writer follows.
    pub members: Vec<i64>,
}

impl Fixtures {
    /// Loads the fixtures of the data set in `data`.
    pub fn load(data: &Path) -> Result<Self> {
        let path = data.join(FILE);
        let text =
            fs::read(&path).with_context(|| format!("{} has no data set", data.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    pub(super) fn save(&self, data: &Path) -> Result<()> {
        Ok(fs::write(data.join(FILE), serde_json::to_vec(self)?)?)
    }

    /// Readers with this number of follows.
    #[must_use]
    pub fn readers_of(&self, follows: usize) -> Vec<Caller> {
        let readers = self.readers.iter();
        let readers = readers.filter(|reader| reader.follows == follows);
        readers.map(|reader| reader.caller.clone()).collect()
    }
}

/// Starts a session through the server's code.
struct StartSession {
    id: Id,
    member: Id,
    value: String,
    now: i64,
}

impl Write for StartSession {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let new = NewSession {
            id: self.id,
            value: self.value.clone(),
            user_agent: "kith-bench".to_owned(),
        };
        sessions::start_session(tx, &new, self.member, self.now).await
    }
}

async fn caller(app: &AppState, member: i64) -> Result<Caller> {
    let cookie = crypto::encode(&crypto::random_bytes());
    let start =
        StartSession { id: app.id(), member: Id(member), value: cookie.clone(), now: app.now() };
    app.db.write(start).await?;
    Ok(Caller { member, cookie })
}

/// Creates sessions for all readers and writers.
pub(super) async fn log_in_callers(
    app: &AppState,
    graph: &SocialGraph,
    activity: &Activity,
    usernames: &[String],
) -> Result<Fixtures> {
    let size = &graph.size;
    let mut readers = Vec::new();
    for (group, follows) in size.follows.iter().enumerate() {
        for nth in 0..READERS {
            let caller = caller(app, graph.ids[1 + group * READERS + nth]).await?;
            readers.push(Reader { caller, follows: *follows });
        }
    }
    let mut cold = Vec::new();
    for nth in 0..size.cold {
        cold.push(caller(app, graph.ids[1 + size.readers() + nth]).await?);
    }
    let first = SocialGraph::first_writer(size);
    let mut writers = Vec::new();
    for nth in first..first + WRITERS {
        writers.push(caller(app, graph.ids[nth]).await?);
    }
    let posts = activity.entries.iter().rev();
    let posts =
        posts.filter(|entry| entry.kind == EntryKind::Post && entry.root != activity.thread);
    Ok(Fixtures {
        size: size.clone(),
        readers,
        cold,
        star: caller(app, graph.ids[graph.most_followed() as usize]).await?,
        writers,
        thread: activity.entries[activity.thread as usize].id,
        author: usernames[graph.most_followed() as usize].clone(),
        posts: posts.map(|entry| entry.id).take(MAX_TARGETS).collect(),
        // The writers' inviters and invited members come first, so skip them.
        members: graph.ids[(first + WRITERS) * 3 + 1..].iter().copied().take(MAX_TARGETS).collect(),
    })
}
