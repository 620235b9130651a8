//! `kith post`.

use crate::cli::NoteArg;
use crate::features::moderation::{Actor, RemovePost};
use crate::platform::config::Store;
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum PostCommand {
    /// Remove a post as if its author had deleted it. Its replies stay, and its reports are closed.
    #[command(after_help = "Example: kith post remove 247513998712340480 --note Spam")]
    Remove {
        /// The number at the end of the post's URL.
        id: String,
        #[command(flatten)]
        note: NoteArg,
        #[command(flatten)]
        store: Store,
    },
}

impl PostCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        let Self::Remove { id, note, store } = self;
        let note = note.validate()?;
        let state = super::open_state(store).await?;
        let removal = RemovePost {
            actor: Actor::Operator,
            post: Id::parse(&id),
            note,
            closed: state.id(),
            now: state.now(),
        };
        let result = state.db.write(removal).await;
        state.db.close().await;
        result.map_err(|error| format!("{}: {}.", id, error.message().trim_end_matches('.')))?;
        print_line!("Post {id} is removed.")
    }
}
