//! One member's profile, and one's own.

use crate::features::account::deletion;
use crate::features::members::MembersState;
use crate::features::members::batch;
use crate::features::members::store::{self, Role, refs, unknown};
use crate::features::members::{Me, User};
use crate::features::relationships::follows;
use crate::features::relationships::{self, Unseen};
use crate::features::sessions::extract::AuthenticatedMember;
use crate::features::{invites, members, notifications};
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
       invites_frozen_at, suspended_at
     from members where id = $1 and suspended_at is null"
);
const FIND_KEPT: Sql = sql!(
    "select id, username, display_name, bio, website, profile_image_url, header_image_url,
       follower_count, following_count, post_count, invited_by, email, role, username_chosen_at,
       invites_frozen_at, suspended_at
     from members where id = $1 and username <> 'deleted'"
);

/// A member's profile. An old username answers the member under the present one. A suspended member's is
/// for moderators and admins only.
#[utoipa::path(get, path = "/api/users/{username}", operation_id = "getUser", tag = "users", params(("username" = String, Path)),
    responses((status = 200, body = User)))]
pub async fn user(
    State(app): State<Arc<MembersState>>,
    auth: AuthenticatedMember,
    Path(username): Path<String>,
) -> Result<Json<User>> {
    let db = app.db.reader();
    let id = store::find_by_username(&db, &username)
        .await?
        .ok_or_else(unknown)?;
    let mut found = find(&db, &FIND, id, auth.member).await;
    if found.as_ref().is_err_and(|error| *error == unknown())
        && members::is_moderator(&db, auth.member).await?
    {
        found = find(&db, &FIND_KEPT, id, auth.member).await;
    }
    Ok(Json(found?.user))
}

/// The logged-in member with what only they may see.
pub async fn me(platform: &Platform, id: Id) -> Result<Me> {
    own(platform, &FIND, id).await
}

/// The same of a member who may be suspended: what is kept of them.
pub async fn kept(platform: &Platform, id: Id) -> Result<Me> {
    own(platform, &FIND_KEPT, id).await
}

async fn own(platform: &Platform, sql: &'static Sql, id: Id) -> Result<Me> {
    let db = platform.db.reader();
    let mut me = find(&db, sql, id, id).await?;
    if !me.invites_frozen {
        me.invites_available = invites::available(&db, id, platform.now()).await?;
    }
    me.deletion_at = deletion::deletes_at(&db, id).await?.map(rfc3339);
    let unseen = Unseen::of(&db, id).await?;
    me.unread_notification_count = notifications::unread(&db, id, &unseen).await?;
    Ok(me)
}

async fn find(db: &Reader<'_>, sql: &'static Sql, id: Id, reader: Id) -> Result<Me> {
    let (mut me, invited_by) = db
        .opt(sql, params![id.0], read)
        .await?
        .ok_or_else(unknown)?;
    if let Some(inviter) = invited_by {
        let asked = [inviter];
        let (mut refs, ties) = futures_util::try_join!(
            refs(db, &asked),
            relationships::ties(db, reader, Id(inviter)),
        )?;
        me.user.invited_by = refs.remove(&inviter).filter(|_| !ties.is_apart());
    }
    if id != reader {
        let (is_following, follows_you, ties) = futures_util::try_join!(
            follows::is_following(db, reader, id),
            follows::is_following(db, id, reader),
            relationships::ties(db, reader, id),
        )?;
        me.user.is_following = is_following;
        me.user.follows_you = follows_you;
        me.user.kept_away = ties.into();
    }
    Ok(me)
}

fn read(row: &Row<'_>) -> kith_db::Result<(Me, Option<i64>)> {
    let (mut user, invited_by) = batch::read(row)?;
    user.suspended_at = row.opt_int(15)?.map(rfc3339);
    let me = Me {
        user,
        email: row.opt_text(11)?,
        invites_available: 0,
        unread_notification_count: 0,
        role: Role::name(row.int(12)?),
        username_is_provisional: row.opt_int(13)?.is_none(),
        invites_frozen: row.opt_int(14)?.is_some(),
        deletion_at: None,
    };
    Ok((me, invited_by))
}
