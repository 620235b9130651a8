//! `kith waitlist add`.

use crate::features::auth::Email;
use crate::features::moderation::AddPeople;
use crate::platform::config::DatabaseArgs;
use crate::platform::output::{print_line, print_stderr};
use kith_text::clean_line;
use serde::Serialize;
use std::path::Path;

/// Emails added per transaction.
const BATCH_SIZE: usize = 500;

/// Result of a line in JSON output.
#[derive(Serialize)]
struct AdditionRow<'a> {
    line: usize,
    email: &'a str,
    addition: Addition,
}

/// Outcome of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Addition {
    /// The email was added.
    Added,
    /// The email was on the waitlist already, waiting or admitted.
    Before,
    /// The line is not an email.
    Invalid,
}

/// Adds the emails in a file to the waitlist, in their order; an error if a line is not an email.
pub(super) async fn add(file: &Path, json: bool, store: DatabaseArgs) -> Result<(), String> {
    let text = super::read_input(file)?;
    let lines = text.lines().zip(1..).map(|(line, number)| (number, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty()).collect::<Vec<_>>();
    let emails = lines.iter().map(|(_, line)| Email::parse_unverified(line).ok());
    let emails = emails.collect::<Vec<_>>();
    let valid = emails.iter().flatten().cloned().collect::<Vec<_>>();
    let state = super::open_state(store).await?;
    // Earlier lines joined earlier, though all before now.
    let mut joined_at = state.now() - i64::try_from(valid.len()).unwrap_or_default();
    let mut added = Vec::new();
    for batch in valid.chunks(BATCH_SIZE) {
        let add = AddPeople::new(&state, batch.to_vec(), joined_at);
        joined_at += i64::try_from(batch.len()).unwrap_or_default();
        match state.db.write(add).await {
            Ok(outcomes) => added.extend(outcomes),
            Err(error) => {
                return Err(format!(
                    "Only {} emails were processed: {error}. Run the command again; emails that are on the waitlist \
                     stay as they are.",
                    added.len()
                ));
            }
        }
    }
    state.db.close().await;
    let mut added = added.into_iter();
    let rows = lines.iter().zip(&emails).map(|((line, typed), email)| {
        let addition = match email.as_ref().map(|_| added.next()) {
            None => Addition::Invalid,
            Some(Some(true)) => Addition::Added,
            Some(_) => Addition::Before,
        };
        AdditionRow { line: *line, email: email.as_ref().map_or(typed, Email::as_str), addition }
    });
    print_rows(&rows.collect::<Vec<_>>(), json)
}

fn print_rows(rows: &[AdditionRow<'_>], json: bool) -> Result<(), String> {
    if json {
        super::print_json(&rows)?;
    }
    for row in rows {
        match row.addition {
            // On standard error, so that they are seen when the other output is not.
            Addition::Invalid => {
                let text = clean_line(row.email);
                print_stderr(format_args!("line {}: {text} is not an email address.", row.line));
            }
            _ if json => (),
            Addition::Added => print_line!("{} was added to the waitlist.", row.email)?,
            Addition::Before => print_line!("{} is already on the waitlist.", row.email)?,
        }
    }
    let invalid = rows.iter().filter(|row| row.addition == Addition::Invalid).count();
    match invalid {
        0 => Ok(()),
        1 => Err("One line was not added; all others are on the waitlist.".to_owned()),
        count => Err(format!("{count} lines were not added; all others are on the waitlist.")),
    }
}
