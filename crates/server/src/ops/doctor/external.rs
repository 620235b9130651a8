//! What the server meets: its settings, the address that members see, the storage, the mail server.

use crate::features::auth::Email;
use crate::ops::doctor::Check;
use crate::platform::config::{Settings, Switch, check_events, check_storage};
use crate::platform::mail::{Failure, Transport, test_letter};
use kith_storage::Storage;
use url::Host;

/// Whether the settings fit each other. Those that cannot be read at all never come this far.
pub(super) fn settings(settings: &Settings) -> Check {
    const NAME: &str = "settings";
    if let Err(sentence) = Transport::check(settings) {
        return Check::fail(NAME, sentence.trim_end_matches('.'), "Correct the setting.");
    }
    if let Err(sentence) = check_storage(&settings.storage_url) {
        return Check::fail(NAME, sentence.trim_end_matches('.'), "Correct the setting.");
    }
    if let Err(sentence) = check_events(&settings.events_url) {
        return Check::fail(NAME, sentence.trim_end_matches('.'), "Correct the setting.");
    }
    if settings.rate_limits == Switch::Off {
        return Check::warn(
            NAME,
            "rate limits are off",
            "Unset KITH_RATE_LIMITS outside benchmarks.",
        );
    }
    if !settings.admin_listen.ip().is_loopback() {
        return Check::warn(
            NAME,
            format!(
                "{} shows figures to whoever reaches it",
                settings.admin_listen
            ),
            "Let KITH_ADMIN_LISTEN be an address of this machine only, or of a private network.",
        );
    }
    if settings.https() && settings.trusted_proxies.0.is_empty() {
        return Check::warn(
            NAME,
            "no proxy is trusted, although members come by https",
            "Name the proxy in KITH_TRUSTED_PROXIES: all members share one allowance otherwise.",
        );
    }
    Check::ok(NAME, "they fit each other")
}

pub(super) fn public_url(settings: &Settings) -> Check {
    const NAME: &str = "public address";
    let origin = settings.origin();
    let is_number = matches!(
        settings.public_url.host(),
        Some(Host::Ipv4(_) | Host::Ipv6(_))
    );
    if settings.is_own_machine() {
        return Check::warn(
            NAME,
            format!("{origin} leads nowhere but on this machine"),
            "For others, let KITH_PUBLIC_URL be the address that they type.",
        );
    }
    if !settings.https() {
        return Check::fail(
            NAME,
            format!("{origin} is not encrypted: anybody on the way can take a session over"),
            "Put a proxy with TLS in front, and let KITH_PUBLIC_URL begin with https://.",
        );
    }
    if is_number {
        return Check::warn(
            NAME,
            format!("{origin} is a number"),
            "Use a name: links in mails outlive numbers.",
        );
    }
    Check::ok(NAME, origin)
}

pub(super) async fn storage(settings: &Settings) -> Check {
    const NAME: &str = "storage";
    let is_folder = settings.storage_url.is_empty();
    if is_folder && !settings.store.data.is_dir() {
        return Check::fail(
            NAME,
            "there is no data folder to keep images in",
            "See the data folder above.",
        );
    }
    let advice = if is_folder {
        "Let the server's account own the folder media, and make room on its disk."
    } else {
        "Look at KITH_STORAGE_URL, the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role, and what they may do in the bucket."
    };
    let opened = Storage::open(&settings.storage_url, &settings.store.data.join("media")).await;
    let storage = match opened {
        Ok(storage) => storage,
        Err(sentence) => return Check::fail(NAME, sentence.trim_end_matches('.'), advice),
    };
    match storage.probe().await {
        Ok(()) if is_folder => Check::ok(NAME, "files in the data folder"),
        Ok(()) => Check::ok(NAME, "the bucket takes, gives and deletes"),
        Err(failure) => Check::fail(NAME, failure.to_string(), advice),
    }
}

pub(super) async fn mail(settings: &Settings, to: Option<&Email>) -> Check {
    const NAME: &str = "mail";
    const ADVICE: &str =
        "Look at KITH_SMTP_URL: host, port, tls, user and password; and at the server's own log.";
    if Transport::check(settings).is_err() {
        return Check::fail(
            NAME,
            "its settings cannot be read",
            "See the settings above.",
        );
    }
    let is_folder = settings.smtp_url.is_empty();
    if is_folder && !settings.store.data.is_dir() {
        return Check::fail(
            NAME,
            "there is no data folder to keep mails in",
            "See the data folder above.",
        );
    }
    let transport = match Transport::new(settings) {
        Ok(transport) => transport,
        Err(sentence) => return Check::fail(NAME, sentence.trim_end_matches('.'), ADVICE),
    };
    // Sending greets, too.
    let sent = if let Some(to) = to {
        let letter = test_letter(to.as_str(), &settings.origin());
        let sent = transport.send(&letter).await;
        if let Err(Failure::Later(error) | Failure::Hopeless(error)) = sent {
            return Check::fail(NAME, format!("the mail was not taken: {error}"), ADVICE);
        }
        ", and it took a mail"
    } else {
        if let Err(error) = transport.greet().await {
            return Check::fail(NAME, format!("the server cannot be used: {error}"), ADVICE);
        }
        ""
    };
    if is_folder {
        return Check::warn(
            NAME,
            format!("there is no mail server: mails become files in the outbox{sent}"),
            "Set KITH_SMTP_URL, or members cannot log in by themselves.",
        );
    }
    Check::ok(NAME, format!("the server answers{sent}"))
}
