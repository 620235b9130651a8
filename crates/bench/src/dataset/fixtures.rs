//! What a run must know of a network: whose cookies to send, and what to ask for.

use super::Size;
use super::activity::Activity;
use super::graph::{READERS, SocialGraph, WRITERS};
use anyhow::{Context as _, Result};
use kith::app::App;
use kith::demo::EntryKind;
use kith::ids::Id;
use kith::secrets;
use kith::session::{self, NewSession};
use kith_db::{Tx, Write};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;

/// Posts and members that callers like and follow, at most of each.
const TARGETS: usize = 100_000;
const FILE: &str = "bench.json";

/// A member who calls.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Caller {
    /// Their id.
    pub member: i64,
    /// The value of their session's cookie.
    pub cookie: String,
}

/// A member who reads.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reader {
    /// How they call.
    pub caller: Caller,
    /// How many they follow.
    pub follows: usize,
}

/// A network from outside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Fixtures {
    /// How it was made.
    pub size: Size,
    /// Those who read, eight of each number of follows.
    pub readers: Vec<Reader>,
    /// Those who read once; nobody called for them before.
    pub cold: Vec<Caller>,
    /// The best known member, whom everybody follows but writers.
    pub star: Caller,
    /// Their username.
    pub author: String,
    /// Those who write: nobody likes or follows anybody yet, but for invites.
    pub writers: Vec<Caller>,
    /// The first of a thread of fifty posts.
    pub thread: i64,
    /// Posts that no writer likes, the newest first.
    pub posts: Vec<i64>,
    /// Members whom no writer follows.
    pub members: Vec<i64>,
}

impl Fixtures {
    /// Reads what was saved beside a network.
    pub fn load(data: &Path) -> Result<Self> {
        let path = data.join(FILE);
        let text = fs::read(&path).with_context(|| format!("{} is no network", data.display()))?;
        Ok(serde_json::from_slice(&text)?)
    }

    pub(super) fn save(&self, data: &Path) -> Result<()> {
        Ok(fs::write(data.join(FILE), serde_json::to_vec(self)?)?)
    }

    /// Those who follow so many.
    #[must_use]
    pub fn readers_of(&self, follows: usize) -> Vec<Caller> {
        let readers = self.readers.iter();
        let readers = readers.filter(|reader| reader.follows == follows);
        readers.map(|reader| reader.caller.clone()).collect()
    }
}

/// A session for one member, begun by the server's own rules.
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
        session::start(tx, &new, self.member, self.now).await
    }
}

async fn caller(app: &App, member: i64) -> Result<Caller> {
    let cookie = secrets::encode(&secrets::random());
    let start = StartSession {
        id: app.id(),
        member: Id(member),
        value: cookie.clone(),
        now: app.now(),
    };
    app.db.write(start).await?;
    Ok(Caller { member, cookie })
}

/// Logs readers and writers in.
pub(super) async fn log_in_callers(
    app: &App,
    graph: &SocialGraph,
    activity: &Activity,
    usernames: &[String],
) -> Result<Fixtures> {
    let size = &graph.size;
    let mut readers = Vec::new();
    for (group, follows) in size.follows.iter().enumerate() {
        for nth in 0..READERS {
            let caller = caller(app, graph.ids[1 + group * READERS + nth]).await?;
            readers.push(Reader {
                caller,
                follows: *follows,
            });
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
        posts: posts.map(|entry| entry.id).take(TARGETS).collect(),
        // Whom the writers invited, and who invited them, are among the first.
        members: graph.ids[(first + WRITERS) * 3 + 1..]
            .iter()
            .copied()
            .take(TARGETS)
            .collect(),
    })
}
