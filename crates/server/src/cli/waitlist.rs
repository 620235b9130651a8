//! `kith waitlist`.

use crate::auth::Email;
use crate::clock::rfc3339;
use crate::config::Store;
use crate::error::ApiError;
use crate::moderation::{Actor, AdmitPeople};
use crate::waitlist::{self, Admission};
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
}

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
    admission: Admission,
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
        }
    }
}

async fn list(json: bool, store: Store) -> Result<(), String> {
    let app = super::open(store).await?;
    let entries = waitlist::entries(&app.db.reader()).await;
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
        println!("{email}\t{since}\t{state}\t{}", entry.vouches);
    }
    Ok(())
}

async fn admit(
    addresses: &[String],
    next: Option<(u32, bool)>,
    json: bool,
    store: Store,
) -> Result<(), String> {
    let parse =
        |typed: &String| Email::parse(typed).map_err(|_| format!("{typed} is not a mail address."));
    let mut emails = addresses.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
    let app = super::open(store).await?;
    let admitted = async {
        if let Some((count, vouched)) = next {
            emails = waitlist::next(&app.db.reader(), count, vouched).await?;
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
            Admission::Admitted => println!("{} gets a code by mail.", one.email),
            Admission::Before => println!("{} was admitted before.", one.email),
        }
    }
    Ok(())
}
