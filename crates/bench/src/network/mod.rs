//! Makes a network of any size in an empty folder, as if its members had lived in it: every row and
//! every count that the server's writes would have left.

mod draw;
mod fill;
mod manifest;
mod plan;
mod pour;
mod story;
mod words;

pub use manifest::{Caller, Manifest, Reader};
pub use plan::{READERS, WRITERS};
pub use words::SEARCHES;

use anyhow::{Result, anyhow, ensure};
use fill::Fill;
use kith::app::App;
use kith::clock::{Clock, Millis};
use kith::config::{Settings, Store};
use plan::{AGE, People};
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
    let clock = Clock::manual(until - AGE);
    let app = open(data, clock.clone()).await?;
    kith::bootstrap::found(&app)
        .await
        .map_err(|error| anyhow!("the network could not be founded: {error:?}"))?;
    let founder = kith::users::find_by_username(&app.db.reader(), "founder").await?;
    let founder = founder.ok_or_else(|| anyhow!("there is no founder"))?;
    app.db.close().await;
    drop(app);
    let people = People::draw(size, until, founder.0);
    let story = Story::draw(&people);
    let file = data.join("kith.db");
    let usernames = Fill::of(&file, &people, &story)?.everything()?;
    clock.advance(AGE);
    let app = open(data, clock).await?;
    let manifest = manifest::enter(&app, &people, &story, &usernames).await?;
    app.db.close().await;
    drop(app);
    if !store.database_url.is_empty() {
        pour::pour(&file, &store.database_url).await?;
        std::fs::remove_file(file)?;
    }
    manifest.save(data)?;
    Ok(manifest)
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
