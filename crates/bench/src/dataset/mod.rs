//! Generates a synthetic data set in an empty folder, with every row and count that the server
//! itself would have written.

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
use kith::ops::demo::{self, Network};
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::{DatabaseArgs, Settings};
use kith::platform::migrations::MIGRATIONS;
use kith::state::AppState;
use kith_db::{Config, Db};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Size of a data set.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Size {
    /// Number of members, including the founder.
    pub members: usize,
    /// Number of posts, replies and reposts.
    pub posts: usize,
    /// Numbers of follows of readers; there are [`READERS`] readers for each.
    pub follows: Vec<usize>,
    /// Number of readers who get a session but send no request before the cold cache is measured. They
    /// follow as many members as the first readers.
    pub cold: usize,
    /// Seed; the same seed gives the same data set.
    pub seed: u64,
}

impl Size {
    /// Fixed number of follows of a reader; `None` for other members.
    fn follows_of(&self, member: usize) -> Option<usize> {
        let reader = member.checked_sub(1)?;
        let group = reader / READERS;
        let is_cold = (self.readers()..self.readers() + self.cold).contains(&reader);
        self.follows.get(if is_cold { 0 } else { group }).copied()
    }

    /// Number of readers, without the cold ones.
    fn readers(&self) -> usize {
        self.follows.len() * READERS
    }

    fn check(&self) -> Result<()> {
        let least = 4 * (SocialGraph::first_writer(self) + WRITERS);
        ensure!(
            self.members >= least,
            "a data set with these readers needs at least {least} members"
        );
        ensure!(self.posts >= 1_000, "a data set needs at least 1,000 posts");
        ensure!(
            self.follows.iter().all(|follows| *follows >= 10),
            "a reader must follow at least 10 members"
        );
        let most = self.follows.iter().max().copied().unwrap_or(0);
        ensure!(
            most <= self.members / 2,
            "{most} follows per reader are more than half of the {} members",
            self.members
        );
        Ok(())
    }
}

/// Generates a data set that ends at `until` in an empty data folder, or in an empty PostgreSQL
/// database if the store has one, and saves its fixtures beside it.
pub async fn generate(store: &DatabaseArgs, size: &Size, until: Millis) -> Result<Fixtures> {
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
    let written = demo::write_network(&file, &network, &content, &mut |_| ()).await?;
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

async fn open(data: &Path, clock: Clock) -> Result<AppState> {
    let store = DatabaseArgs::new(data, "");
    AppState::open(Settings::for_command(store), clock, 0)
        .await
        .map_err(|sentence| anyhow!(sentence))
}

/// Copies tables of a SQLite file to the empty database at `url`.
async fn copy_to_postgres(file: &Path, url: &str, tables: &[String]) -> Result<()> {
    let db = Db::open(&Config::postgres(url), MIGRATIONS).await?;
    let copied = db.copy_from_sqlite(file, tables).await;
    db.close().await;
    copied?;
    let client = postgres::connect(url).await?;
    // Without this, results would depend on when autovacuum runs.
    client.batch_execute("vacuum analyze").await?;
    client.batch_execute("checkpoint").await?;
    Ok(())
}
