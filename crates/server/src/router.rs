//! Every address the server answers, and what wraps them.

use crate::app::App;
use crate::extract::JSON_LIMIT;
use crate::{
    account, auth, export, follows, guard, invites, leaving, media, notifications, openapi, page,
    posts, tags, users, waitlist,
};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The calls, with their description.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(openapi::Api::openapi())
        .routes(routes!(openapi::description))
        .routes(routes!(auth::me))
        .routes(routes!(auth::user))
        .routes(routes!(auth::request_magic_link))
        .routes(routes!(auth::request_login_link))
        .routes(routes!(auth::verify, auth::confirm))
        .routes(routes!(auth::verify_code))
        .routes(routes!(auth::logout))
        .routes(routes!(auth::sessions, auth::end_all_sessions))
        .routes(routes!(auth::end_session))
        .routes(routes!(account::account))
        .routes(routes!(auth::ask_email, auth::cancel_email))
        .routes(routes!(auth::confirm_email))
        .routes(routes!(auth::confirm_email_code))
        .routes(routes!(export::export, export::start_export))
        .routes(routes!(export::export_file))
        .routes(routes!(leaving::delete_account, leaving::keep_account))
        .routes(routes!(page::login))
        .routes(routes!(waitlist::join))
        .routes(routes!(posts::feed))
        .routes(routes!(posts::for_you))
        .routes(routes!(posts::create))
        .routes(routes!(posts::delete))
        .routes(routes!(posts::like, posts::unlike))
        .routes(routes!(posts::undo_repost))
        .routes(routes!(posts::vote))
        .routes(routes!(posts::thread))
        .routes(routes!(users::available))
        .routes(routes!(users::choose))
        .routes(routes!(users::update))
        .routes(routes!(users::set_picture, users::remove_picture))
        .routes(routes!(users::set_header, users::remove_header))
        .routes(routes!(users::suggested))
        .routes(routes!(users::search))
        .routes(routes!(users::user))
        .routes(routes!(users::posts))
        .routes(routes!(follows::followers))
        .routes(routes!(follows::following))
        .routes(routes!(follows::follow))
        .routes(routes!(follows::unfollow))
        .routes(routes!(follows::status))
        .routes(routes!(notifications::list))
        .routes(routes!(notifications::read_all))
        .routes(routes!(notifications::read))
        .routes(routes!(invites::list, invites::create))
        .routes(routes!(invites::revoke))
        .routes(routes!(media::upload))
        .routes(routes!(media::receive))
        .routes(routes!(media::prepare))
        .routes(routes!(media::cancel))
        .routes(routes!(tags::list))
        .routes(routes!(tags::trending))
}

/// The OpenAPI 3.1 description, as it is published.
#[must_use]
pub fn openapi() -> String {
    openapi::complete(&api().split_for_parts().1)
}

/// The whole server, ready to be listened with.
pub fn router(app: App) -> Router {
    let (calls, _) = api().split_for_parts();
    calls
        .route("/images/{hash}/{file}", axum::routing::get(media::serve))
        .fallback(page::fallback)
        .method_not_allowed_fallback(page::wrong_method)
        .layer(DefaultBodyLimit::max(JSON_LIMIT))
        .layer(from_fn_with_state(app.clone(), guard::same_site))
        .layer(from_fn(guard::bound))
        .layer(CatchPanicLayer::custom(
            |_: Box<dyn std::any::Any + Send>| -> Response {
                crate::error::ApiError::internal().into_response()
            },
        ))
        .layer(from_fn_with_state(app.clone(), guard::harden))
        .layer(from_fn_with_state(app.clone(), guard::observe))
        .with_state(app)
}

/// What only the operator's tools ask: alive, ready, and the figures.
pub fn admin(app: App, metrics: metrics_exporter_prometheus::PrometheusHandle) -> Router {
    Router::new()
        .route("/healthz", axum::routing::get(|| async { "ok\n" }))
        .route("/readyz", axum::routing::get(ready))
        .route(
            "/metrics",
            axum::routing::get(move || async move { metrics.render() }),
        )
        .with_state(app)
}

async fn ready(axum::extract::State(app): axum::extract::State<App>) -> Response {
    let answer = async { users::is_empty(&app.db.reader().await?).await };
    match answer.await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => (
            StatusCode::SERVICE_UNAVAILABLE,
            format!("not ready: {error}\n"),
        )
            .into_response(),
    }
}
