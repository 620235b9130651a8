//! Who I am, and logging out.

use crate::app::App;
use crate::caller::Ender;
use crate::cookies::Cookies;
use crate::error::Result;
use crate::session;
use crate::users::{self, Me};
use crate::waitlist::Message;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue};
use axum::response::AppendHeaders;

/// The logged-in member.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "getMe", tag = "auth", responses((status = 200, body = Me)))]
pub async fn me(State(app): State<App>, Ender(session): Ender) -> Result<Json<Me>> {
    users::me(&app, session.member).await.map(Json)
}

/// The logged-in member, under its second name.
#[utoipa::path(get, path = "/api/auth/user", operation_id = "getCurrentUser", tag = "auth", responses((status = 200, body = Me)))]
pub async fn user(state: State<App>, caller: Ender) -> Result<Json<Me>> {
    me(state, caller).await
}

/// What a browser is told whose session has ended: an empty cookie, and to forget cached answers.
type Forget = (Cookies<1>, [(HeaderName, HeaderValue); 1]);

/// Tells the browser that its session has ended.
pub(super) fn forget(app: &App) -> Forget {
    let header = (
        HeaderName::from_static("clear-site-data"),
        HeaderValue::from_static("\"cache\""),
    );
    (AppendHeaders([session::cookie(app, "")]), [header])
}

/// Ends this session. The cookie is emptied, and the browser forgets cached answers.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logout", tag = "auth",
    responses((status = 200, body = Message, headers(("Set-Cookie"), ("Clear-Site-Data")))))]
pub async fn logout(
    State(app): State<App>,
    Ender(session): Ender,
) -> Result<(Forget, Json<Message>)> {
    app.db.write(session::End { hash: session.hash }).await?;
    Ok((forget(&app), Message::new("You are logged out.")))
}
