//! The key that identifies the network to push services (VAPID, RFC 8292).

use crate::platform::clock::{HOUR, Millis, SECOND};
use crate::platform::crypto::SecretKey;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::json;

/// How long a signature is valid; push services accept at most a day.
const LIFETIME: Millis = 12 * HOUR;

/// The key pair; derived from the secret key, so that it is in the backups with it.
#[derive(Clone)]
pub(super) struct VapidKey(SigningKey);

impl std::fmt::Debug for VapidKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("VapidKey")
    }
}

impl VapidKey {
    pub(super) fn derive(key: &SecretKey) -> Self {
        // A number of 256 bits is a valid key in all but one of 2^32 cases.
        let keys = (0_u8..=255).map(|attempt| key.mac("vapid", &[&[attempt]]));
        let mut valid = keys.filter_map(|bytes| SigningKey::from_slice(&bytes).ok());
        Self(valid.next().unwrap_or_else(|| unreachable!("256 hashes of a key")))
    }

    /// Returns the public key, as browsers take it: an uncompressed point in base64url.
    pub(super) fn public_key(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0.verifying_key().to_encoded_point(false).as_bytes())
    }

    /// Returns the `Authorization` header for a push service; `subject` is the URL of the network.
    pub(super) fn authorization(&self, service: &str, subject: &str, now: Millis) -> String {
        let header = json!({"typ": "JWT", "alg": "ES256"});
        let claims = json!({"aud": service, "exp": (now + LIFETIME) / SECOND, "sub": subject});
        let encode = |part: &[u8]| URL_SAFE_NO_PAD.encode(part);
        let parts = [&header, &claims].map(|part| encode(part.to_string().as_bytes()));
        let signed = parts.join(".");
        let signature: Signature = self.0.sign(signed.as_bytes());
        format!("vapid t={signed}.{}, k={}", encode(&signature.to_bytes()), self.public_key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use p256::ecdsa::signature::Verifier as _;

    #[test]
    fn a_push_service_can_verify_the_header() {
        let folder = tempfile::tempdir().unwrap();
        let key = VapidKey::derive(&SecretKey::load(&folder.path().join("key")).unwrap());
        let header = key.authorization("https://push.example", "https://kith.example", 5_000);
        let (token, public) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        assert_eq!(public, key.public_key());
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).unwrap();
        let signature = Signature::from_slice(&decode(signature)).unwrap();
        assert!(key.0.verifying_key().verify(signed.as_bytes(), &signature).is_ok());
        let claims = decode(signed.split_once('.').unwrap().1);
        let claims = serde_json::from_slice::<serde_json::Value>(&claims).unwrap();
        let expected =
            json!({"aud": "https://push.example", "exp": 43_205, "sub": "https://kith.example"});
        assert_eq!(claims, expected);
    }
}
