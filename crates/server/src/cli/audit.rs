//! `kith audit`.

use crate::features::moderation::{self, AuditEntry, ChainStatus};
use crate::http::extract::Page;
use crate::platform::config::DatabaseArgs;
use crate::platform::output::print_line;
use clap::Subcommand;
use serde_json::json;

/// Rows loaded per query.
const PAGE_SIZE: usize = 500;

#[derive(Debug, Subcommand)]
pub(super) enum AuditCommand {
    /// Print the audit log, newest entry first.
    #[command(after_help = "Example: kith audit list --limit 20 --data /var/lib/kith")]
    List {
        /// Maximum number of entries. Default: all.
        #[arg(long)]
        limit: Option<usize>,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Verify the hash chain of the audit log.
    #[command(after_help = "Example: kith audit verify --data /var/lib/kith")]
    Verify {
        /// Print JSON.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

impl AuditCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::List { limit, json, store } => {
                list(limit.unwrap_or(usize::MAX), json, store).await
            }
            Self::Verify { json, store } => verify(json, store).await,
        }
    }
}

async fn list(limit: usize, json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let loaded = async {
        let db = state.db.reader();
        let mut all = Vec::<AuditEntry>::new();
        while all.len() < limit {
            let page = Page {
                limit: PAGE_SIZE.min(limit - all.len()),
                offset: 0,
                before: all.last().map_or(i64::MAX, |last| last.id.0),
            };
            let rows = moderation::load_audit_page(&db, page).await?;
            if rows.is_empty() {
                break;
            }
            all.extend(rows);
        }
        Ok::<_, kith_db::Error>(all)
    };
    let loaded = loaded.await;
    state.db.close().await;
    let all = loaded.map_err(|error| format!("The audit log cannot be read: {error}."))?;
    if json {
        return super::print_json(&all);
    }
    for entry in &all {
        print_line!("{}", format_entry(entry)?)?;
    }
    Ok(())
}

fn format_entry(entry: &AuditEntry) -> Result<String, String> {
    let action = serde_json::to_value(entry.action).map_err(|error| format!("{error}."))?;
    let name = |member: &crate::features::members::MemberRef| format!("@{}", member.username);
    let post = entry.post_id.map(|id| format!("post {}", id.0));
    let target = post.into_iter().chain(entry.member.as_ref().map(name));
    Ok(format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}",
        entry.id.0,
        entry.created_at,
        entry.actor.as_ref().map_or("operator".to_owned(), name),
        action.as_str().unwrap_or("-"),
        target.collect::<Vec<_>>().join(" by "),
        entry.detail,
        entry.note.replace(char::is_whitespace, " "),
    ))
}

async fn verify(json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let status = moderation::verify_audit_log(&state.db.reader()).await;
    state.db.close().await;
    let status = status.map_err(|error| format!("The audit log cannot be read: {error}."))?;
    if json {
        super::print_json(&match &status {
            ChainStatus::Intact { rows, hash } => {
                json!({"whole": true, "rows": rows, "hash": hash})
            }
            ChainStatus::Broken { row, why } => json!({"whole": false, "row": row, "why": why}),
        })?;
    }
    match status {
        ChainStatus::Intact { rows, hash } if !json => {
            print_line!("{rows} rows, all intact. Hash of the last row: {hash}")
        }
        ChainStatus::Intact { .. } => Ok(()),
        ChainStatus::Broken { row, why } => Err(format!("Row {row} of the audit log: {why}.")),
    }
}
