//! `kith post`.

use crate::cli::{NoteArg, NoticeArgs};
use crate::features::moderation::{Actor, RemovePost, RestorePost};
use crate::platform::config::DatabaseArgs;
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum PostCommand {
    /// Remove a post as if its author had deleted it. Its replies stay, its reports are closed, and its author gets a
    /// notice.
    #[command(after_help = "Example: kith post remove 247513998712340480 --rule Advertising")]
    Remove {
        /// The number at the end of the post's URL.
        id: String,
        #[command(flatten)]
        notice: NoticeArgs,
        #[command(flatten)]
        note: NoteArg,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Restore a post that was removed in the last 30 days, with its likes, reposts, replies and votes.
    #[command(after_help = "Example: kith post restore 247513998712340480")]
    Restore {
        /// The number at the end of the post's URL.
        id: String,
        #[command(flatten)]
        note: NoteArg,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

impl PostCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::Remove { id, notice, note, store } => remove(&id, &notice, &note, store).await,
            Self::Restore { id, note, store } => restore(&id, &note, store).await,
        }
    }
}

async fn remove(
    id: &str,
    notice: &NoticeArgs,
    note: &NoteArg,
    store: DatabaseArgs,
) -> Result<(), String> {
    let (note, notice_text) = (note.validate()?, notice.validate()?);
    let state = super::open_state(store).await?;
    let removal = RemovePost {
        actor: Actor::Operator,
        post: Id::parse(id),
        note,
        notice_text,
        closed: state.id(),
        now: state.now(),
    };
    let result = state.db.write(removal).await;
    state.db.close().await;
    result.map_err(|error| format!("{}: {}.", id, error.message().trim_end_matches('.')))?;
    print_line!("Post {id} is removed.")
}

async fn restore(id: &str, note: &NoteArg, store: DatabaseArgs) -> Result<(), String> {
    let note = note.validate()?;
    let state = super::open_state(store).await?;
    let restore =
        RestorePost { actor: Actor::Operator, post: Id::parse(id), note, now: state.now() };
    let result = state.db.write(restore).await;
    state.db.close().await;
    result.map_err(|error| format!("{}: {}.", id, error.message().trim_end_matches('.')))?;
    print_line!("Post {id} is restored.")
}
