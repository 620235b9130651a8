//! /api/admin/settings: shows and changes the network's settings.

use crate::features::members::Role;
use crate::features::moderation::audit_log::{Actor, AuditAction, AuditRecord, AuditWriter};
use crate::features::moderation::staff::{self, Admin};
use crate::features::settings::{
    self, PinnedTopic, Registration, RegistrationSettings, SettingField, Site, StoredSettings,
};
use crate::http::error::{ApiError, Result};
use crate::http::extract::{Body, deserialize_integer};
use crate::http::openapi::documented_errors;
use crate::platform::Platform;
use crate::platform::clock::Millis;
use crate::platform::mail::Language;
use crate::platform::rate_limit::MemberAction;
use axum::Json;
use axum::extract::State;
use kith_db::Tx;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use utoipa::ToSchema;

/// The network's settings with its pages.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminSettings {
    /// The public settings.
    #[serde(flatten)]
    pub site: Site,
    /// Rules, in Markdown; null if there are none.
    #[schema(max_length = 20000)]
    pub rules: Option<String>,
    /// Terms of use, in Markdown; null if there are none.
    #[schema(max_length = 20000)]
    pub terms: Option<String>,
    /// Privacy notice, in Markdown; null if there is none.
    #[schema(max_length = 20000)]
    pub privacy: Option<String>,
    /// Imprint, in Markdown; null if there is none.
    #[schema(max_length = 20000)]
    pub imprint: Option<String>,
    /// Days for which a member counts as new; 0 for no limits for new members.
    #[schema(minimum = 0, maximum = 30)]
    pub new_member_days: i64,
    /// Posts and replies of a new member in 24 hours.
    #[schema(minimum = 1, maximum = 300)]
    pub new_member_posts: i64,
    /// Follows of a new member in 24 hours.
    #[schema(minimum = 1, maximum = 400)]
    pub new_member_follows: i64,
    /// Topics that the trending list begins with.
    #[schema(max_items = 6)]
    pub pinned_topics: Vec<PinnedTopic>,
    /// Announcement to all members; null if there is none.
    #[schema(max_length = 6000)]
    pub announcement: Option<String>,
    /// Version of the announcement; 0 if there is none.
    #[schema(minimum = 0)]
    pub announcement_version: i64,
    /// Whether the announcement has been mailed to all members.
    pub announcement_is_mailed: bool,
    /// Number of changes so far.
    pub version: i64,
}

impl AdminSettings {
    pub(super) fn new(stored: &StoredSettings) -> Self {
        let page = |field| stored.get(field).map(str::to_owned);
        let registration = RegistrationSettings::new(stored);
        let announcement = stored.announcement();
        let is_mailed = announcement
            .as_ref()
            .is_some_and(|announcement| announcement.version == stored.mailed_version());
        Self {
            site: Site::new(stored),
            rules: page(SettingField::Rules),
            terms: page(SettingField::Terms),
            privacy: page(SettingField::Privacy),
            imprint: page(SettingField::Imprint),
            new_member_days: registration.new_member_days,
            new_member_posts: registration.new_member_posts,
            new_member_follows: registration.new_member_follows,
            pinned_topics: stored.pinned_topics(),
            announcement: announcement.as_ref().map(|announcement| announcement.text.clone()),
            announcement_version: announcement.map_or(0, |announcement| announcement.version),
            announcement_is_mailed: is_mailed,
            version: stored.version(),
        }
    }
}

/// New values of all settings. A field that is absent, null or blank is reset to its default.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsUpdate {
    /// Name of the network, at most 50 characters (grapheme clusters) after normalization.
    #[schema(max_length = 600, example = "Kith")]
    name: Option<String>,
    /// Description for search engines and installed apps, at most 300 characters after normalization.
    #[schema(max_length = 3600, example = "The human network.")]
    description: Option<String>,
    /// Email or https URL of the operator.
    #[schema(max_length = 254, example = "hello@example.org")]
    contact: Option<String>,
    /// Accent colour. Light or dark text on it must have a contrast of at least 4.5 to 1.
    #[schema(max_length = 7, pattern = "^(#[0-9A-Fa-f]{6})?$", example = "#c2410c")]
    accent_color: Option<String>,
    /// Headline of the landing page, at most 300 characters after normalization.
    #[schema(max_length = 3600, example = "The human network")]
    headline: Option<String>,
    /// Tagline of the landing page, at most 300 characters after normalization.
    #[schema(max_length = 3600, example = "Real voices.")]
    tagline: Option<String>,
    /// Language of the app until one is chosen; null to follow the browser.
    default_language: Option<Language>,
    /// Rules, in Markdown.
    #[schema(max_length = 20000, example = "Be kind.")]
    rules: Option<String>,
    /// Terms of use, in Markdown.
    #[schema(max_length = 20000, example = "Be of age.")]
    terms: Option<String>,
    /// Privacy notice, in Markdown.
    #[schema(max_length = 20000, example = "We keep little.")]
    privacy: Option<String>,
    /// Imprint, in Markdown.
    #[schema(max_length = 20000, example = "Ada, Example Street 1")]
    imprint: Option<String>,
    /// Registration mode.
    registration: Option<Registration>,
    /// Invites that a member gets at sign-up and on the first of each month.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 0, maximum = 100, example = 3)]
    invites_per_month: Option<i64>,
    /// Days for which an invite works that is created later.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 1, maximum = 90, example = 7)]
    invite_days: Option<i64>,
    /// Days for which a member counts as new; 0 for no limits for new members.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 0, maximum = 30, example = 7)]
    new_member_days: Option<i64>,
    /// Posts and replies of a new member in 24 hours.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 1, maximum = 300, example = 20)]
    new_member_posts: Option<i64>,
    /// Follows of a new member in 24 hours.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 1, maximum = 400, example = 50)]
    new_member_follows: Option<i64>,
    /// Topics that the trending list begins with; null for the default, an empty list for none.
    #[schema(max_items = 6)]
    pinned_topics: Option<Vec<PinnedTopic>>,
    /// Announcement to all members, at most 500 characters after normalization.
    #[schema(max_length = 6000, example = "We meet on Friday at six.")]
    announcement: Option<String>,
    /// The version that the values are based on: 409 if another change has been saved since. Absent or null to
    /// overwrite it.
    #[serde(default, deserialize_with = "deserialize_integer")]
    #[schema(minimum = 0, example = 0)]
    version: Option<i64>,
}

impl SettingsUpdate {
    fn check(&self) -> Result<Vec<(SettingField, Option<String>)>> {
        let check =
            |field: SettingField| Ok((field, field.check(&self.typed(field).unwrap_or_default())?));
        SettingField::ALL.into_iter().map(check).collect()
    }

    /// Returns a value as text.
    fn typed(&self, field: SettingField) -> Option<Cow<'_, str>> {
        let text = match field {
            SettingField::Name => &self.name,
            SettingField::Description => &self.description,
            SettingField::Contact => &self.contact,
            SettingField::AccentColor => &self.accent_color,
            SettingField::Headline => &self.headline,
            SettingField::Tagline => &self.tagline,
            SettingField::Rules => &self.rules,
            SettingField::Terms => &self.terms,
            SettingField::Privacy => &self.privacy,
            SettingField::Imprint => &self.imprint,
            SettingField::Announcement => &self.announcement,
            SettingField::DefaultLanguage => {
                return self.default_language.map(|language| language.tag().into());
            }
            SettingField::Registration => return self.registration.map(|mode| mode.name().into()),
            SettingField::PinnedTopics => {
                let topics = self.pinned_topics.as_ref();
                return topics
                    .and_then(|topics| serde_json::to_string(topics).ok())
                    .map(Cow::Owned);
            }
            SettingField::InvitesPerMonth => return number(self.invites_per_month),
            SettingField::InviteDays => return number(self.invite_days),
            SettingField::NewMemberDays => return number(self.new_member_days),
            SettingField::NewMemberPosts => return number(self.new_member_posts),
            SettingField::NewMemberFollows => return number(self.new_member_follows),
        };
        text.as_deref().map(Cow::Borrowed)
    }
}

fn number(number: Option<i64>) -> Option<Cow<'static, str>> {
    number.map(|number| number.to_string().into())
}

/// Returns the network's settings. Requires the admin role; other members get 404.
#[utoipa::path(get, path = "/api/admin/settings", operation_id = "getSettings", tag = "moderation",
    responses((status = 200, body = AdminSettings)))]
pub async fn get_settings(
    State(state): State<Platform>,
    _admin: Admin,
) -> Result<Json<AdminSettings>> {
    let stored = settings::load(&state.db.reader()).await?;
    Ok(Json(AdminSettings::new(&stored)))
}

documented_errors!(UpdateSettingsErrors: settings::long_name(), settings::long_line(SettingField::Tagline), settings::long_page(SettingField::Rules), settings::long_announcement(), settings::bad_contact(), settings::bad_color(),
    settings::low_contrast(), settings::bad_number(SettingField::InvitesPerMonth),
    settings::bad_number(SettingField::InviteDays), settings::bad_number(SettingField::NewMemberDays),
    settings::bad_number(SettingField::NewMemberPosts), settings::bad_number(SettingField::NewMemberFollows),
    settings::too_many_topics(), settings::bad_topic(), settings::topic_pinned_twice(), settings::bad_category(),
    settings_changed());

fn settings_changed() -> ApiError {
    let message = "Someone else has changed the settings. Please reload them and try again.";
    ApiError::conflict("settings_changed", message)
}

/// Replaces the network's settings: what is absent, null or blank is reset to its default. Requires the admin role;
/// other members get 404.
#[utoipa::path(put, path = "/api/admin/settings", operation_id = "updateSettings", tag = "moderation",
    request_body = SettingsUpdate, responses((status = 200, body = AdminSettings), UpdateSettingsErrors))]
pub async fn update_settings(
    State(state): State<Platform>,
    Admin(me): Admin,
    Body(update): Body<SettingsUpdate>,
) -> Result<Json<AdminSettings>> {
    state.rate_limiter.check_member(MemberAction::Moderate, me)?;
    let change = ChangeSettings {
        actor: Actor::Member(me),
        values: update.check()?,
        based_on: update.version,
        now: state.now(),
    };
    Ok(Json(AdminSettings::new(&state.db.write(change).await?)))
}

/// Records which settings have changed.
pub(super) async fn append_change(
    log: AuditWriter,
    tx: &mut Tx,
    now: Millis,
    actor: Actor,
    detail: String,
) -> Result<()> {
    let record =
        AuditRecord { detail, ..AuditRecord::new(now, actor, AuditAction::ChangeSettings) };
    log.append(tx, &record).await?;
    Ok(())
}

/// Transaction that changes settings, with its audit row.
#[derive(Debug)]
pub struct ChangeSettings {
    actor: Actor,
    /// Checked values; `None` restores the default.
    values: Vec<(SettingField, Option<String>)>,
    /// Version that must be the current one.
    based_on: Option<i64>,
    now: Millis,
}

impl ChangeSettings {
    /// Builds a change by the operator from checked values, where `None` restores the default.
    #[must_use]
    pub const fn by_operator(values: Vec<(SettingField, Option<String>)>, now: Millis) -> Self {
        Self { actor: Actor::Operator, values, based_on: None, now }
    }
}

impl kith_db::Write for ChangeSettings {
    type Out = StoredSettings;
    type Err = ApiError;

    async fn run(&self, tx: &mut Tx) -> Result<StoredSettings> {
        let log = AuditWriter::lock(tx).await?;
        staff::ensure_role(tx, self.actor, Role::Admin).await?;
        let stored = settings::load(&tx.reader()).await?;
        if self.based_on.is_some_and(|version| version != stored.version()) {
            return Err(settings_changed());
        }
        let changed = settings::apply(tx, &stored, &self.values, self.now).await?;
        if changed.is_empty() {
            return Ok(stored);
        }
        let names = changed.iter().map(|field| field.name()).collect::<Vec<_>>();
        append_change(log, tx, self.now, self.actor, names.join(", ")).await?;
        Ok(settings::load(&tx.reader()).await?)
    }
}
