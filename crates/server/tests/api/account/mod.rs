//! A member's own account: email change, export and deletion.

mod behind;
mod email;
mod email_link;
mod export;
mod held;
mod language;
mod leaving;
mod left;
mod taken_over;

use crate::harness::Browser;
use serde_json::Value;

/// Returns the account as its member sees it.
async fn account(browser: &Browser) -> Value {
    browser.get("/api/account").await.expect(200)
}

/// Extracts the token of the link for `step` from a mail.
pub(crate) fn token_in(mail: &str, step: &str) -> String {
    let start = format!("/account/confirm?step={step}&token=");
    let mut lines = mail.lines();
    let found = lines.find_map(|line| line.split_once(start.as_str()));
    let (_, token) = found.unwrap_or_else(|| panic!("no link to {step} in {mail}"));
    token.trim().to_owned()
}
