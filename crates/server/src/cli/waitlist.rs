//! `kith waitlist`.

use crate::features::auth::Email;
use crate::features::moderation::{Actor, AdmitPeople, RemovePeople};
use crate::features::waitlist::{self, AdmitOutcome, RemovalOutcome};
use crate::http::error::ApiError;
use crate::platform::clock::rfc3339;
use crate::platform::config::Store;
use crate::platform::output::say;
use clap::Subcommand;
use serde::Serialize;

#[derive(Debug, Subcommand)]
pub(super) enum WaitlistCommand {
    /// Print who is on the list, the longest waiting first, and how many members vouch for each.
    #[command(after_help = "Example: kith waitlist list --data /var/lib/kith")]
    List {
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: Store,
    },
    /// Send people an invite code by mail. Whoever was sent one before is left alone.
    #[command(
        after_help = "Example: kith waitlist admit ada@example.org\nExample: kith waitlist admit --next 20 --vouched"
    )]
    Admit {
        /// Addresses on the list.
        #[arg(required_unless_present = "next", conflicts_with = "next")]
        addresses: Vec<String>,
        /// So many of those who have waited longest.
        #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        next: Option<u32>,
        /// Of those only whom a member vouches for.
        #[arg(long, requires = "next")]
        vouched: bool,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: Store,
    },
    /// Take addresses off the list, waiting or admitted.
    #[command(
        after_help = "Example: kith waitlist remove ada@example.org\nExample: kith waitlist remove -"
    )]
    Remove {
        /// Addresses on the list; - reads them from standard input, one a line, as `list` prints them.
        #[arg(required = true)]
        addresses: Vec<String>,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: Store,
    },
}

/// Addresses that one transaction takes off the list.
const STEP: usize = 500;

/// Somebody on the list, for scripts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Listed<'a> {
    email: &'a str,
    joined_at: String,
    admitted_at: Option<String>,
    vouches: i64,
}

/// What became of an address, for scripts.
#[derive(Serialize)]
struct Told {
    email: String,
    admission: AdmitOutcome,
}

/// What became of an address that was to be taken off the list, for scripts.
#[derive(Serialize)]
struct Crossed<'a> {
    email: &'a str,
    removal: RemovalOutcome,
}

impl WaitlistCommand {
    pub(super) async fn run(self) -> Result<(), String> {
        match self {
            Self::List { json, store } => list(json, store).await,
            Self::Admit {
                addresses,
                next,
                vouched,
                json,
                store,
            } => {
                let next = next.map(|count| (count, vouched));
                admit(&addresses, next, json, store).await
            }
            Self::Remove {
                addresses,
                json,
                store,
            } => remove(&addresses, json, store).await,
        }
    }
}

async fn list(json: bool, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let entries = waitlist::load_entries(&app.db.reader()).await;
    app.db.close().await;
    let entries = entries.map_err(|error| format!("The waitlist cannot be read: {error}."))?;
    if json {
        let listed = entries.iter().map(|entry| Listed {
            email: &entry.email,
            joined_at: rfc3339(entry.joined_at),
            admitted_at: entry.admitted_at.map(rfc3339),
            vouches: entry.vouches,
        });
        return super::print_json(&listed.collect::<Vec<_>>());
    }
    for entry in &entries {
        let state = match entry.admitted_at {
            Some(time) => format!("admitted {}", rfc3339(time)),
            None => "waits".to_owned(),
        };
        let since = rfc3339(entry.joined_at);
        let email = super::shell_word(&entry.email);
        say!("{email}\t{since}\t{state}\t{}", entry.vouches)?;
    }
    Ok(())
}

async fn admit(
    addresses: &[String],
    next: Option<(u32, bool)>,
    json: bool,
    store: Store,
) -> Result<(), String> {
    let parsed = addresses.iter().map(|typed| parse(typed));
    let mut emails = parsed.collect::<Result<Vec<_>, _>>()?;
    let app = super::open(store).await?;
    let admitted = async {
        if let Some((count, vouched)) = next {
            emails = waitlist::load_longest_waiting(&app.db.reader(), count, vouched).await?;
        }
        let admit = AdmitPeople::new(&app, Actor::Operator, emails);
        app.db.write(admit).await
    };
    let admitted: Result<_, ApiError> = admitted.await;
    app.db.close().await;
    let admitted = admitted.map_err(|error| error.message().to_owned())?;
    let told = admitted.into_iter();
    let told = told.map(|(email, admission)| Told { email, admission });
    let told = told.collect::<Vec<_>>();
    if json {
        return super::print_json(&told);
    }
    for one in told {
        match one.admission {
            AdmitOutcome::Admitted => say!("{} gets a code by mail.", one.email)?,
            AdmitOutcome::Before => say!("{} was admitted before.", one.email)?,
        }
    }
    Ok(())
}

fn parse(typed: &str) -> Result<Email, String> {
    Email::parse(typed).map_err(|_| format!("{typed} is not a mail address."))
}

/// An address as it is stored. Also what would be taken for none today may stand there.
fn stored(typed: &str) -> String {
    let typed = typed.trim();
    Email::parse(typed).map_or_else(|_| typed.to_owned(), |email| email.as_str().to_owned())
}

/// The address at the beginning of a line of `list`, with or without quotation marks for a shell.
fn listed(line: &str) -> String {
    let word = line.split('\t').next().unwrap_or_default().trim();
    let quoted = word
        .strip_prefix('\'')
        .and_then(|rest| rest.strip_suffix('\''));
    stored(&quoted.map_or_else(|| word.to_owned(), |text| text.replace(r"'\''", "'")))
}

async fn remove(addresses: &[String], json: bool, store: Store) -> Result<(), String> {
    let mut emails = Vec::new();
    for address in addresses {
        if address != "-" {
            emails.push(stored(address));
            continue;
        }
        let typed = std::io::read_to_string(std::io::stdin());
        let typed = typed.map_err(|error| format!("Standard input cannot be read: {error}."))?;
        let lines = typed.lines().filter(|line| !line.trim().is_empty());
        emails.extend(lines.map(listed));
    }
    let app = super::open(store).await?;
    let removed = async {
        let mut told = Vec::new();
        for step in emails.chunks(STEP) {
            let remove = RemovePeople {
                emails: step.to_vec(),
                now: app.now(),
            };
            told.extend(app.db.write(remove).await?);
        }
        Ok::<_, kith_db::Error>(told)
    };
    let removed = removed.await;
    app.db.close().await;
    let removed = removed.map_err(|error| format!("Not all could be removed: {error}."))?;
    let told = emails.iter().zip(removed);
    let told = told.map(|(email, removal)| Crossed { email, removal });
    let told = told.collect::<Vec<_>>();
    if json {
        return super::print_json(&told);
    }
    for one in told {
        match one.removal {
            RemovalOutcome::Removed => say!("{} is off the waitlist.", one.email)?,
            RemovalOutcome::Unknown => say!("{} is not on the waitlist.", one.email)?,
        }
    }
    Ok(())
}
