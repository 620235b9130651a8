//! Tokens, codes and URLs in the mails about an email change. None of them is stored.

use super::store::UNDO_WINDOW;
use crate::features::auth::LOGIN_LINK_LIFETIME;
use crate::features::auth::login_links::RateLimitKey;
use crate::platform::Platform;
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;

/// Purpose of a mailed link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenPurpose {
    ConfirmNew,
    ConfirmOld,
    /// Cancels the change, or reverts it.
    Undo,
}

impl TokenPurpose {
    const ALL: [Self; 3] = [Self::ConfirmNew, Self::ConfirmOld, Self::Undo];

    const fn mac_label(self) -> &'static str {
        match self {
            Self::ConfirmNew => "address-new",
            Self::ConfirmOld => "address-old",
            Self::Undo => "address-undo",
        }
    }

    /// Returns the rate-limit key of a change's link. Undo has a separate key, the complement of the id, so that an
    /// attacker with the new mailbox cannot use up its attempts; ids are not negative.
    pub(super) const fn rate_limit_key(self, change: Id) -> RateLimitKey {
        let requested_at = change.time();
        match self {
            Self::ConfirmNew | Self::ConfirmOld => (change, requested_at + LOGIN_LINK_LIFETIME),
            Self::Undo => (Id(!change.0), requested_at + LOGIN_LINK_LIFETIME + UNDO_WINDOW),
        }
    }

    /// Returns the `step` parameter of the confirmation page's URL.
    const fn step(self) -> &'static str {
        match self {
            Self::ConfirmNew => "new",
            Self::ConfirmOld => "old",
            Self::Undo => "undo",
        }
    }
}

/// Creates a token: the ids of change and member, and a keyed hash of both for one purpose.
pub(super) fn token(key: &SecretKey, purpose: TokenPurpose, member: Id, change: Id) -> String {
    let ids = [change.0.to_be_bytes(), member.0.to_be_bytes()].concat();
    crypto::encode(&[ids.as_slice(), &key.mac(purpose.mac_label(), &[&ids])].concat())
}

/// Returns purpose, member and change of a token, if this server's key signed it.
pub(super) fn verify(key: &SecretKey, text: &str) -> Option<(TokenPurpose, Id, Id)> {
    let bytes = crypto::decode(text.trim())?;
    let (ids, mac) = bytes.split_at_checked(16)?;
    let is_authentic = |purpose: &TokenPurpose| {
        crypto::constant_time_eq(mac, &key.mac(purpose.mac_label(), &[ids]))
    };
    let purpose = TokenPurpose::ALL.into_iter().find(is_authentic)?;
    let (change, member) = ids.split_at(8);
    let id = |bytes: &[u8]| Id(i64::from_be_bytes(bytes.try_into().unwrap_or_default()));
    Some((purpose, id(member), id(change)))
}

/// Returns the code in the mail to the new email, which works only in a session of the member.
pub(super) fn code(key: &SecretKey, change: Id) -> String {
    crypto::unambiguous_chars(&key.mac("address-code", &[&change.0.to_be_bytes()]))
        .take(8)
        .collect()
}

/// Returns the URL of the page that asks for confirmation before it uses the token.
pub(super) fn confirm_url(
    platform: &Platform,
    purpose: TokenPurpose,
    member: Id,
    change: Id,
) -> String {
    let token = token(&platform.key, purpose, member, change);
    platform.settings.url_for(&format!("/account/confirm?step={}&token={token}", purpose.step()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_one_purpose() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let key = SecretKey::load(&folder.path().join("secret.key"))?;
        let (member, change) = (Id(5), Id(7));
        for purpose in TokenPurpose::ALL {
            let text = token(&key, purpose, member, change);
            assert_eq!(verify(&key, &text), Some((purpose, member, change)));
            assert_eq!(verify(&key, &text[1..]), None);
        }
        let login = crate::features::auth::login_token(&key, change);
        assert_eq!(verify(&key, &login), None, "a login token");
        for bad in ["", "7", "é"] {
            assert_eq!(verify(&key, bad), None, "{bad}");
        }
        Ok(())
    }
}
