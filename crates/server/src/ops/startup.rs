//! `kith serve`: from settings to a listening server, and its orderly end.

use crate::features::account::{deletion, export};
use crate::features::{mailer, media, members};
use crate::http::middleware::load_shed;
use crate::http::server::accept;
use crate::http::server::listener::ListenerKind;
use crate::ops::first_run::Welcome;
use crate::ops::{first_run, retention};
use crate::platform::Platform;
use crate::platform::clock::watermark;
use crate::platform::clock::{Clock, SECOND};
use crate::platform::config::{Settings, Switch};
use crate::platform::jobs;
use crate::platform::mail::Transport;
use crate::platform::output::say;
use crate::platform::supervisor::{Ending, Workers};
use crate::platform::telemetry;
use crate::router;
use crate::state::AppState;
use axum::extract::FromRef as _;
use metrics_exporter_prometheus::PrometheusHandle;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// How long requests may finish after the order to stop.
const GRACE: Duration = Duration::from_secs(10);
/// The same for mails on their way.
const LAST_MAILS: Duration = Duration::from_secs(5);

/// The time between two rounds of small regular work.
const TICK: Duration = Duration::from_millis(watermark::PERIOD.unsigned_abs());

/// Says what a public address would cost that does not fit where the server stands.
fn warn_of_address(settings: &Settings) {
    let is_own = settings.is_own_machine();
    if !settings.https() && !is_own {
        tracing::warn!(
            "the public address is plain http: anybody on the way can take a session over"
        );
    }
    let is_for_others =
        !settings.listen.ip().is_loopback() || !settings.trusted_proxies.0.is_empty();
    if is_own && is_for_others {
        tracing::warn!(
            "others can reach this server, but its public address leads nowhere but on this machine: \
             let KITH_PUBLIC_URL be the address that members type"
        );
    }
}

/// Serves until SIGTERM or Ctrl+C. An error is one sentence for the operator.
pub async fn run(settings: Settings) -> Result<(), String> {
    let metrics = telemetry::init_metrics()?;
    load_shed::count_from_zero();
    accept::count_from_zero();
    let had_key = settings.store.key().is_file();
    let app = AppState::open(settings, Clock::system(), 0).await?;
    let transport = Transport::new(&app.settings)?.announced();
    if app.settings.rate_limits == Switch::Off {
        tracing::warn!("rate limits are off: anybody may call as often as they like");
    }
    warn_of_address(&app.settings);
    let address = app.settings.listen;
    let listener =
        accept::listen(address).map_err(|error| not_listening("KITH_LISTEN", address, &error))?;
    let address = app.settings.admin_listen;
    let admin = accept::listen(address)
        .map_err(|error| not_listening("KITH_ADMIN_LISTEN", address, &error))?;
    let (stop, stopped) = watch::channel(false);
    let service = router::router(app.clone());
    let members = ListenerKind::Public(app.settings.trusted_proxies.clone());
    let mut server = tokio::spawn(accept::serve(listener, service, members, stopped.clone()));
    let admin_router = router::admin(app.clone(), metrics.clone());
    // Told of until the very end.
    let (_until_the_end, never) = watch::channel(false);
    let figures = accept::serve(admin, admin_router, ListenerKind::Admin, never);
    let mut figures = tokio::spawn(figures);
    let ending = Ending::on(stopped.clone());
    let workers = employ(&app, &transport, &ending);
    // Before the greeting: whoever reads it may stop the server at once.
    let order = signal();
    greet(&app, had_key).await?;
    ready();
    let end = tokio::select! {
        () = order => Ok(()),
        () = tend(&app, &metrics) => Err("Another node took this node's number; start this one again.".to_owned()),
        ended = &mut figures => Err(format!("The admin address ended by itself: {ended:?}.")),
        ended = &mut server => Err(format!("The server ended by itself: {ended:?}.")),
    };
    tracing::info!("stopping: finishing what is in flight");
    // Nobody listens only when the server has ended by itself.
    let _ = stop.send(true);
    let mails = tokio::time::timeout(LAST_MAILS, ending.finished());
    let requests = async {
        if !server.is_finished() && tokio::time::timeout(GRACE, server).await.is_err() {
            tracing::warn!("some requests took too long and were dropped");
        }
    };
    if futures_util::join!(requests, mails).1.is_err() {
        tracing::warn!("some mails took too long and are sent again");
    }
    drop(workers);
    figures.abort();
    // The start after this one goes on from here, or from a few seconds before.
    let _ = tokio::time::timeout(GRACE, watermark::sync(&app.db, &app.clock, app.lease.node)).await;
    app.db.close().await;
    end
}

fn not_listening(setting: &str, address: SocketAddr, error: &std::io::Error) -> String {
    format!("{setting}: {address} cannot be listened on: {error}.")
}

fn employ(app: &AppState, transport: &Transport, ending: &Ending) -> Workers {
    let mut workers = Workers::default();
    let (mailing, transport, ending) = (Platform::from_ref(app), transport.clone(), ending.clone());
    workers.keep("mail", move || {
        mailer::run(mailing.clone(), transport.clone(), ending.clone())
    });
    let own = app.clone();
    workers.keep("names", move || index_names(own.clone()));
    let own = Arc::clone(&app.media);
    workers.keep("sweep", move || media::run_sweeper(Arc::clone(&own)));
    let own = app.clone();
    workers.keep("purge", move || retention::run(own.clone()));
    let own = Arc::clone(&app.account);
    workers.keep("export", move || export::run(Arc::clone(&own)));
    let own = Arc::clone(&app.account);
    workers.keep("leaving", move || deletion::run(Arc::clone(&own)));
    workers
}

/// Small regular work: renews the node's number, evicts idle limits, exports metrics. Ends when the number is lost.
async fn tend(app: &AppState, metrics: &PrometheusHandle) {
    let mut tick = tokio::time::interval(TICK);
    let mut was_right = true;
    loop {
        tick.tick().await;
        app.rate_limiter.evict_idle();
        metrics.run_upkeep();
        count_mails(app).await;
        let renewed = app.lease.renew(&app.db);
        match tokio::time::timeout(GRACE, renewed).await {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => return,
            Ok(Err(error)) => tracing::warn!(%error, "the node's number could not be renewed"),
            Err(_) => tracing::warn!("the node's number was not renewed in time"),
        }
        was_right = keep_time(app, was_right).await;
    }
}

/// Saves the clock's watermark and warns once when the clock was set back. Returns whether the clock is right.
async fn keep_time(app: &AppState, was_right: bool) -> bool {
    // Whether the database answers is said elsewhere.
    let Ok(Ok(is_right)) =
        tokio::time::timeout(GRACE, watermark::sync(&app.db, &app.clock, app.lease.node)).await
    else {
        return was_right;
    };
    if was_right && !is_right {
        let seconds = app.clock.skew() / SECOND;
        tracing::warn!(
            seconds,
            "the system clock is behind: the time stands still until it has caught up, and no start will do before that"
        );
    }
    is_right
}

async fn count_mails(app: &AppState) {
    let db = app.db.reader();
    // Whether the database answers is said elsewhere.
    if let Ok(Ok(count)) = tokio::time::timeout(GRACE, jobs::count_waiting(&db)).await {
        metrics::gauge!("kith_mails_waiting")
            .set(f64::from(u32::try_from(count).unwrap_or(u32::MAX)));
    }
}

/// Makes members searchable who joined before names were indexed. That is done once, and then waits.
async fn index_names(app: AppState) {
    if let Err(error) = members::index_all(&app.db).await {
        tracing::warn!(%error, "some names cannot be searched until the next start");
    }
    std::future::pending::<()>().await;
}

/// Founds an empty network, and prints where it is. A start does not fail because nobody can read that.
async fn greet(app: &AppState, had_key: bool) -> Result<(), String> {
    let welcome = first_run::found(app)
        .await
        .map_err(|_| "The founder could not be made; the log says why.".to_owned())?;
    if welcome.is_none() && !had_key {
        tracing::warn!(
            "secret.key was not in the data folder: a new one was made, and what was mailed before lets nobody in; \
             if the network's own still exists, or another node has it, put it there and start again"
        );
    }
    if let Err(error) = show(app, welcome) {
        tracing::warn!(error, "the greeting was not shown");
    }
    Ok(())
}

fn show(app: &AppState, welcome: Option<Welcome>) -> Result<(), String> {
    say!("Kith is at {}", app.settings.origin())?;
    let Some(welcome) = welcome else {
        return Ok(());
    };
    say!(
        "Founder's sign-in address (valid until used, for 24 hours): {}",
        welcome.address
    )?;
    match welcome.code {
        Some(code) => say!("Invite code for the first friend: {code}"),
        None => Ok(()),
    }
}

/// Tells systemd that the start is done: the next command finds a server, and a failed start is reported as one.
#[cfg(target_os = "linux")]
fn ready() {
    if let Err(error) = sd_notify::notify(&[sd_notify::NotifyState::Ready]) {
        tracing::warn!(%error, "systemd does not learn that the server is ready");
    }
}

#[cfg(not(target_os = "linux"))]
const fn ready() {}

/// Listens for the order to stop from the moment it is called, not from the first poll.
#[cfg(unix)]
fn signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let listening = [SignalKind::terminate(), SignalKind::interrupt()].map(signal);
    async move {
        let [Ok(mut term), Ok(mut interrupt)] = listening else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = term.recv() => {}
            _ = interrupt.recv() => {}
        }
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
