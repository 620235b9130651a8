//! Checks the settings, the public URL, the storage and the mail server.

use crate::features::auth::Email;
use crate::ops::doctor::Check;
use crate::platform::config::{Settings, Toggle, check_storage};
use crate::platform::mail::{SendError, Transport, render_test_mail};
use kith_storage::Storage;
use url::Host;

/// Checks that the settings are consistent. Settings that cannot be parsed fail before this check.
pub(super) fn settings(settings: &Settings) -> Check {
    const NAME: &str = "settings";
    if let Err(sentence) = Transport::check(settings) {
        return Check::fail(NAME, sentence.trim_end_matches('.'), "Correct the setting.");
    }
    if let Err(sentence) = check_storage(&settings.storage_url) {
        return Check::fail(NAME, sentence.trim_end_matches('.'), "Correct the setting.");
    }
    if let Err(sentence) = settings.store.database().check() {
        return Check::fail(NAME, format!("KITH_DATABASE_URL: {sentence}"), "Correct the setting.");
    }
    if settings.rate_limits == Toggle::Off {
        return Check::warn(
            NAME,
            "rate limits are off",
            "Unset KITH_RATE_LIMITS outside benchmarks.",
        );
    }
    if !settings.admin_listen.ip().is_loopback() {
        return Check::warn(
            NAME,
            format!("{} exposes metrics to anyone who can reach it", settings.admin_listen),
            "Bind KITH_ADMIN_LISTEN to loopback or a private address.",
        );
    }
    if let Some(range) = settings.trusted_proxies.everyone() {
        return Check::warn(
            NAME,
            format!(
                "{range} trusts every client as a proxy, so that each can forge its IP address"
            ),
            "Set KITH_TRUSTED_PROXIES to the IP address or range of the proxy.",
        );
    }
    if settings.is_https() && settings.trusted_proxies.is_empty() {
        return Check::warn(
            NAME,
            "no proxy is trusted, although members connect by https",
            "Set KITH_TRUSTED_PROXIES to the proxy's IP address or range: otherwise all members share one rate limit.",
        );
    }
    Check::ok(NAME, "consistent")
}

pub(super) fn public_url(settings: &Settings) -> Check {
    const NAME: &str = "public URL";
    let origin = settings.origin();
    let is_ip = matches!(settings.public_url.host(), Some(Host::Ipv4(_) | Host::Ipv6(_)));
    if settings.is_loopback() {
        return Check::warn(
            NAME,
            format!("{origin} works on this machine only"),
            "For other machines, set KITH_PUBLIC_URL to the URL that members open.",
        );
    }
    if !settings.is_https() {
        return Check::fail(
            NAME,
            format!(
                "{origin} is not encrypted: anyone on the network path can take over a session"
            ),
            "Put a proxy with TLS in front, and set KITH_PUBLIC_URL to its https:// URL.",
        );
    }
    if is_ip {
        return Check::warn(
            NAME,
            format!("{origin} is an IP address"),
            "Use a host name: links in emails outlive IP addresses.",
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
            "there is no data folder to store images in",
            "See the data folder above.",
        );
    }
    let advice = if is_folder {
        "Make the server's account the owner of the folder media, and free up space on its disk."
    } else {
        "Check KITH_STORAGE_URL, the keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role, and their permissions on the bucket."
    };
    let opened = Storage::open(&settings.storage_url, &settings.store.data.join("media")).await;
    let storage = match opened {
        Ok(storage) => storage,
        Err(sentence) => return Check::fail(NAME, sentence.trim_end_matches('.'), advice),
    };
    match storage.probe().await {
        Ok(()) if is_folder => Check::ok(NAME, "files in the data folder"),
        Ok(()) => Check::ok(NAME, "bucket: write, read and delete succeeded"),
        Err(error) => Check::fail(NAME, error.to_string(), advice),
    }
}

pub(super) async fn mail(settings: &Settings, to: Option<&Email>) -> Check {
    const NAME: &str = "mail";
    const ADVICE: &str =
        "Check KITH_SMTP_URL (host, port, tls, user and password) and the mail server's log.";
    if Transport::check(settings).is_err() {
        return Check::fail(NAME, "its settings are invalid", "See the settings above.");
    }
    let is_folder = settings.smtp_url.is_empty();
    if is_folder && !settings.store.data.is_dir() {
        return Check::fail(
            NAME,
            "there is no data folder to store emails in",
            "See the data folder above.",
        );
    }
    let transport = match Transport::new(settings) {
        Ok(transport) => transport,
        Err(sentence) => return Check::fail(NAME, sentence.trim_end_matches('.'), ADVICE),
    };
    // Sending a mail checks the connection, or writes the file, as well.
    let sent_note = if let Some(to) = to {
        let mail = render_test_mail(to.as_str(), &settings.origin());
        let sent = transport.send(&mail).await;
        if let Err(SendError::Temporary(error) | SendError::Permanent(error)) = sent {
            return Check::fail(NAME, format!("the email was not accepted: {error}"), ADVICE);
        }
        ", and it accepted an email"
    } else {
        if let Err(error) = transport.check_connection().await {
            return Check::fail(NAME, format!("the server cannot be used: {error}"), ADVICE);
        }
        ""
    };
    if is_folder {
        let not_checked = match to {
            Some(to) => format!("no email was sent to {}, but written", to.as_str()),
            None => "each email is written".to_owned(),
        };
        return Check::warn(
            NAME,
            format!(
                "KITH_SMTP_URL is not set, so that no mail server was checked: {not_checked} to a file in the folder outbox"
            ),
            "Set it, so that members can log in by email, and run `kith doctor --send-mail EMAIL` again.",
        );
    }
    Check::ok(NAME, format!("the server responds{sent_note}"))
}
