//! Settings of who can join, how many invites members have, and what new members can do.

use crate::features::members;
use crate::features::settings::{SettingField, StoredSettings};
use crate::http::error::{ApiError, Result};
use crate::platform::clock::{DAY, Millis};
use crate::platform::ids::Id;
use kith_db::{Reader, Sql, sql};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use utoipa::ToSchema;

/// Settings of this file, without the pages of the network, which are long.
pub(super) const LOAD: Sql = sql!(
    "select name, value, changed_at from network_settings where part = 0 and name in
       ('registration', 'invitesPerMonth', 'inviteDays', 'newMemberDays', 'newMemberPosts', 'newMemberFollows')"
);

/// Most days for which a member counts as new.
const MAX_NEW_DAYS: i64 = 30;

/// Registration mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Registration {
    /// Everybody with an invite code; others can join the waitlist.
    Open,
    /// Everybody with an invite code of the operator, or admitted from the waitlist.
    Closed,
}

impl Registration {
    /// Returns the name in the API and the database.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
        }
    }
}

/// Bounds and default of a setting that is a number.
pub(super) struct NumberRule {
    pub(super) bounds: RangeInclusive<i64>,
    pub(super) default: i64,
}

/// Returns the rule of a setting; `None` for one that is no number.
pub(super) const fn number_rule(field: SettingField) -> Option<NumberRule> {
    let (bounds, default) = match field {
        SettingField::InvitesPerMonth => (0..=100, 3),
        SettingField::InviteDays => (1..=90, 7),
        SettingField::NewMemberDays => (0..=MAX_NEW_DAYS, 0),
        SettingField::NewMemberPosts => (1..=300, 20),
        SettingField::NewMemberFollows => (1..=400, 50),
        _ => return None,
    };
    Some(NumberRule { bounds, default })
}

/// Checks a number for storage; `None` for the default.
pub(super) fn check_number(
    field: SettingField,
    rule: NumberRule,
    typed: &str,
) -> Result<Option<String>> {
    let NumberRule { bounds, default } = rule;
    let number = typed.trim().parse::<i64>().ok().filter(|number| bounds.contains(number));
    let number = number.ok_or_else(|| bad_number(field))?;
    Ok((number != default).then(|| number.to_string()))
}

/// Checks the mode for storage; `None` for the default.
pub(super) fn check_registration(typed: &str) -> Result<Option<String>> {
    match typed.trim() {
        "open" => Ok(None),
        "closed" => Ok(Some(Registration::Closed.name().to_owned())),
        _ => {
            let message = "Please choose open or closed.";
            Err(ApiError::invalid_field(SettingField::Registration.name(), message))
        }
    }
}

pub(crate) fn bad_number(field: SettingField) -> ApiError {
    let message = match number_rule(field) {
        Some(NumberRule { bounds, .. }) => {
            format!("Please enter a number from {} to {}.", bounds.start(), bounds.end())
        }
        None => unreachable!("the field is a number"),
    };
    ApiError::invalid_field(field.name(), message)
}

/// Error for visitors while registration is closed.
pub(crate) fn registration_closed() -> ApiError {
    ApiError::forbidden("registration_closed", "Registration is closed for now.")
}

/// Settings of who can join, with defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationSettings {
    /// Registration mode.
    pub registration: Registration,
    /// Invites that a member gets at sign-up and on the first of each month.
    pub invites_per_month: i64,
    /// Days for which an invite of a member, or of an admitted person, works.
    pub invite_days: i64,
    /// Days for which a member counts as new; 0 if there are no limits for new members.
    pub new_member_days: i64,
    /// Posts and replies of a new member in 24 hours.
    pub new_member_posts: i64,
    /// Follows of a new member in 24 hours.
    pub new_member_follows: i64,
}

impl RegistrationSettings {
    /// Fills settings that are not stored with their defaults.
    #[must_use]
    pub fn new(stored: &StoredSettings) -> Self {
        let number = |field| {
            let own = stored.get(field).and_then(|value| value.parse().ok());
            own.or_else(|| number_rule(field).map(|rule| rule.default)).unwrap_or(0)
        };
        let is_closed = stored.get(SettingField::Registration) == Some(Registration::Closed.name());
        Self {
            registration: if is_closed { Registration::Closed } else { Registration::Open },
            invites_per_month: number(SettingField::InvitesPerMonth),
            invite_days: number(SettingField::InviteDays),
            new_member_days: number(SettingField::NewMemberDays),
            new_member_posts: number(SettingField::NewMemberPosts),
            new_member_follows: number(SettingField::NewMemberFollows),
        }
    }

    /// Returns whether only the operator's codes work.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.registration == Registration::Closed
    }

    /// Returns the lifetime of an invite.
    #[must_use]
    pub const fn invite_lifetime(&self) -> Millis {
        self.invite_days * DAY
    }
}

/// Loads the settings of who can join.
pub async fn load_registration(db: &Reader<'_>) -> kith_db::Result<RegistrationSettings> {
    Ok(RegistrationSettings::new(&super::store::load_with(db, &LOAD).await?))
}

/// Loads the settings if the member counts as new, and is neither moderator nor admin.
pub async fn load_new_member_limits(
    db: &Reader<'_>,
    member: Id,
    now: Millis,
) -> kith_db::Result<Option<RegistrationSettings>> {
    // Most members have joined too long ago for any setting.
    if now - member.time() >= MAX_NEW_DAYS * DAY {
        return Ok(None);
    }
    let settings = load_registration(db).await?;
    let is_new = now - member.time() < settings.new_member_days * DAY;
    Ok((is_new && !members::is_moderator(db, member).await?).then_some(settings))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// proves: registration-bounds
    #[test]
    fn numbers_have_bounds_and_defaults_are_not_stored() {
        let fields =
            SettingField::ALL.into_iter().filter_map(|field| Some((field, number_rule(field)?)));
        for (field, NumberRule { bounds, default }) in fields {
            let (min, max) = bounds.into_inner();
            for number in [min, max].into_iter().filter(|number| *number != default) {
                assert_eq!(field.check(&format!(" {number}")), Ok(Some(number.to_string())));
            }
            assert_eq!(field.check(&default.to_string()), Ok(None), "{field:?}");
            for wrong in [(min - 1).to_string(), (max + 1).to_string(), "1.5".into(), "x".into()] {
                assert_eq!(field.check(&wrong), Err(bad_number(field)), "{field:?} {wrong}");
            }
        }
        let message = "Please enter a number from 0 to 100.";
        assert_eq!(bad_number(SettingField::InvitesPerMonth).message(), message);
        assert_eq!(SettingField::Registration.check("open"), Ok(None));
        assert_eq!(SettingField::Registration.check("closed"), Ok(Some("closed".to_owned())));
        assert!(SettingField::Registration.check("shut").is_err());
    }
}
