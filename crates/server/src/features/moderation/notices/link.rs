//! Signed links to a notice, which need no session.

use crate::platform::Platform;
use crate::platform::crypto::{self, SecretKey};
use crate::platform::ids::Id;

/// Purpose of the token's keyed hash, which makes it worthless for anything else.
const PURPOSE: &str = "moderation-notice";

/// Returns the URL of a notice. Its token never expires; it shows the notice, and lets the member object once. The
/// fragment is never sent to the server, so that the token is in no log.
pub(super) fn notice_url(platform: &Platform, member: Id, notice: Id) -> String {
    platform.settings.url_for(&format!("/notice#{}", create_token(&platform.key, member, notice)))
}

fn create_token(key: &SecretKey, member: Id, notice: Id) -> String {
    let ids = [member.0.to_be_bytes(), notice.0.to_be_bytes()].concat();
    crypto::encode(&[ids.as_slice(), &key.mac(PURPOSE, &[&ids])].concat())
}

/// Returns the member and the notice that a token names, if this server's key signed it.
pub(super) fn verify_token(key: &SecretKey, text: &str) -> Option<(Id, Id)> {
    let bytes = crypto::decode(text)?;
    let (ids, mac) = bytes.split_at_checked(16)?;
    let (member, notice) = ids.split_at(8);
    let parse = |bytes: &[u8]| Some(Id(i64::from_be_bytes(bytes.try_into().ok()?)));
    let is_authentic = crypto::constant_time_eq(mac, &key.mac(PURPOSE, &[ids]));
    is_authentic.then_some(())?;
    Some((parse(member)?, parse(notice)?))
}
