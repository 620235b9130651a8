//! Makes a network of any size in an empty folder, as if its members had lived in it: every row and
//! every count that the server's writes would have left.

mod activity;
mod fixtures;
mod generated_content;
mod graph;
mod post_length;
mod text;

pub use fixtures::{Caller, Fixtures, Reader};
pub use graph::{READERS, WRITERS};
pub use text::SEARCHES;

use crate::postgres;
use activity::Activity;
use anyhow::{Result, anyhow, ensure};
use generated_content::GeneratedContent;
use graph::SocialGraph;
use kith::app::App;
use kith::clock::{Clock, Millis};
use kith::config::{Settings, Store};
use kith::demo::{self, Network};
use kith::schema::MIGRATIONS;
use kith_db::{Config, Db};
use serde::{Deserialize, Serialize};
use std::path::Path;

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
        let least = 4 * (SocialGraph::first_writer(self) + WRITERS);
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
pub async fn generate(store: &Store, size: &Size, until: Millis) -> Result<Fixtures> {
    size.check()?;
    let data = &store.data;
    let graph = SocialGraph::draw(size, until);
    let mut activity = Activity::draw(&graph);
    let network = Network {
        until,
        ids: graph.ids.clone(),
        inviters: (0..graph.ids.len())
            .map(|member| SocialGraph::inviter(member.max(1)) as u32)
            .collect(),
        follows: graph.follows.clone(),
        entries: activity.entries.clone(),
        likes: std::mem::take(&mut activity.likes),
        votes: std::mem::take(&mut activity.votes),
    };
    let file = data.join("kith.db");
    let content = GeneratedContent::new(&graph, &network);
    let written = demo::write(&file, &network, &content, &mut |_| ()).await?;
    let app = open(data, Clock::manual(until)).await?;
    let fixtures = fixtures::log_in_callers(&app, &graph, &activity, &written.usernames).await?;
    app.db.close().await;
    drop(app);
    if !store.database_url.is_empty() {
        let mut tables = written.tables;
        tables.push("sessions".to_owned());
        copy_to_postgres(&file, &store.database_url, &tables).await?;
        std::fs::remove_file(file)?;
    }
    fixtures.save(data)?;
    Ok(fixtures)
}

async fn open(data: &Path, clock: Clock) -> Result<App> {
    let store = Store {
        data: data.to_path_buf(),
        database_url: String::new(),
    };
    App::open(Settings::for_command(store), clock, 0)
        .await
        .map_err(|sentence| anyhow!(sentence))
}

/// Fills the empty database at `url` with tables of the file.
async fn copy_to_postgres(file: &Path, url: &str, tables: &[String]) -> Result<()> {
    let db = Db::open(&Config::postgres(url), MIGRATIONS).await?;
    let copied = db.copy_from_sqlite(file, tables).await;
    db.close().await;
    copied?;
    let client = postgres::connect(url).await?;
    // As autovacuum would have left it: what a load finds does not depend on when that looks.
    client.batch_execute("vacuum analyze").await?;
    client.batch_execute("checkpoint").await?;
    Ok(())
}
