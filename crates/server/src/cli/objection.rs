//! `kith objection`.

use crate::features::moderation::{
    self, Actor, Objection, ObjectionAction, ResolveObjection, clean_answer,
};
use crate::platform::config::DatabaseArgs;
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(super) enum ObjectionCommand {
    /// List the objections of members to their sanctions that are not decided, oldest first, at most 100.
    #[command(after_help = "Example: kith objection list --data /var/lib/kith")]
    List {
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Decide about an objection. The member gets a mail.
    #[command(
        after_help = "Example: kith objection resolve 247513998712340480 accept --answer Sorry"
    )]
    Resolve {
        /// The number at the beginning of the line in `list`.
        id: String,
        /// The decision.
        action: ObjectionActionArg,
        /// Answer to the member.
        #[arg(long, default_value = "")]
        answer: String,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

/// A decision as a command-line argument.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum ObjectionActionArg {
    /// Lift the suspension or freeze, or restore the post.
    Accept,
    /// Keep the sanction.
    Reject,
}

impl ObjectionCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::List { json, store } => list(json, store).await,
            Self::Resolve { id, action, answer, store } => {
                resolve(&id, action, &answer, store).await
            }
        }
    }
}

async fn list(json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let loaded = moderation::load_objections(&state.db.reader(), None).await;
    state.db.close().await;
    let all = loaded.map_err(|error| format!("The objections cannot be read: {error}."))?;
    if json {
        return super::print_json(&all);
    }
    for objection in &all {
        print_line!("{}", format_objection(objection))?;
    }
    Ok(())
}

fn format_objection(objection: &Objection) -> String {
    let sanction = objection.notice.kind.label();
    let by = objection.by.as_ref().map(|by| format!("@{}", by.username));
    let by = by.as_deref().unwrap_or("the operator");
    let name = &objection.member.member.username;
    let text = objection.notice.objection.as_ref().map(|objection| objection.text.as_str());
    let text = text.unwrap_or_default().replace(char::is_whitespace, " ");
    format!(
        "{}\t{}\t@{name}\t{sanction} by {by}\t{text}",
        objection.id.0, objection.notice.created_at
    )
}

async fn resolve(
    id: &str,
    action: ObjectionActionArg,
    answer: &str,
    store: DatabaseArgs,
) -> Result<(), String> {
    let answer = clean_answer(Some(answer)).map_err(|error| error.message().to_owned())?;
    let (action, done) = match action {
        ObjectionActionArg::Accept => (ObjectionAction::Accept, "The sanction is lifted."),
        ObjectionActionArg::Reject => (ObjectionAction::Reject, "The sanction stays."),
    };
    let state = super::open_state(store).await?;
    let resolve = ResolveObjection {
        actor: Actor::Operator,
        notice: Id::parse(id),
        action,
        answer,
        decided: state.id(),
        now: state.now(),
    };
    let result = state.db.write(resolve).await;
    state.db.close().await;
    result.map_err(|error| error.message().to_owned())?;
    print_line!("The objection is resolved. {done}")
}
