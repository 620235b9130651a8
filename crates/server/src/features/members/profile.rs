//! Loads a member's profile, and the private profile of the logged-in member.

use crate::features::account::deletion;
use crate::features::members::MembersState;
use crate::features::members::batch;
use crate::features::members::role::Role;
use crate::features::members::store::{self, load_refs, user_not_found};
use crate::features::members::{Me, User};
use crate::features::relationships::follows;
use crate::features::relationships::{self, HiddenMembers};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{invites, members, moderation, notifications, settings};
use crate::http::error::Result;
use crate::http::extract::Path;
use crate::platform::Platform;
use crate::platform::clock::rfc3339;
use crate::platform::ids::Id;
use axum::Json;
use axum::extract::State;
use kith_db::{Reader, Row, Sql, params, sql};
use std::sync::Arc;

const FIND: Sql = sql!(
    "select id, username, display_name, bio, website, profile_image_url, header_image_url,
       follower_count, following_count, post_count, invited_by, email, role, username_chosen_at,
       invites_frozen_at, suspended_at, accepted_rules_version, notices_read_id
     from members where id = $1 and suspended_at is null"
);
const FIND_WITH_SUSPENDED: Sql = sql!(
    "select id, username, display_name, bio, website, profile_image_url, header_image_url,
       follower_count, following_count, post_count, invited_by, email, role, username_chosen_at,
       invites_frozen_at, suspended_at, accepted_rules_version, notices_read_id
     from members where id = $1 and username <> 'deleted'"
);

/// Returns the profile of a member. A former username returns the member under the current username. Profiles
/// of suspended members require the moderator or admin role.
#[utoipa::path(get, path = "/api/users/{username}", operation_id = "getUser", tag = "users", params(("username" = String, Path)),
    responses((status = 200, body = User)))]
pub async fn get_user(
    State(state): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Path(username): Path<String>,
) -> Result<Json<User>> {
    let db = state.db.reader();
    let id = store::find_by_username(&db, &username).await?.ok_or_else(user_not_found)?;
    let mut found = load_profile(&db, &FIND, id, auth.member).await;
    if found.as_ref().is_err_and(|error| *error == user_not_found())
        && members::is_moderator(&db, auth.member).await?
    {
        found = load_profile(&db, &FIND_WITH_SUSPENDED, id, auth.member).await;
    }
    Ok(Json(found?.0.user))
}

/// Loads the logged-in member with private fields.
pub async fn load_me(platform: &Platform, id: Id) -> Result<Me> {
    load_private(platform, &FIND, id).await
}

/// Loads a possibly suspended member with private fields, for data exports.
pub async fn load_me_with_suspended(platform: &Platform, id: Id) -> Result<Me> {
    load_private(platform, &FIND_WITH_SUSPENDED, id).await
}

async fn load_private(platform: &Platform, sql: &'static Sql, id: Id) -> Result<Me> {
    let db = platform.db.reader();
    let (mut me, notices_read) = load_profile(&db, sql, id, id).await?;
    me.unread_notices = moderation::count_unread_notices(&db, id, notices_read).await?;
    if !me.invites_frozen {
        me.invites_available = invites::count_available(&db, id, platform.now()).await?;
    }
    me.deletion_at = deletion::find_delete_at(&db, id).await?.map(rfc3339);
    me.announcement = settings::load_announcement(&db).await?;
    let hidden = HiddenMembers::load(&db, id).await?;
    me.unread_notification_count = notifications::count_unread(&db, id, &hidden).await?;
    Ok(me)
}

/// Loads a profile, and the id up to which the member has read notices.
async fn load_profile(db: &Reader<'_>, sql: &'static Sql, id: Id, viewer: Id) -> Result<(Me, Id)> {
    let (mut me, invited_by, notices_read) =
        db.opt(sql, params![id.0], read).await?.ok_or_else(user_not_found)?;
    if let Some(inviter) = invited_by {
        let ids = [inviter];
        let (mut refs, relationship) = futures_util::try_join!(
            load_refs(db, &ids),
            relationships::load_relationship(db, viewer, Id(inviter)),
        )?;
        me.user.invited_by = refs.remove(&inviter).filter(|_| !relationship.is_hidden_everywhere());
    }
    if id != viewer {
        let (is_following, follows_you, relationship) = futures_util::try_join!(
            follows::is_following(db, viewer, id),
            follows::is_following(db, id, viewer),
            relationships::load_relationship(db, viewer, id),
        )?;
        me.user.is_following = is_following;
        me.user.follows_you = follows_you;
        me.user.kept_away = relationship.into();
    }
    Ok((me, notices_read))
}

fn read(row: &Row<'_>) -> kith_db::Result<(Me, Option<i64>, Id)> {
    let (mut user, invited_by) = batch::read(row)?;
    user.suspended_at = row.opt_int(15)?.map(rfc3339);
    let me = Me {
        user,
        email: row.opt_text(11)?,
        invites_available: 0,
        unread_notification_count: 0,
        unread_notices: 0,
        role: Role::name(row.int(12)?),
        username_is_provisional: row.opt_int(13)?.is_none(),
        invites_frozen: row.opt_int(14)?.is_some(),
        deletion_at: None,
        announcement: None,
        accepted_rules_version: row.int(16)?,
    };
    Ok((me, invited_by, Id(row.int(17)?)))
}
