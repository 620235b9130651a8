//! Makes a network of any size in an empty folder, as if its members had lived in it: every row and
//! every count that the server's writes would have left.

mod content;
mod draw;
mod manifest;
mod plan;
mod story;
mod words;

pub use manifest::{Caller, Manifest, Reader};
pub use plan::{READERS, WRITERS};
pub use words::SEARCHES;

use crate::cluster;
use anyhow::{Result, anyhow, ensure};
use content::Made;
use kith::ops::demo::{self, Network};
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::{Settings, Store};
use kith::platform::migrations::MIGRATIONS;
use kith::state::AppState;
use kith_db::{Config, Db};
use plan::People;
use serde::{Deserialize, Serialize};
use std::path::Path;
use story::Story;

/// How large a network is to be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Size {
    /// Members, the founder included.
    pub members: usize,
    /// Posts, replies and reposts.
    pub posts: usize,
    /// Whom readers follow: there are eight readers of each of these numbers of follows.
    pub follows: Vec<usize>,
    /// Members who follow as many as the first readers and whom a run lets in, but asks nothing first.
    pub cold: usize,
    /// The same seed makes the same network.
    pub seed: u64,
}

impl Size {
    /// How many a member follows if that is told, as for readers.
    fn follows_of(&self, member: usize) -> Option<usize> {
        let reader = member.checked_sub(1)?;
        let group = reader / READERS;
        let is_cold = (self.readers()..self.readers() + self.cold).contains(&reader);
        self.follows.get(if is_cold { 0 } else { group }).copied()
    }

    /// How many readers there are of all numbers of follows.
    fn readers(&self) -> usize {
        self.follows.len() * READERS
    }

    fn check(&self) -> Result<()> {
        let least = 4 * (People::first_writer(self) + WRITERS);
        ensure!(
            self.members >= least,
            "a network with these readers needs {least} members"
        );
        ensure!(self.posts >= 1_000, "a network needs 1,000 posts");
        ensure!(
            self.follows.iter().all(|follows| *follows >= 10),
            "a reader follows 10 members at least"
        );
        let most = self.follows.iter().max().copied().unwrap_or(0);
        ensure!(
            most <= self.members / 2,
            "nobody can follow {most} of {} members here: at most half",
            self.members
        );
        Ok(())
    }
}

/// Makes a network in an empty data folder, and in an empty database of PostgreSQL if one is named,
/// that ends at the time `until`, and writes beside it what a run must know of it.
pub async fn make(store: &Store, size: &Size, until: Millis) -> Result<Manifest> {
    size.check()?;
    let data = &store.data;
    let people = People::draw(size, until);
    let mut story = Story::draw(&people);
    let network = Network {
        until,
        ids: people.ids.clone(),
        inviters: (0..people.ids.len())
            .map(|member| People::inviter(member.max(1)) as u32)
            .collect(),
        follows: people.follows.clone(),
        entries: story.entries.clone(),
        likes: std::mem::take(&mut story.likes),
        votes: std::mem::take(&mut story.votes),
    };
    let file = data.join("kith.db");
    let content = Made::new(&people, &network);
    let written = demo::write(&file, &network, &content, &mut |_| ()).await?;
    let app = open(data, Clock::manual(until)).await?;
    let manifest = manifest::enter(&app, &people, &story, &written.usernames).await?;
    app.db.close().await;
    drop(app);
    if !store.database_url.is_empty() {
        let mut tables = written.tables;
        tables.push("sessions".to_owned());
        pour(&file, &store.database_url, &tables).await?;
        std::fs::remove_file(file)?;
    }
    manifest.save(data)?;
    Ok(manifest)
}

async fn open(data: &Path, clock: Clock) -> Result<AppState> {
    let store = Store {
        data: data.to_path_buf(),
        database_url: String::new(),
    };
    AppState::open(Settings::for_command(store), clock, 0)
        .await
        .map_err(|sentence| anyhow!(sentence))
}

/// Fills the empty database at `url` with tables of the file.
async fn pour(file: &Path, url: &str, tables: &[String]) -> Result<()> {
    let db = Db::open(&Config::postgres(url), MIGRATIONS).await?;
    let copied = db.copy_from_sqlite(file, tables).await;
    db.close().await;
    copied?;
    let client = cluster::connect(url).await?;
    // As autovacuum would have left it: what a load finds does not depend on when that looks.
    client.batch_execute("vacuum analyze").await?;
    client.batch_execute("checkpoint").await?;
    Ok(())
}
