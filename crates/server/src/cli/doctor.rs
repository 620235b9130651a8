//! `kith doctor`.

use crate::features::auth::Email;
use crate::ops::doctor::{self, Check, Verdict};
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use crate::platform::output::say;
use clap::Args;
use kith_text::clean_line;

/// What to look at: the settings of `kith serve`.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Send a mail to this address, too.
    #[arg(long, value_name = "ADDRESS")]
    send_mail: Option<String>,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

/// Prints a line for each check; an error when one failed.
pub(super) async fn run(doctor: Doctor) -> Result<(), String> {
    let parse = |typed: String| {
        Email::parse(&typed).map_err(|_| format!("--send-mail: {typed} is not a mail address."))
    };
    let mail_to = doctor.send_mail.map(parse).transpose()?;
    let checks = doctor::run_checks(&doctor.settings, &Clock::system(), mail_to.as_ref()).await;
    if doctor.json {
        super::print_json(&checks)?;
    } else {
        for check in &checks {
            say!("{}", line(check))?;
        }
    }
    let failed = checks.iter().filter(|check| check.verdict == Verdict::Fail);
    match failed.count() {
        0 => Ok(()),
        1 => Err("One check failed.".to_owned()),
        count => Err(format!("{count} checks failed.")),
    }
}

fn line(check: &Check) -> String {
    let verdict = match check.verdict {
        Verdict::Ok => "ok  ",
        Verdict::Warn => "warn",
        Verdict::Fail => "FAIL",
    };
    // Other servers' words are in it, and a terminal obeys control characters.
    let (name, found) = (check.name, clean_line(&check.found));
    if check.advice.is_empty() {
        format!("{verdict}  {name}: {found}.")
    } else {
        format!("{verdict}  {name}: {found}. {}", check.advice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: operate-words
    #[test]
    fn other_servers_words_move_no_cursor() {
        let found = "the mail was not taken: \u{1b}]0;owned\u{7}\u{1b}[31m550\r\nno";
        let check = Check {
            name: "mail",
            verdict: Verdict::Fail,
            found: found.to_owned(),
            advice: "Look at it.".to_owned(),
        };
        let expected = "FAIL  mail: the mail was not taken: ]0;owned[31m550 no. Look at it.";
        assert_eq!(line(&check), expected);
    }
}
