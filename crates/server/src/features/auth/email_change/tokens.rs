//! What the mails about a change carry. Nothing of it is stored.

use super::store::UNDO;
use crate::features::auth::LIFETIME;
use crate::features::auth::login_links::Counted;
use crate::platform::Platform;
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;

/// What a mailed link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    New,
    Old,
    /// Calls the change off, or takes it back.
    Undo,
}

impl Side {
    const ALL: [Self; 3] = [Self::New, Self::Old, Self::Undo];

    const fn purpose(self) -> &'static str {
        match self {
            Self::New => "address-new",
            Self::Old => "address-old",
            Self::Undo => "address-undo",
        }
    }

    /// What the tries of a change's link are counted by. The new mailbox may be a thief's, who must not use up what
    /// undoes the change; no id is negative.
    pub(super) const fn counted(self, change: Id) -> Counted {
        let made = change.time();
        match self {
            Self::New | Self::Old => (change, made + LIFETIME),
            Self::Undo => (Id(!change.0), made + LIFETIME + UNDO),
        }
    }

    /// As the page's address says it, so that the page can ask the right question.
    const fn name(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Old => "old",
            Self::Undo => "undo",
        }
    }
}

/// A change, by its member and id, and a keyed hash of both for one purpose.
pub(super) fn token(key: &SecretKey, side: Side, member: Id, change: Id) -> String {
    let ids = [change.0.to_be_bytes(), member.0.to_be_bytes()].concat();
    crypto::encode(&[ids.as_slice(), &key.mac(side.purpose(), &[&ids])].concat())
}

/// What a token of this installation is for: what it does, whose change, and which.
pub(super) fn open(key: &SecretKey, text: &str) -> Option<(Side, Id, Id)> {
    let bytes = crypto::decode(text.trim())?;
    let (ids, mac) = bytes.split_at_checked(16)?;
    let is_honest = |side: &Side| crypto::constant_time_eq(mac, &key.mac(side.purpose(), &[ids]));
    let side = Side::ALL.into_iter().find(is_honest)?;
    let (change, member) = ids.split_at(8);
    let id = |bytes: &[u8]| Id(i64::from_be_bytes(bytes.try_into().unwrap_or_default()));
    Some((side, id(member), id(change)))
}

/// The code in the mail to the new address, for the member's own session.
pub(super) fn code(key: &SecretKey, change: Id) -> String {
    crypto::unambiguous_chars(&key.mac("address-code", &[&change.0.to_be_bytes()]))
        .take(8)
        .collect()
}

/// The address of the page that asks before it does what the token is for.
pub(super) fn address(platform: &Platform, side: Side, member: Id, change: Id) -> String {
    let token = token(&platform.key, side, member, change);
    platform.settings.link(&format!(
        "/account/confirm?step={}&token={token}",
        side.name()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_for_one_thing() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let key = SecretKey::load(&folder.path().join("secret.key"))?;
        let (member, change) = (Id(5), Id(7));
        for side in Side::ALL {
            let text = token(&key, side, member, change);
            assert_eq!(open(&key, &text), Some((side, member, change)));
            assert_eq!(open(&key, &text[1..]), None);
        }
        let login = crate::features::auth::token(&key, change);
        assert_eq!(open(&key, &login), None, "a login token");
        for bad in ["", "7", "é"] {
            assert_eq!(open(&key, bad), None, "{bad}");
        }
        Ok(())
    }
}
