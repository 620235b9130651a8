//! What is wrong with an installation, and what to do about it.
//!
//! Each check answers one line. Nothing is changed, but for a file and an object that are made and
//! removed again, and a mail if one is asked for.

mod audit_log;
mod clock;
mod data_dir;
mod external;
mod images;

use crate::features::auth::Email;
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use serde::Serialize;

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// As it should be.
    Ok,
    /// It works, but may not be meant.
    Warn,
    /// It does not work.
    Fail,
}

/// One check.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// How it ended.
    pub verdict: Verdict,
    /// What was found, without a full stop.
    pub found: String,
    /// What to do about it; empty when all is well.
    pub advice: String,
}

impl Check {
    fn ok(name: &'static str, found: impl Into<String>) -> Self {
        Self::new(name, Verdict::Ok, found, "")
    }

    fn warn(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::new(name, Verdict::Warn, found, advice)
    }

    fn fail(name: &'static str, found: impl Into<String>, advice: impl Into<String>) -> Self {
        Self::new(name, Verdict::Fail, found, advice)
    }

    fn new(
        name: &'static str,
        verdict: Verdict,
        found: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self {
            name,
            verdict,
            found: found.into(),
            advice: advice.into(),
        }
    }
}

/// Checks everything that `kith serve` needs with these settings, and sends a mail to an address, if given.
pub async fn examine(settings: &Settings, clock: &Clock, mail_to: Option<&Email>) -> Vec<Check> {
    vec![
        external::settings(settings),
        external::public_url(settings),
        data_dir::data_folder(settings),
        data_dir::disk_space(settings),
        data_dir::key(settings),
        clock::clock(settings, clock).await,
        data_dir::database(settings).await,
        audit_log::audit_log(settings).await,
        external::storage(settings).await,
        images::worker(settings).await,
        external::mail(settings, mail_to).await,
    ]
}
