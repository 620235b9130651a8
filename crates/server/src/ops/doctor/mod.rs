//! `kith doctor`: checks an installation and gives advice.
//!
//! Each check has one line of output. The checks create and remove a file and an object, and send an email if
//! requested; nothing else is changed.

mod audit_log;
mod bucket;
mod clock;
mod data_dir;
mod external;
mod images;
mod mail_dns;
mod public_host;

use crate::features::auth::Email;
use crate::platform::clock::Clock;
use crate::platform::config::Settings;
use serde::Serialize;

/// Outcome of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No problem found.
    Ok,
    /// Works, but may not be intended.
    Warn,
    /// Does not work.
    Fail,
}

/// Result of one check with advice.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// Name of the check.
    pub name: &'static str,
    /// Outcome of the check.
    pub verdict: Verdict,
    /// Finding, without a full stop.
    pub found: String,
    /// Advice; empty if the verdict is ok.
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
        Self { name, verdict, found: found.into(), advice: advice.into() }
    }
}

/// Checks the settings alone.
#[must_use]
pub fn check_settings(settings: &Settings) -> Check {
    external::settings(settings)
}

/// Checks everything that `kith serve` needs with these settings. Sends a test email if `mail_to` is given.
pub async fn run_checks(settings: &Settings, clock: &Clock, mail_to: Option<&Email>) -> Vec<Check> {
    let checks = [
        Some(external::settings(settings)),
        Some(external::public_url(settings)),
        public_host::certificate(settings, clock).await,
        Some(data_dir::data_folder(settings)),
        Some(data_dir::disk_space(settings)),
        Some(data_dir::key(settings).await),
        Some(clock::clock(settings, clock).await),
        clock::database_clock(settings, clock).await,
        Some(data_dir::database(settings).await),
        Some(audit_log::audit_log(settings).await),
        Some(external::storage(settings).await),
        bucket::uploads(settings, clock).await,
        Some(images::files(settings).await),
        Some(images::worker(settings).await),
        Some(external::mail(settings, mail_to).await),
        mail_dns::mail_records(settings).await,
    ];
    checks.into_iter().flatten().collect()
}
