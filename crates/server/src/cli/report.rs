//! `kith report`.

use crate::cli::{EndArgs, NoteArg, NoticeArgs};
use crate::features::moderation::{self, Actor, Case, CaseState, Decide, Decision, Resolution};
use crate::http::extract::Page;
use crate::platform::config::DatabaseArgs;
use crate::platform::ids::Id;
use crate::platform::output::print_line;
use clap::Subcommand;

/// Cases loaded per query.
const PAGE_SIZE: usize = 50;

#[derive(Debug, Subcommand)]
pub(super) enum ReportCommand {
    /// List reports, grouped by post or member, most recently reported first. Notes of the reports and the decision
    /// follow in lines that begin with a tab.
    #[command(after_help = "Example: kith report list --json --data /var/lib/kith")]
    List {
        /// List resolved reports instead of open ones.
        #[arg(long)]
        resolved: bool,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Resolve all reports of a post or member.
    #[command(after_help = "Example: kith report resolve 247513998712340480 remove --note Spam")]
    Resolve {
        /// The number at the beginning of the line in `list`.
        id: String,
        /// The decision.
        action: DecisionArg,
        #[command(flatten)]
        end: EndArgs,
        #[command(flatten)]
        notice: NoticeArgs,
        #[command(flatten)]
        note: NoteArg,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

/// A decision as a command-line argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum DecisionArg {
    /// Take no action.
    Dismiss,
    /// Remove the post.
    Remove,
    /// Suspend the member, or the post's author.
    Suspend,
}

impl ReportCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::List { resolved, json, store } => {
                let case_state = if resolved { CaseState::Resolved } else { CaseState::Open };
                list(case_state, json, store).await
            }
            Self::Resolve { id, action, end, notice, note, store } => {
                resolve(&id, action, &end, (&notice, &note), store).await
            }
        }
    }
}

async fn list(case_state: CaseState, json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let loaded = async {
        let db = state.db.reader();
        let (mut all, mut before) = (Vec::new(), Some(i64::MAX));
        while let Some(cursor) = before {
            let page = Page { limit: PAGE_SIZE, offset: 0, before: cursor };
            let (cases, next) = moderation::load_cases(&db, case_state, page, Id::NONE).await?;
            all.extend(cases);
            before = next;
        }
        Ok::<_, kith_db::Error>(all)
    };
    let loaded = loaded.await;
    state.db.close().await;
    let all = loaded.map_err(|error| format!("The reports cannot be read: {error}."))?;
    if json {
        return super::print_json(&all);
    }
    for case in &all {
        print_line!("{}", format_case(case))?;
    }
    Ok(())
}

fn format_case(case: &Case) -> String {
    let target = match case.post_id {
        Some(post) => format!("post {} by @{}", post.0, case.member.member.username),
        None => format!("@{}", case.member.member.username),
    };
    let reasons = case.reasons.iter().map(|reason| {
        let name = format!("{:?}", reason.reason).to_lowercase();
        format!("{name} {}", reason.count)
    });
    let reasons = reasons.collect::<Vec<_>>().join(", ");
    let text = case.evidence.first().map(|evidence| evidence.text.as_str());
    let text = on_one_line(text.unwrap_or_default());
    let line = format!("{}\t{}\t{target}\t{reasons}\t{text}", case.id.0, case.reported_at);
    let notes = case.reports.iter().filter(|report| !report.note.is_empty()).map(|report| {
        let reason = format!("{:?}", report.reason).to_lowercase();
        format!("\t{}\t{reason}: {}", report.created_at, on_one_line(&report.note))
    });
    let resolution = case.resolution.iter().map(format_resolution);
    std::iter::once(line).chain(notes).chain(resolution).collect::<Vec<_>>().join("\n")
}

fn format_resolution(resolution: &Resolution) -> String {
    let action = format!("{:?}", resolution.action).to_lowercase();
    let by = resolution.by.as_ref().map(|by| format!("@{}", by.username));
    let by = by.as_deref().unwrap_or("the operator");
    let note = on_one_line(&resolution.note);
    let separator = if note.is_empty() { "" } else { ": " };
    format!("\t{}\t{action} by {by}{separator}{note}", resolution.created_at)
}

fn on_one_line(text: &str) -> String {
    text.replace(char::is_whitespace, " ")
}

async fn resolve(
    id: &str,
    action: DecisionArg,
    end: &EndArgs,
    (notice, note): (&NoticeArgs, &NoteArg),
    store: DatabaseArgs,
) -> Result<(), String> {
    let (note, notice_text) = (note.validate()?, notice.validate()?);
    if end.is_given() && action != DecisionArg::Suspend {
        return Err("--until and --days are for suspend.".to_owned());
    }
    let state = super::open_state(store).await?;
    let until = match end.validate(state.now()) {
        Ok(until) => until,
        Err(error) => {
            state.db.close().await;
            return Err(error);
        }
    };
    let (decision, done) = match action {
        DecisionArg::Dismiss => (Decision::Dismiss, "No other action was taken."),
        DecisionArg::Remove => (Decision::Remove, "The post is removed."),
        DecisionArg::Suspend => (Decision::Suspend, "The member is suspended."),
    };
    let decide = Decide {
        actor: Actor::Operator,
        case: Id::parse(id),
        decision,
        note,
        notice_text,
        until,
        seen: i64::MAX,
        closed: state.id(),
        now: state.now(),
    };
    let result = state.db.write(decide).await;
    state.db.close().await;
    result.map_err(|error| error.message().to_owned())?;
    print_line!("The reports are closed. {done}")
}
