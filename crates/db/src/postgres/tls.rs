//! The address of a PostgreSQL server: whether it is spoken to in TLS, and whom it is believed to be.
//!
//! The driver knows neither `verify-full` nor `sslrootcert`, so both are read here. There is nothing
//! between plain text and a certificate that was checked: encryption that falls back, or that takes
//! any certificate, keeps nobody out who stands on the way.

use crate::{Error, Result};
use percent_encoding::percent_decode_str;
use rustls::pki_types::{CertificateDer, pem::PemObject as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres_rustls::MakeRustlsConnect;

/// A server, and how it is spoken to.
#[derive(Debug)]
pub(crate) struct Address {
    /// What the driver needs to know.
    pub(crate) config: tokio_postgres::Config,
    /// Who signs the server's certificate; `None` is plain text.
    trust: Option<Trust>,
}

/// Who may sign the server's certificate.
#[derive(Debug, PartialEq, Eq)]
enum Trust {
    /// Whoever this system trusts.
    System,
    /// Nobody but the certificates in this PEM file.
    File(PathBuf),
}

impl Address {
    /// Reads a `postgres://` address. An error is a sentence without a full stop and without the password.
    pub(crate) fn parse(url: &str) -> Result<Self, String> {
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err("the address must start with postgres://, or be empty for SQLite".into());
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
            return Err("sslrootcert is of no use without sslmode=verify-full".into());
        }
        let mut config: tokio_postgres::Config = format!("{server}?{}", rest.join("&"))
            .parse()
            .map_err(|error| format!("the database address is not valid: {error}"))?;
        // The driver parses what is before the first `?` in its own way, and must not have found a setting there.
        if config.get_ssl_mode() != SslMode::Prefer {
            return Err("the database address is not valid: write ? in a password as %3F".into());
        }
        config.ssl_mode(if encrypted {
            SslMode::Require
        } else {
            SslMode::Disable
        });
        let trust = encrypted.then(|| roots.map_or(Trust::System, Trust::File));
        Ok(Self { config, trust })
    }

    /// What makes connections encrypted; `None` when they shall not be.
    pub(crate) fn connector(&self) -> Result<Option<MakeRustlsConnect>> {
        let Some(trust) = &self.trust else {
            return Ok(None);
        };
        let mut roots = rustls::RootCertStore::empty();
        match trust {
            Trust::System => {
                roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            }
            Trust::File(path) => {
                roots.add_parsable_certificates(certificates(path)?);
            }
        }
        if roots.is_empty() {
            return Err(Error::Unavailable(
                "there are no certificates to know PostgreSQL by".into(),
            ));
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| Error::Unavailable(format!("TLS cannot be used: {error}")))?;
        let config = config.with_root_certificates(roots).with_no_client_auth();
        Ok(Some(MakeRustlsConnect::new(config)))
    }

    /// Whether what is sent can be read on the way to another machine.
    pub(crate) fn is_exposed(&self) -> bool {
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
        _ => Err(format!(
            "sslmode={mode} is not known: use disable, require or verify-full"
        )),
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
    use super::{Address, Trust};
    use std::path::Path;
    use tokio_postgres::config::SslMode;

    #[test]
    fn an_address_says_whether_it_is_encrypted() {
        for (query, encrypted) in [
            ("", false),
            ("?sslmode=disable", false),
            ("?sslmode=require", true),
            ("?application_name=kith&sslmode=verify-full", true),
        ] {
            let address = Address::parse(&format!("postgres://kith:x@a,b/kith{query}")).unwrap();
            assert_eq!(address.trust.is_some(), encrypted, "{query}");
            let mode = [SslMode::Disable, SslMode::Require][usize::from(encrypted)];
            assert_eq!(address.config.get_ssl_mode(), mode, "{query}");
            assert_eq!(address.config.get_hosts().len(), 2, "{query}");
        }
        let with_root = "postgres://a/kith?sslmode=verify-full&sslrootcert=/etc/my%20root.pem";
        let address = Address::parse(with_root).unwrap();
        let expected = Trust::File(Path::new("/etc/my root.pem").to_owned());
        assert_eq!(address.trust, Some(expected));
    }

    #[test]
    fn what_would_fall_back_or_check_nothing_is_refused() {
        for query in [
            "sslmode=prefer",
            "sslmode=allow",
            "sslmode=verify-ca",
            "sslmode=",
            "sslrootcert=/etc/root.pem",
            "sslmode=disable&sslrootcert=/etc/root.pem",
        ] {
            let parsed = Address::parse(&format!("postgres://a/kith?{query}"));
            assert!(parsed.is_err(), "{query}");
        }
        for url in [
            "host=db.internal sslmode=require",
            "postgres://kith:a?b@db.internal/kith?sslmode=require",
            "postgres://db.internal/kith?ssl%6dode=require",
        ] {
            assert!(Address::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn plain_text_is_for_this_machine() {
        for (url, exposed) in [
            ("postgres://localhost/kith", false),
            ("postgres://127.0.0.1,[::1]/kith", false),
            ("postgres:///kith?host=/run/postgresql", false),
            ("postgres://db.internal/kith", true),
            ("postgres://localhost,10.0.0.2/kith", true),
            ("postgres://localhost/kith?hostaddr=10.0.0.2", true),
            ("postgres://db.internal/kith?sslmode=verify-full", false),
        ] {
            assert_eq!(Address::parse(url).unwrap().is_exposed(), exposed, "{url}");
        }
    }
}
