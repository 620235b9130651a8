//! `kith waitlist`.

use crate::cli::waitlist_add;
use crate::features::auth::Email;
use crate::features::moderation::{Actor, AdmitPeople, RemovePeople};
use crate::features::waitlist::{self, AdmitOutcome, RemovalOutcome};
use crate::http::error::ApiError;
use crate::platform::clock::rfc3339;
use crate::platform::config::DatabaseArgs;
use crate::platform::output::print_line;
use clap::Subcommand;
use serde::Serialize;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(super) enum WaitlistCommand {
    /// List the waitlist, longest waiting first, with the number of members who vouch for each person.
    #[command(after_help = "Example: kith waitlist list --data /var/lib/kith")]
    List {
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Add the emails in a file, one per line, to the end of the waitlist. Adds all valid lines, and names the others.
    #[command(after_help = "Example: kith waitlist add applicants.txt")]
    Add {
        /// File with one email per line; - reads standard input.
        file: PathBuf,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Send invite codes by email. People who were already admitted are skipped.
    #[command(
        after_help = "Example: kith waitlist admit ada@example.org\nExample: kith waitlist admit --next 20 --vouched"
    )]
    Admit {
        /// Emails on the waitlist.
        #[arg(required_unless_present = "next", conflicts_with = "next")]
        emails: Vec<String>,
        /// Admit the N people who have waited longest.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
        next: Option<u32>,
        /// With --next: only people a member vouches for.
        #[arg(long, requires = "next")]
        vouched: bool,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Remove emails from the waitlist, waiting or admitted.
    #[command(
        after_help = "Example: kith waitlist remove ada@example.org\nExample: kith waitlist remove -"
    )]
    Remove {
        /// Emails on the waitlist; - reads lines of `list` from standard input.
        #[arg(required = true)]
        emails: Vec<String>,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

/// Emails removed per transaction.
const BATCH_SIZE: usize = 500;

/// A waitlist entry in JSON output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct WaitlistRow<'a> {
    email: &'a str,
    joined_at: String,
    admitted_at: Option<String>,
    vouches: i64,
}

/// Result of an admission in JSON output.
#[derive(Serialize)]
struct AdmitRow {
    email: String,
    admission: AdmitOutcome,
}

/// Result of a removal in JSON output.
#[derive(Serialize)]
struct RemovalRow<'a> {
    email: &'a str,
    removal: RemovalOutcome,
}

impl WaitlistCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::List { json, store } => list(json, store).await,
            Self::Add { file, json, store } => waitlist_add::add(&file, json, store).await,
            Self::Admit { emails, next, vouched, json, store } => {
                let next = next.map(|count| (count, vouched));
                admit(&emails, next, json, store).await
            }
            Self::Remove { emails, json, store } => remove(&emails, json, store).await,
        }
    }
}

async fn list(json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let entries = waitlist::load_all_entries(&state.db.reader()).await;
    state.db.close().await;
    let entries = entries.map_err(|error| format!("The waitlist cannot be read: {error}."))?;
    if json {
        let rows = entries.iter().map(|entry| WaitlistRow {
            email: &entry.email,
            joined_at: rfc3339(entry.joined_at),
            admitted_at: entry.admitted_at.map(rfc3339),
            vouches: entry.vouches,
        });
        return super::print_json(&rows.collect::<Vec<_>>());
    }
    for entry in &entries {
        let status = match entry.admitted_at {
            Some(time) => format!("admitted {}", rfc3339(time)),
            None => "waiting".to_owned(),
        };
        let since = rfc3339(entry.joined_at);
        let email = super::shell_quote(&entry.email);
        print_line!("{email}\t{since}\t{status}\t{}", entry.vouches)?;
    }
    Ok(())
}

async fn admit(
    inputs: &[String],
    next: Option<(u32, bool)>,
    json: bool,
    store: DatabaseArgs,
) -> Result<(), String> {
    let parsed = inputs.iter().map(|input| parse_email(input));
    let mut emails = parsed.collect::<Result<Vec<_>, _>>()?;
    let state = super::open_state(store).await?;
    let admitted = async {
        if let Some((count, vouched)) = next {
            emails = waitlist::load_longest_waiting(&state.db.reader(), count, vouched).await?;
        }
        let admit = AdmitPeople::new(&state, Actor::Operator, emails);
        state.db.write(admit).await
    };
    let admitted: Result<_, ApiError> = admitted.await;
    state.db.close().await;
    let admitted = admitted.map_err(|error| error.message().to_owned())?;
    let rows = admitted.into_iter();
    let rows = rows.map(|(email, admission)| AdmitRow { email, admission });
    let rows = rows.collect::<Vec<_>>();
    if json {
        return super::print_json(&rows);
    }
    if rows.is_empty() {
        // Only `--next` can select no one.
        let is_vouched = next.is_some_and(|(_, vouched)| vouched);
        return print_line!("No one{} is waiting.", if is_vouched { " with a vouch" } else { "" });
    }
    for row in rows {
        match row.admission {
            AdmitOutcome::Admitted => print_line!("{} gets an invite code by email.", row.email)?,
            AdmitOutcome::Before => print_line!("{} was already admitted.", row.email)?,
        }
    }
    Ok(())
}

fn parse_email(input: &str) -> Result<Email, String> {
    Email::parse(input).map_err(|_| format!("{input} is not an email address."))
}

/// Canonicalizes an email; returns invalid ones unchanged, because an earlier version may have stored them.
fn canonicalize(input: &str) -> String {
    let input = input.trim();
    Email::parse(input).map_or_else(|_| input.to_owned(), |email| email.as_str().to_owned())
}

/// Parses the email at the beginning of a line of `list`, with or without shell quotes.
fn parse_listed_email(line: &str) -> String {
    let word = line.split('\t').next().unwrap_or_default().trim();
    let quoted = word.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
    canonicalize(&quoted.map_or_else(|| word.to_owned(), |text| text.replace(r"'\''", "'")))
}

async fn remove(inputs: &[String], json: bool, store: DatabaseArgs) -> Result<(), String> {
    let mut emails = Vec::new();
    for input in inputs {
        if input != "-" {
            emails.push(canonicalize(input));
            continue;
        }
        let text = std::io::read_to_string(std::io::stdin());
        let text = text.map_err(|error| format!("Standard input cannot be read: {error}."))?;
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        emails.extend(lines.map(parse_listed_email));
    }
    let state = super::open_state(store).await?;
    let removed = async {
        let mut outcomes = Vec::new();
        for batch in emails.chunks(BATCH_SIZE) {
            let remove = RemovePeople { emails: batch.to_vec(), now: state.now() };
            outcomes.extend(state.db.write(remove).await?);
        }
        Ok::<_, kith_db::Error>(outcomes)
    };
    let removed = removed.await;
    state.db.close().await;
    let removed = removed.map_err(|error| format!("Some emails could not be removed: {error}."))?;
    let rows = emails.iter().zip(removed);
    let rows = rows.map(|(email, removal)| RemovalRow { email, removal });
    let rows = rows.collect::<Vec<_>>();
    if json {
        return super::print_json(&rows);
    }
    for row in rows {
        match row.removal {
            RemovalOutcome::Removed => print_line!("{} was removed from the waitlist.", row.email)?,
            RemovalOutcome::Unknown => print_line!("{} is not on the waitlist.", row.email)?,
        }
    }
    Ok(())
}
