//! `kith serve`: starts the server from its settings and shuts it down gracefully.

use crate::features::account::{deletion, export};
use crate::features::{
    announcements, client_errors, digest, events, mailer, media, members, moderation, push,
};
use crate::http::middleware::load_shed;
use crate::http::server::accept;
use crate::http::server::listener::ListenerKind;
use crate::ops::first_run::FirstRunInfo;
use crate::ops::{first_run, retention};
use crate::platform::Platform;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, SECOND};
use crate::platform::config::{Settings, Toggle};
use crate::platform::jobs;
use crate::platform::mail::Transport;
use crate::platform::output::print_line;
use crate::platform::supervisor::{ShutdownSignal, Supervisor};
use crate::platform::telemetry;
use crate::router;
use crate::state::AppState;
use axum::extract::FromRef as _;
use axum::http::StatusCode;
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Time for requests to finish after the stop signal.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);
/// Time for emails in transit to finish after the stop signal.
const EMAIL_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(5);

/// Time between two rounds of maintenance.
const TICK: Duration = Duration::from_millis(watermark::PERIOD.unsigned_abs());

/// Warns of a public URL that is not encrypted, or that does not match the listen address.
fn warn_about_public_url(settings: &Settings) {
    let is_local = settings.is_loopback();
    if !settings.is_https() && !is_local {
        tracing::warn!(
            "the public URL is plain http: anyone on the network path can take over a session"
        );
    }
    let is_reachable = !settings.listen.ip().is_loopback() || !settings.trusted_proxies.is_empty();
    if is_local && is_reachable {
        tracing::warn!(
            "other machines can reach this server, but its public URL works on this machine only: \
             set KITH_PUBLIC_URL to the URL that members open"
        );
    }
}

/// Serves until SIGTERM or Ctrl+C. An error is one sentence for the operator.
pub async fn serve(settings: Settings) -> Result<(), String> {
    let metrics = telemetry::init_metrics()?;
    load_shed::count_from_zero();
    accept::count_from_zero();
    client_errors::count_from_zero();
    media::count_from_zero();
    let state = AppState::open(settings, Clock::system(), 0).await?;
    let transport = Transport::new(&state.settings)?.with_printed_links();
    if state.settings.rate_limits == Toggle::Off {
        tracing::warn!("rate limits are off: clients can send any number of requests");
    }
    warn_about_public_url(&state.settings);
    let address = state.settings.listen;
    let listener =
        accept::listen(address).map_err(|error| listen_error("KITH_LISTEN", address, &error))?;
    let address = state.settings.admin_listen;
    let admin_listener = accept::listen(address)
        .map_err(|error| listen_error("KITH_ADMIN_LISTEN", address, &error))?;
    let (stop, stopped) = watch::channel(false);
    let service = router::router(state.clone());
    let public = ListenerKind::Public(state.settings.trusted_proxies.clone());
    let mut server = tokio::spawn(accept::serve(listener, service, public, stopped.clone()));
    let (drain, draining) = watch::channel(false);
    let admin_router = router::admin(state.clone(), metrics.clone(), draining);
    // The admin listener keeps responding during the shutdown.
    let (_never_stop, never_stopped) = watch::channel(false);
    let admin_server =
        accept::serve(admin_listener, admin_router, ListenerKind::Admin, never_stopped);
    let mut admin_server = tokio::spawn(admin_server);
    let shutdown = ShutdownSignal::new(stopped.clone());
    let supervisor = spawn_workers(&state, &transport, &shutdown);
    // Before printing, because a supervisor may stop the server as soon as it reads the lines.
    let stop_signal = stop_signal();
    run_first_start(&state).await?;
    notify_ready();
    let result = tokio::select! {
        () = drain_after(stop_signal, drain, state.settings.drain_seconds) => Ok(()),
        () = run_maintenance(&state, &metrics) => Err("Another node took this node's ID. Restart this process.".to_owned()),
        ended = &mut admin_server => Err(format!("The admin listener stopped unexpectedly: {ended:?}.")),
        ended = &mut server => Err(format!("The public listener stopped unexpectedly: {ended:?}.")),
    };
    tracing::info!("stopping: finishing requests in flight");
    state.events.close();
    // Fails only if the public listener has stopped already.
    let _ = stop.send(true);
    let emails = tokio::time::timeout(EMAIL_SHUTDOWN_TIMEOUT, shutdown.finished());
    let requests = async {
        if !server.is_finished() && tokio::time::timeout(SHUTDOWN_TIMEOUT, server).await.is_err() {
            tracing::warn!("some requests did not finish in time and were dropped");
        }
    };
    if futures_util::join!(requests, emails).1.is_err() {
        tracing::warn!("some emails did not finish in time and will be sent again");
    }
    drop(supervisor);
    admin_server.abort();
    // Save the clock's watermark for the next start; without it the watermark is a few seconds older.
    let _ = tokio::time::timeout(
        SHUTDOWN_TIMEOUT,
        watermark::sync(&state.db, &state.clock, state.lease.node),
    )
    .await;
    state.db.close().await;
    result
}

/// Waits for the stop signal, reports not to be ready, and waits until proxies have noticed.
async fn drain_after(
    stop_signal: impl Future<Output = ()>,
    drain: watch::Sender<bool>,
    seconds: u64,
) {
    stop_signal.await;
    drain.send_replace(true);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

fn listen_error(setting: &str, address: SocketAddr, error: &std::io::Error) -> String {
    format!("{setting}: cannot listen on {address}: {error}.")
}

fn spawn_workers(state: &AppState, transport: &Transport, shutdown: &ShutdownSignal) -> Supervisor {
    let mut supervisor = Supervisor::default();
    let settings = Arc::clone(&state.network_settings);
    let (transport, shutdown) = (transport.clone(), shutdown.clone());
    supervisor.spawn_supervised("mail", move || {
        mailer::run_worker(Arc::clone(&settings), transport.clone(), shutdown.clone())
    });
    let names_state = state.clone();
    supervisor.spawn_supervised("names", move || index_names(names_state.clone()));
    let media = Arc::clone(&state.media);
    supervisor.spawn_supervised("sweep", move || media::run_sweeper(Arc::clone(&media)));
    let retention_state = state.clone();
    supervisor.spawn_supervised("purge", move || retention::run_retention(retention_state.clone()));
    let events_state = Arc::clone(&state.events);
    supervisor
        .spawn_supervised("events", move || events::run_dispatcher(Arc::clone(&events_state)));
    let push_state = Arc::clone(&state.push);
    supervisor.spawn_supervised("push", move || push::run_worker(Arc::clone(&push_state)));
    let digest_platform = Platform::from_ref(state);
    supervisor.spawn_supervised("digest", move || digest::run_worker(digest_platform.clone()));
    let announcements_platform = Platform::from_ref(state);
    supervisor.spawn_supervised("announcements", move || {
        announcements::run_worker(announcements_platform.clone())
    });
    let sanctions_platform = Platform::from_ref(state);
    supervisor
        .spawn_supervised("sanctions", move || moderation::run_worker(sanctions_platform.clone()));
    let exports = Arc::clone(&state.account);
    supervisor.spawn_supervised("export", move || export::run_worker(Arc::clone(&exports)));
    let deletions = Arc::clone(&state.account);
    supervisor.spawn_supervised("leaving", move || deletion::run_worker(Arc::clone(&deletions)));
    supervisor
}

/// Renews the lease of the node ID, evicts idle rate limits and exports metrics. Returns when the lease is lost.
async fn run_maintenance(state: &AppState, metrics: &PrometheusHandle) {
    let mut tick = tokio::time::interval(TICK);
    let mut was_synced = true;
    loop {
        tick.tick().await;
        state.rate_limiter.evict_idle();
        metrics.run_upkeep();
        export_queue_length(state).await;
        let renewal = state.lease.renew(&state.db);
        match tokio::time::timeout(SHUTDOWN_TIMEOUT, renewal).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return,
            Ok(Err(error)) => {
                tracing::warn!(%error, "the lease of the node ID could not be renewed");
            }
            Err(_) => tracing::warn!("the lease of the node ID was not renewed in time"),
        }
        was_synced = sync_clock(state, was_synced).await;
    }
}

/// Saves the clock's watermark and warns once when the clock was set back. Returns whether the clock is in
/// sync with the system clock.
async fn sync_clock(state: &AppState, was_synced: bool) -> bool {
    // Database errors are logged elsewhere.
    let Ok(Ok(is_synced)) = tokio::time::timeout(
        SHUTDOWN_TIMEOUT,
        watermark::sync(&state.db, &state.clock, state.lease.node),
    )
    .await
    else {
        return was_synced;
    };
    if was_synced && !is_synced {
        let seconds = state.clock.skew() / SECOND;
        tracing::warn!(
            seconds,
            "the system clock was set back: time in Kith does not advance, and Kith cannot start, until the clock has caught up"
        );
    }
    is_synced
}

/// Publishes the number of queued mails as a metric.
async fn export_queue_length(state: &AppState) {
    let db = state.db.reader();
    // Database errors are logged elsewhere.
    if let Ok(Ok(count)) = tokio::time::timeout(SHUTDOWN_TIMEOUT, jobs::count_waiting(&db)).await {
        metrics::gauge!("kith_mails_waiting")
            .set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

/// Indexes the names of members who joined before names were indexed, then waits forever: workers must not end.
async fn index_names(state: AppState) {
    if let Err(error) = members::index_all(&state.db).await {
        tracing::warn!(%error, "some names are not searchable until the next start");
    }
    std::future::pending::<()>().await;
}

/// Creates the founder of an empty network and prints its URL. Output errors do not fail the start.
async fn run_first_start(state: &AppState) -> Result<(), String> {
    let info = first_run::seed_founder(state).await.map_err(|error| match error.status() {
        StatusCode::UNPROCESSABLE_ENTITY => {
            format!("KITH_NAME or KITH_CONTACT: {}", error.message())
        }
        _ => "The founder could not be created; see the log.".to_owned(),
    })?;
    if let Err(error) = print_info(state, info) {
        tracing::warn!(error, "the start message could not be printed");
    }
    Ok(())
}

fn print_info(state: &AppState, info: Option<FirstRunInfo>) -> Result<(), String> {
    print_line!("Kith is at {}", state.settings.origin())?;
    let Some(info) = info else {
        return Ok(());
    };
    print_line!("Founder's login URL (valid until used, for 24 hours): {}", info.link)?;
    match info.code {
        Some(code) => print_line!("Invite code for the first friend: {code}"),
        None => Ok(()),
    }
}

/// Notifies systemd that the start is complete, so that a failed start is reported as one.
#[cfg(target_os = "linux")]
fn notify_ready() {
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Ready]) {
        tracing::warn!(%error, "systemd could not be notified that the server is ready");
    }
}

#[cfg(not(target_os = "linux"))]
const fn notify_ready() {}

/// Returns a future of the stop signal. The handlers are installed by the call, not by the first poll.
#[cfg(unix)]
fn stop_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    async move {
        let [Ok(mut term), Ok(mut interrupt)] = signals else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
async fn stop_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
