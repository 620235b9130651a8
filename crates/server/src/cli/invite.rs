//! `kith invite`.

use crate::features::invites::{self, OperatorCode, RevokeOutcome};
use crate::features::moderation::{IssueCodes, RevokeCodes};
use crate::platform::clock::{DAY, HOUR, Millis, rfc3339};
use crate::platform::config::{DatabaseArgs, Settings};
use crate::platform::crypto;
use crate::platform::output::print_line;
use clap::Subcommand;
use serde::Serialize;
use url::Url;

#[derive(Debug, Subcommand)]
pub(super) enum InviteCommand {
    /// Create invite codes and print them, one per line.
    #[command(
        after_help = "Example: kith invite create --count 10 --expires 30d\nExample: kith invite create --uses 300 --links"
    )]
    Create {
        /// Number of codes.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        /// How many people can join with each code, such as the members of a group.
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        uses: u32,
        /// Print links that open the sign-up form with the code, instead of codes.
        #[arg(long)]
        links: bool,
        /// Public URL of the server, for links.
        #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = crate::platform::config::parse_public_url)]
        public_url: Url,
        /// Time until the codes expire, in hours or days, such as 12h or 30d.
        #[arg(long, default_value = "7d", value_name = "TIME", value_parser = parse_lifetime)]
        expires: Millis,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// List the codes of the operator that still work, the next to expire first, with how many people have joined;
    /// includes those of people admitted from the waitlist.
    #[command(after_help = "Example: kith invite list --all --data /var/lib/kith")]
    List {
        /// Also list used, revoked and expired codes.
        #[arg(long)]
        all: bool,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
    /// Revoke invite codes of the operator or of members; used ones stay used.
    #[command(after_help = "Example: kith invite revoke H7KD93MQZ2QP")]
    Revoke {
        /// Invite codes.
        #[arg(required = true)]
        codes: Vec<String>,
        /// Print a JSON list.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        store: DatabaseArgs,
    },
}

/// Longest lifetime of a code.
const MAX_LIFETIME: Millis = 366 * DAY;

/// State of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CodeState {
    Open,
    Used,
    Revoked,
    Expired,
}

/// An invite code in JSON output.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CodeRow {
    code: String,
    expires_at: String,
    state: CodeState,
    uses: i64,
    used: i64,
}

/// Result of a revocation in JSON output.
#[derive(Serialize)]
struct RevocationRow<'a> {
    code: &'a str,
    revocation: RevokeOutcome,
}

impl InviteCommand {
    pub(super) async fn execute(self) -> Result<(), String> {
        match self {
            Self::Create { count, uses, links, public_url, expires, store } => {
                let base = links.then_some(public_url);
                create(count, uses, expires, base, store).await
            }
            Self::List { all, json, store } => list(all, json, store).await,
            Self::Revoke { codes, json, store } => revoke(&codes, json, store).await,
        }
    }
}

/// Parses hours or days. The error has no full stop.
fn parse_lifetime(text: &str) -> Result<Millis, String> {
    let units = [("h", HOUR), ("d", DAY)];
    let found = units.iter().find_map(|(unit, length)| {
        let number = text.strip_suffix(unit)?.parse::<u32>().ok()?;
        Some(Millis::from(number) * length)
    });
    found
        .filter(|lifetime| (HOUR..=MAX_LIFETIME).contains(lifetime))
        .ok_or_else(|| "it must be 1h to 366d, such as 12h or 30d".to_owned())
}

/// Creates codes, and prints them or, with the public URL, links.
async fn create(
    count: u32,
    uses: u32,
    lifetime: Millis,
    public_url: Option<Url>,
    store: DatabaseArgs,
) -> Result<(), String> {
    let mut settings = Settings::for_command(store);
    let has_links = public_url.is_some();
    settings.public_url = public_url.unwrap_or(settings.public_url);
    let state = super::open_state_with(settings).await?;
    let codes = (0..count).map(|_| crypto::random_code(12)).collect::<Vec<_>>();
    let issue = IssueCodes { codes: codes.clone(), lifetime, uses: uses.into(), now: state.now() };
    let issued = state.db.write(issue).await;
    state.db.close().await;
    issued.map_err(|error| format!("The codes could not be stored: {error}."))?;
    let link = |code: &String| state.settings.url_for(&format!("/?invite={code}"));
    let lines = if has_links { codes.iter().map(link).collect() } else { codes };
    print_line!("{}", lines.join("\n"))
}

async fn list(all: bool, json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let codes = invites::load_operator_codes(&state.db.reader()).await;
    let now = state.now();
    state.db.close().await;
    let codes = codes.map_err(|error| format!("The codes cannot be read: {error}."))?;
    let rows = codes.into_iter().map(|code| CodeRow {
        state: state_at(&code, now),
        expires_at: rfc3339(code.expires_at),
        code: code.code,
        uses: code.uses,
        used: code.used,
    });
    let rows = rows.filter(|row| all || row.state == CodeState::Open).collect::<Vec<_>>();
    if json {
        return super::print_json(&rows);
    }
    for CodeRow { code, expires_at, state, uses, used } in rows {
        let state = match state {
            CodeState::Open => "open",
            CodeState::Used => "used",
            CodeState::Revoked => "revoked",
            CodeState::Expired => "expired",
        };
        print_line!("{code}\t{expires_at}\t{state}\t{used}/{uses}")?;
    }
    Ok(())
}

const fn state_at(code: &OperatorCode, now: Millis) -> CodeState {
    if code.used >= code.uses {
        CodeState::Used
    } else if code.is_revoked {
        CodeState::Revoked
    } else if code.expires_at <= now {
        CodeState::Expired
    } else {
        CodeState::Open
    }
}

async fn revoke(codes: &[String], json: bool, store: DatabaseArgs) -> Result<(), String> {
    let state = super::open_state(store).await?;
    let codes = codes.iter().map(|code| code.trim().to_ascii_uppercase()).collect::<Vec<_>>();
    let revoked = state.db.write(RevokeCodes { codes: codes.clone(), now: state.now() }).await;
    state.db.close().await;
    let revoked = revoked.map_err(|error| format!("The codes could not be revoked: {error}."))?;
    let rows = codes.iter().zip(revoked);
    let rows = rows.map(|(code, revocation)| RevocationRow { code, revocation });
    let rows = rows.collect::<Vec<_>>();
    if json {
        super::print_json(&rows)?;
    }
    let mut unknown = Vec::new();
    for RevocationRow { code, revocation } in rows {
        let outcome = match revocation {
            RevokeOutcome::Revoked => "was revoked",
            RevokeOutcome::Before => "was already revoked",
            RevokeOutcome::Used => "was already used",
            RevokeOutcome::Unknown => {
                unknown.push(code);
                continue;
            }
        };
        if !json {
            print_line!("{code} {outcome}.")?;
        }
    }
    if unknown.is_empty() { Ok(()) } else { Err(unknown_codes(&unknown)) }
}

fn unknown_codes(codes: &[&str]) -> String {
    match codes {
        [code] => format!("{code} is not an invite code."),
        _ => format!("These are not invite codes: {}.", codes.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_has_a_unit() {
        assert_eq!(parse_lifetime("12h"), Ok(12 * HOUR));
        assert_eq!(parse_lifetime("30d"), Ok(30 * DAY));
        for wrong in ["", "30", "d", "0d", "-1d", "1w", "367d", "99999999999d", "+1d "] {
            assert!(parse_lifetime(wrong).is_err(), "{wrong}");
        }
    }
}
