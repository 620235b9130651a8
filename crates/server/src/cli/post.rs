//! `kith post`.

use crate::cli::Why;
use crate::features::moderation::{Actor, RemovePost};
use crate::platform::config::Store;
use crate::platform::ids::Id;
use crate::platform::output::say;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum PostCommand {
    /// Remove a post as if its author had deleted it. Replies to it stay, its reports are closed.
    #[command(after_help = "Example: kith post remove 247513998712340480 --note Spam")]
    Remove {
        /// The number at the end of the post's address.
        id: String,
        #[command(flatten)]
        why: Why,
        #[command(flatten)]
        store: Store,
    },
}

impl PostCommand {
    pub(super) async fn run(self) -> Result<(), String> {
        let Self::Remove { id, why, store } = self;
        let note = why.clean()?;
        let app = super::open(store).await?;
        let removal = RemovePost {
            actor: Actor::Operator,
            post: Id::parse(&id),
            note,
            closed: app.id(),
            now: app.now(),
        };
        let result = app.db.write(removal).await;
        app.db.close().await;
        result.map_err(|error| format!("{}: {}.", id, error.message().trim_end_matches('.')))?;
        say!("Post {id} is removed.")
    }
}
