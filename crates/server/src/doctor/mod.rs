//! What is wrong with an installation, and what to do about it.
//!
//! Each check answers one line. Nothing is changed, but for a file and an object that are made and
//! removed again, and a mail if one is asked for.

mod images;
mod outside;
mod place;
mod time;
mod trail;

use crate::auth::Email;
use crate::clock::Clock;
use crate::config::Settings;
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
        outside::settings(settings),
        outside::public_url(settings),
        place::data_folder(settings),
        place::disk_space(settings),
        place::key(settings),
        time::clock(settings, clock).await,
        place::database(settings).await,
        trail::audit_log(settings).await,
        outside::storage(settings).await,
        images::worker(settings).await,
        outside::mail(settings, mail_to).await,
    ]
}
