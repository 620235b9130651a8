//! `kith doctor`.

use crate::cli::unknown_variables;
use crate::features::auth::Email;
use crate::ops::doctor::{self, Check, Verdict};
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use crate::platform::output::print_line;
use clap::Args;
use kith_text::clean_line;

/// Arguments of `kith doctor`: the settings of `kith serve`.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Also send a test mail to this email.
    #[arg(long, value_name = "EMAIL")]
    send_mail: Option<String>,
    /// Print a JSON list.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    settings: Settings,
}

/// Prints one line per check; an error if a check failed.
pub(super) async fn run_checks(args: DoctorArgs) -> Result<(), String> {
    let parse = |typed: String| {
        Email::parse(&typed).map_err(|_| format!("--send-mail: {typed} is not an email address."))
    };
    let mail_to = args.send_mail.map(parse).transpose()?;
    let mut checks = Vec::from_iter(unknown_variables::check_environment());
    checks.extend(doctor::run_checks(&args.settings, &Clock::system(), mail_to.as_ref()).await);
    if args.json {
        super::print_json(&checks)?;
    } else {
        for check in &checks {
            print_line!("{}", format_check(check))?;
        }
    }
    let failed = checks.iter().filter(|check| check.verdict == Verdict::Fail);
    match failed.count() {
        0 => Ok(()),
        1 => Err("One check failed.".to_owned()),
        count => Err(format!("{count} checks failed.")),
    }
}

fn format_check(check: &Check) -> String {
    let verdict = match check.verdict {
        Verdict::Ok => "ok  ",
        Verdict::Warn => "warn",
        Verdict::Fail => "FAIL",
    };
    // The finding can quote other servers' responses, whose control characters a terminal would interpret.
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
    fn control_characters_of_other_servers_are_removed() {
        let found = "the mail was not taken: \u{1b}]0;owned\u{7}\u{1b}[31m550\r\nno";
        let check = Check {
            name: "mail",
            verdict: Verdict::Fail,
            found: found.to_owned(),
            advice: "Look at it.".to_owned(),
        };
        let expected = "FAIL  mail: the mail was not taken: ]0;owned[31m550 no. Look at it.";
        assert_eq!(format_check(&check), expected);
    }
}
