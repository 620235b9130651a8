//! `kith report`.

use crate::cli::Why;
use crate::features::moderation::{self, Actor, Case, CaseState, Decide, Decision};
use crate::http::extract::Page;
use crate::platform::config::Store;
use crate::platform::ids::Id;
use crate::platform::output::say;
use clap::Subcommand;

/// Cases that one read takes.
const STEP: usize = 50;

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// Print what members reported, grouped by post or member, the one reported last first.
    #[command(after_help = "Example: kith report list --json --data /var/lib/kith")]
    List {
        /// Print those that somebody decided about.
        #[arg(long)]
        resolved: bool,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: Store,
    },
    /// Decide about all reports of a post or member.
    #[command(after_help = "Example: kith report resolve 247513998712340480 remove --note Spam")]
    Resolve {
        /// The number that the list begins its line with.
        id: String,
        /// What to do.
        action: Choice,
        #[command(flatten)]
        why: Why,
        #[command(flatten)]
        store: Store,
    },
}

/// A decision as it is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Choice {
    /// Do nothing.
    Dismiss,
    /// Remove the post.
    Remove,
    /// Suspend the member, or who wrote the post.
    Suspend,
}

impl ReportCommand {
    pub(super) async fn run(self) -> Result<(), String> {
        match self {
            Self::List {
                resolved,
                json,
                store,
            } => {
                let state = if resolved {
                    CaseState::Resolved
                } else {
                    CaseState::Open
                };
                list(state, json, store).await
            }
            Self::Resolve {
                id,
                action,
                why,
                store,
            } => resolve(&id, action, &why, store).await,
        }
    }
}

async fn list(state: CaseState, json: bool, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let all = async {
        let db = app.db.reader();
        let (mut all, mut before) = (Vec::new(), Some(i64::MAX));
        while let Some(place) = before {
            let page = Page {
                limit: STEP,
                offset: 0,
                before: place,
            };
            let (cases, next) = moderation::load_cases(&db, state, page, Id::NONE).await?;
            all.extend(cases);
            before = next;
        }
        Ok::<_, kith_db::Error>(all)
    };
    let all = all.await;
    app.db.close().await;
    let all = all.map_err(|error| format!("The reports cannot be read: {error}."))?;
    if json {
        return super::print_json(&all);
    }
    for case in &all {
        say!("{}", line(case))?;
    }
    Ok(())
}

fn line(case: &Case) -> String {
    let what = match case.post_id {
        Some(post) => format!("post {} by @{}", post.0, case.member.member.username),
        None => format!("@{}", case.member.member.username),
    };
    let reasons = case.reasons.iter().map(|one| {
        let name = format!("{:?}", one.reason).to_lowercase();
        format!("{name} {}", one.count)
    });
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let text = case.evidence.first().map(|evidence| evidence.text.as_str());
    let text = text.unwrap_or_default().replace(char::is_whitespace, " ");
    format!(
        "{}\t{}\t{what}\t{reasons}\t{text}",
        case.id.0, case.reported_at
    )
}

async fn resolve(id: &str, action: Choice, why: &Why, store: Store) -> Result<(), String> {
    let note = why.clean()?;
    let app = super::open(store).await?;
    let (decision, done) = match action {
        Choice::Dismiss => (Decision::Dismiss, "Nothing else was done."),
        Choice::Remove => (Decision::Remove, "The post is removed."),
        Choice::Suspend => (Decision::Suspend, "The member is suspended."),
    };
    let decide = Decide {
        actor: Actor::Operator,
        case: Id::parse(id),
        decision,
        note,
        seen: i64::MAX,
        closed: app.id(),
        now: app.now(),
    };
    let result = app.db.write(decide).await;
    app.db.close().await;
    result.map_err(|error| error.message().to_owned())?;
    say!("The reports are closed. {done}")
}
