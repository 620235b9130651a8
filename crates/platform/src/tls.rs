//! TLS clients that trust the system's certificates.

use rustls::{ClientConfig, RootCertStore};
use std::sync::{Arc, LazyLock};

/// The system's certificates, read once per process.
static SYSTEM_ROOTS: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    Arc::new(roots)
});

/// Returns the certificates that the system trusts; empty without the package `ca-certificates`.
#[must_use]
pub fn system_roots() -> Arc<RootCertStore> {
    Arc::clone(&SYSTEM_ROOTS)
}

/// Returns the configuration of a client without a certificate of its own; an error has no period.
pub fn client_config() -> Result<ClientConfig, String> {
    let roots = system_roots();
    if roots.is_empty() {
        return Err(
            "this system trusts no certificates: install the package ca-certificates".into()
        );
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be used: {error}"))?;
    Ok(config.with_root_certificates(roots).with_no_client_auth())
}
