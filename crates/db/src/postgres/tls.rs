//! PostgreSQL URLs and TLS.
//!
//! The driver knows neither `verify-full` nor `sslrootcert`, so both are parsed here. Connections are plain text or
//! TLS with a verified certificate: opportunistic or unverified encryption does not stop an active attacker.

use crate::{Error, Result};
use percent_encoding::percent_decode_str;
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A parsed database URL.
#[derive(Debug)]
pub(crate) struct DatabaseUrl {
    /// Driver configuration.
    pub(crate) config: tokio_postgres::Config,
    /// Trusted issuers of the server's certificate; `None` means plain text.
    trust: Option<TrustedRoots>,
}

/// Trusted issuers of the server's certificate.
#[derive(Debug, PartialEq, Eq)]
enum TrustedRoots {
    /// The system's roots.
    System,
    /// Only the certificates in this PEM file.
    File(PathBuf),
}

impl DatabaseUrl {
    /// Parses a `postgres://` URL. An error is a sentence without a full stop and without the password.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err("the URL must start with postgres://, or be empty for SQLite".into());
        }
        let (server, query) = url.split_once('?').unwrap_or((url, ""));
        let (mut encrypted, mut roots, mut rest) = (false, None, Vec::new());
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            match pair.split_once('=') {
                Some(("sslmode", mode)) => encrypted = is_encrypted(mode)?,
                Some(("sslrootcert", path)) => {
                    let path = percent_decode_str(path).decode_utf8();
                    let path = path.map_err(|_| "sslrootcert is not a path in UTF-8")?;
                    roots = Some(PathBuf::from(path.as_ref()));
                }
                _ => rest.push(pair),
            }
        }
        if roots.is_some() && !encrypted {
            return Err("sslrootcert needs sslmode=verify-full".into());
        }
        let mut config: tokio_postgres::Config = format!("{server}?{}", rest.join("&"))
            .parse()
            .map_err(|error| format!("the database URL is not valid: {error}"))?;
        // The driver parses text before the first `?` by other rules and must not have found a setting there.
        if config.get_ssl_mode() != SslMode::Prefer {
            return Err("the database URL is not valid: write ? in a password as %3F".into());
        }
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        let trust = encrypted.then(|| roots.map_or(TrustedRoots::System, TrustedRoots::File));
        Ok(Self { config, trust })
    }

    /// Returns the TLS connector; `None` for plain text.
    pub(crate) fn connector(&self) -> Result<Option<MakeRustlsConnect>> {
        let Some(trust) = &self.trust else {
            return Ok(None);
        };
        let mut roots = rustls::RootCertStore::empty();
        match trust {
            TrustedRoots::System => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
            TrustedRoots::File(path) => {
                roots.add_parsable_certificates(certificates(path)?);
            }
        }
        if roots.is_empty() {
            return Err(Error::Unavailable(
                "no trusted certificates for PostgreSQL were found".into(),
            ));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Unavailable(format!("TLS cannot be used: {error}")))?;
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Ok(Some(MakeRustlsConnect::new(config)))
    }

    /// Whether plain text leaves this machine.
    pub(crate) fn is_remote_plaintext(&self) -> bool {
        let leaves = |host: &Host| match host {
            Host::Tcp(name) => {
                let number = name.parse::<std::net::IpAddr>();
                name != "localhost" && !number.is_ok_and(|number| number.is_loopback())
            }
            #[cfg(unix)]
            Host::Unix(_) => false,
        };
        let mut numbers = self.config.get_hostaddrs().iter();
        let leaves_by_number = numbers.any(|number| !number.is_loopback());
        self.trust.is_none() && (leaves_by_number || self.config.get_hosts().iter().any(leaves))
    }
}

fn is_encrypted(mode: &str) -> Result<bool, String> {
    match mode {
        "disable" => Ok(false),
        "require" | "verify-full" => Ok(true),
        _ => Err(format!("sslmode={mode} is not known: use disable, require or verify-full")),
    }
}

fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>> {
    let unreadable = |error| {
        let shown = path.display();
        Error::Unavailable(format!("sslrootcert {shown} cannot be read: {error}"))
    };
    CertificateDer::pem_file_iter(path)
        .map_err(unreadable)?
        .map(|certificate| certificate.map_err(unreadable))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{DatabaseUrl, TrustedRoots};
    use std::path::Path;
    use tokio_postgres::config::SslMode;

    #[test]
    fn sslmode_decides_whether_a_connection_is_encrypted() {
        for (query, encrypted) in [
            ("", false),
            ("?sslmode=disable", false),
            ("?sslmode=require", true),
            ("?application_name=kith&sslmode=verify-full", true),
        ] {
            let parsed = DatabaseUrl::parse(&format!("postgres://kith:x@a,b/kith{query}")).unwrap();
            assert_eq!(parsed.trust.is_some(), encrypted, "{query}");
            let mode = [SslMode::Disable, SslMode::Require][usize::from(encrypted)];
            assert_eq!(parsed.config.get_ssl_mode(), mode, "{query}");
            assert_eq!(parsed.config.get_hosts().len(), 2, "{query}");
        }
        let with_root = "postgres://a/kith?sslmode=verify-full&sslrootcert=/etc/my%20root.pem";
        let parsed = DatabaseUrl::parse(with_root).unwrap();
        let expected = TrustedRoots::File(Path::new("/etc/my root.pem").to_owned());
        assert_eq!(parsed.trust, Some(expected));
    }

    #[test]
    fn modes_that_fall_back_or_check_nothing_are_errors() {
        for query in [
            "sslmode=prefer",
            "sslmode=allow",
            "sslmode=verify-ca",
            "sslmode=",
            "sslrootcert=/etc/root.pem",
            "sslmode=disable&sslrootcert=/etc/root.pem",
        ] {
            let parsed = DatabaseUrl::parse(&format!("postgres://a/kith?{query}"));
            assert!(parsed.is_err(), "{query}");
        }
        for url in [
            "host=db.internal sslmode=require",
            "postgres://kith:a?b@db.internal/kith?sslmode=require",
            "postgres://db.internal/kith?ssl%6dode=require",
        ] {
            assert!(DatabaseUrl::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn plain_text_to_another_machine_is_detected() {
        for (url, exposed) in [
            ("postgres://localhost/kith", false),
            ("postgres://127.0.0.1,[::1]/kith", false),
            ("postgres:///kith?host=/run/postgresql", false),
            ("postgres://db.internal/kith", true),
            ("postgres://localhost,10.0.0.2/kith", true),
            ("postgres://localhost/kith?hostaddr=10.0.0.2", true),
            ("postgres://db.internal/kith?sslmode=verify-full", false),
        ] {
            assert_eq!(DatabaseUrl::parse(url).unwrap().is_remote_plaintext(), exposed, "{url}");
        }
    }
}
