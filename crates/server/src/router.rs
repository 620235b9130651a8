//! All routes and their middleware.

use crate::features::account::{self, deletion, export};
use crate::features::auth::Email;
use crate::features::relationships::{self, follows};
use crate::features::settings::{SettingField, SettingsState};
use crate::features::{
    auth, client_errors, digest, events, invites, media, members, moderation, notifications, posts,
    push, sessions, settings, tags, waitlist,
};
use crate::http::error::{ApiError, Result};
use crate::http::extract::JSON_LIMIT;
use crate::http::middleware::{
    csrf, load_shed, read_own_writes, request_log, security_headers, timeout,
};
use crate::http::openapi::FeatureErrors;
use crate::http::{fallback, openapi};
use crate::platform::mail::DEFAULT_NAME;
use crate::platform::telemetry;
use crate::state::AppState;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use tokio::sync::watch;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::SizeAbove;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Minimum size of a compressed response, in bytes.
const MIN_COMPRESSED: u64 = 4_096;

/// Maximum size of the settings as JSON, in bytes: four pages of 20,000 characters of four bytes, and short texts.
const SETTINGS_LIMIT: usize = 384 * 1024;

fn api() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(openapi::Api::openapi())
        .routes(routes!(get_description))
        .routes(routes!(auth::get_me))
        .routes(routes!(auth::get_current_user))
        .routes(routes!(auth::request_magic_link))
        .routes(routes!(auth::request_login_link))
        .routes(routes!(auth::verify_link, auth::confirm_link))
        .routes(routes!(auth::verify_code))
        .routes(routes!(auth::logout))
        .routes(routes!(auth::list_sessions, auth::end_all_sessions))
        .routes(routes!(auth::end_session))
        .routes(routes!(account::get_account))
        .routes(routes!(account::set_language))
        .routes(routes!(account::accept_rules))
        .routes(routes!(auth::request_email_change, auth::cancel_email_change))
        .routes(routes!(auth::get_email_link, auth::confirm_email))
        .routes(routes!(auth::confirm_email_code))
        .routes(routes!(export::get_export, export::start_export))
        .routes(routes!(export::get_export_file))
        .routes(routes!(deletion::delete_account, deletion::keep_account))
        .routes(routes!(fallback::open_login))
        .routes(routes!(events::stream_events))
        .routes(routes!(client_errors::report_client_error))
        .routes(routes!(waitlist::join_waitlist))
        .routes(routes!(waitlist::list_vouches, waitlist::vouch_for_email))
        .routes(routes!(waitlist::withdraw_vouch))
        .routes(routes!(posts::create_post))
        .routes(routes!(posts::delete_post))
        .routes(routes!(posts::like_post, posts::unlike_post))
        .routes(routes!(posts::undo_repost))
        .routes(routes!(
            posts::get_conversation_mute,
            posts::mute_conversation,
            posts::unmute_conversation
        ))
        .routes(routes!(posts::vote_in_poll, posts::withdraw_vote))
        .routes(routes!(members::check_username))
        .routes(routes!(members::choose_username))
        .routes(routes!(members::update_profile))
        .routes(routes!(members::set_picture, members::remove_picture))
        .routes(routes!(members::set_header, members::remove_header))
        .routes(routes!(members::list_suggested_users))
        .routes(routes!(members::search_users))
        .routes(routes!(members::get_user))
        .routes(routes!(follows::list_followers))
        .routes(routes!(follows::list_following))
        .routes(routes!(follows::follow_user))
        .routes(routes!(follows::unfollow_user))
        .routes(routes!(follows::get_follow_status))
        .routes(routes!(relationships::list_blocked))
        .routes(routes!(relationships::block_user, relationships::unblock_user))
        .routes(routes!(relationships::list_muted))
        .routes(routes!(relationships::mute_user, relationships::unmute_user))
        .merge(notification_routes())
        .routes(routes!(invites::list_invites, invites::create_invite))
        .routes(routes!(invites::revoke_invite))
        .routes(routes!(media::upload))
        .routes(routes!(media::receive))
        .routes(routes!(media::prepare))
        .routes(routes!(media::cancel))
        .routes(routes!(tags::list_trending))
        .merge(moderation_routes())
        .merge(settings_routes())
        .merge(lists())
}

/// Routes of notifications, their settings, web push and digests.
fn notification_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(notifications::list_notifications))
        .routes(routes!(
            notifications::get_notification_settings,
            notifications::update_notification_settings
        ))
        .routes(routes!(notifications::set_quiet_hours, notifications::delete_quiet_hours))
        .routes(routes!(push::get_push))
        .routes(routes!(push::save_subscription, push::delete_subscription))
        .routes(routes!(push::send_test))
        .routes(routes!(digest::open_unsubscribe, digest::unsubscribe))
        .routes(routes!(notifications::read_all_notifications))
        .routes(routes!(notifications::read_notifications))
        .routes(routes!(notifications::read_notification))
}

/// Routes of reports, notices of sanctions, and moderators.
fn moderation_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(moderation::create_report, moderation::list_sent_reports))
        .routes(routes!(moderation::list_notices))
        .routes(routes!(moderation::read_notices))
        .routes(routes!(moderation::object))
        .routes(routes!(moderation::get_linked_notice))
        .routes(routes!(moderation::object_by_link))
        .routes(routes!(moderation::list_reports))
        .routes(routes!(moderation::resolve_reports))
        .routes(routes!(moderation::list_objections))
        .routes(routes!(moderation::resolve_objection))
        .routes(routes!(moderation::list_removed_posts))
        .routes(routes!(moderation::remove_post, moderation::restore_post))
        .routes(routes!(moderation::list_members))
        .routes(routes!(moderation::suspend_member, moderation::unsuspend_member))
        .routes(routes!(moderation::freeze_invites, moderation::unfreeze_invites))
        .routes(routes!(moderation::change_role))
        .routes(routes!(moderation::list_waitlist))
        .routes(routes!(moderation::admit_applicant))
        .routes(routes!(moderation::list_audit_log))
}

/// Routes of the network's settings. Their body has room for four pages.
fn settings_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::default()
        .routes(routes!(moderation::get_settings, moderation::update_settings))
        .layer(DefaultBodyLimit::max(SETTINGS_LIMIT))
        .routes(routes!(moderation::set_icon, moderation::remove_icon))
        .routes(routes!(moderation::mail_announcement))
        .routes(routes!(settings::get_site))
        .routes(routes!(settings::get_site_page))
}

/// Routes that return many posts. Compression is safe here, because the responses contain no secret (BREACH).
fn lists() -> OpenApiRouter<AppState> {
    let gzip = CompressionLayer::new()
        .quality(CompressionLevel::Fastest)
        .compress_when(SizeAbove::new(MIN_COMPRESSED));
    OpenApiRouter::default()
        .routes(routes!(posts::feed))
        .routes(routes!(posts::list_for_you_feed))
        .routes(routes!(posts::get_thread))
        .routes(routes!(posts::list_user_posts))
        .routes(routes!(tags::list_hashtag_posts))
        .layer(gzip)
}

/// Builds the published OpenAPI 3.1 document.
#[must_use]
pub fn openapi() -> String {
    let invalid = |email| Email::parse(email).err().unwrap_or_else(ApiError::internal);
    let errors = FeatureErrors {
        email_missing: invalid(""),
        email_invalid: invalid("ada"),
        session_ended: sessions::ended_elsewhere_error(),
        session_suspended: sessions::suspended_error(),
        post_not_found: posts::post_not_found(),
        user_not_found: members::user_not_found(),
        notification_not_found: notifications::notification_not_found(),
        content_invalid: ApiError::invalid_field("content", posts::EMPTY_POST_MESSAGE),
        max_sessions: sessions::MAX_PER_MEMBER,
    };
    openapi::complete(&api().split_for_parts().1, errors)
}

/// Returns this OpenAPI document.
#[utoipa::path(get, path = "/api/openapi.json", operation_id = "getDescription", tag = "description", security(()),
    responses((status = 200, description = "An OpenAPI 3.1 document", body = Object, content_type = "application/json", example = json!({"openapi": "3.1.0", "info": {"title": "Kith"}, "paths": {}}))))]
async fn get_description(State(state): State<Arc<SettingsState>>) -> Result<impl IntoResponse> {
    static TEXT: LazyLock<String> = LazyLock::new(openapi);
    let stored = settings::load_cached(&state).await?;
    let title = |name: &str| format!("\"title\": {}", Value::from(name));
    let own = title(&stored.text(SettingField::Name));
    let json = [(header::CONTENT_TYPE, "application/json")];
    Ok((json, TEXT.replacen(&title(DEFAULT_NAME), &own, 1)))
}

/// Builds the public router with its middleware.
pub fn router(state: AppState) -> Router {
    /// Built once per process: collecting the routes' descriptions is about half of the start of a test's server.
    static ROUTES: LazyLock<Router<AppState>> = LazyLock::new(|| api().split_for_parts().0);
    let middleware = state.middleware.clone();
    let routes = ROUTES.clone()
        .route("/images/{hash}/{file}", axum::routing::get(media::serve))
        .fallback(settings::serve_app)
        .method_not_allowed_fallback(fallback::method_not_allowed)
        // One layer: a router's layer copies all layers below it for each request.
        .layer((
            from_fn_with_state(middleware.clone(), request_log::log_request),
            CatchPanicLayer::custom(|_: Box<dyn std::any::Any + Send>| -> Response {
                ApiError::internal().into_response()
            }),
            csrf::csrf_layer(&state.settings.origin()),
            from_fn_with_state(middleware.clone(), read_own_writes::read_own_writes),
            DefaultBodyLimit::max(JSON_LIMIT),
        ))
        .with_state(state);
    // Thousands of requests may wait for a permit: before they are routed they take little memory.
    Router::new().fallback_service(routes).layer((
        from_fn_with_state(middleware.clone(), security_headers::add_security_headers),
        from_fn(timeout::limit_time),
        from_fn_with_state(middleware, load_shed::shed_load),
    ))
}

/// Builds the router of the admin listener: liveness, readiness and metrics. `draining` is true once the server stops.
pub fn admin(
    state: AppState,
    metrics: metrics_exporter_prometheus::PrometheusHandle,
    draining: watch::Receiver<bool>,
) -> Router {
    let metrics_state = state.clone();
    Router::new()
        .route("/healthz", axum::routing::get(|| async { "ok\n" }))
        .route(
            "/readyz",
            axum::routing::get(move |State(state): State<AppState>| {
                let is_draining = *draining.borrow();
                async move { ready(&state, is_draining).await }
            }),
        )
        .route(
            "/metrics",
            axum::routing::get(move || async move {
                metrics_process::Collector::default().collect();
                metrics_state.export_cache_metrics();
                telemetry::measure();
                telemetry::export_last_backup(&metrics_state.settings.store.data);
                metrics.render()
            }),
        )
        .with_state(state)
}

/// Responds with 200 if the database can be read, and with 503 otherwise and while the server stops.
async fn ready(state: &AppState, is_draining: bool) -> Response {
    if is_draining {
        return (StatusCode::SERVICE_UNAVAILABLE, "not ready: stopping\n").into_response();
    }
    match members::is_empty(&state.db.reader()).await {
        Ok(_) => "ready\n".into_response(),
        Err(error) => {
            (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {error}\n")).into_response()
        }
    }
}
