//! Connections to PostgreSQL: choice of the server, session settings and keepalive.

use super::primary_guard::{PrimaryGuard, Timeline};
use super::timeouts::{ACQUIRE_TIMEOUT, STATEMENT_TIMEOUT};
use crate::{Error, Result};
use deadpool_postgres::{
    ConfigConnectImpl, Connect, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime,
};
use futures_util::future::{BoxFuture, join_all, join4};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::OnceCell;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a connection may stay silent while a response is due.
const KEEPALIVE: Duration = Duration::from_secs(10);

/// Settings of each session.
///
/// The planner assumes lists of average length, which is short, and would collect and sort a long list instead of
/// walking the index that has it in order: without bitmap scans it cannot. Each statement has an index for its rows.
/// The timeouts release the locks of a process whose machine or network vanished; the server's default is two hours.
const SESSION_SETTINGS: &str = "set enable_bitmapscan = off;
    set idle_in_transaction_session_timeout = '15s';
    set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";
/// Reads the server's timeline; some providers deny it, and then any server is accepted.
const TIMELINE: &str = "select system_identifier,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint from pg_control_system()";
/// Identifies the server by its start time.
const SERVER_START: &str =
    "select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint";
/// Delay before the next attempt when no server is usable.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// State of the servers, shared by the pools of a process.
#[derive(Debug, Default)]
pub(crate) struct ClusterState {
    /// Index of the host that was connected to last.
    current: AtomicUsize,
    /// Set once the timelines of all hosts were compared.
    timelines_compared: OnceCell<()>,
    pub(crate) guard: PrimaryGuard,
}

/// Creates a pool of `size` connections to the primary among the hosts of `config`. Connections open on demand,
/// first to the host that worked last, and never to a server that was replaced by failover. If `is_guarded`, only
/// the server whose changes are polled is accepted.
pub(crate) fn open(
    config: &Config,
    connector: Option<MakeRustlsConnect>,
    size: usize,
    cluster: &Arc<ClusterState>,
    is_guarded: bool,
) -> Result<Pool> {
    check_counts(config)?;
    let servers = split_hosts(config);
    let longest = ACQUIRE_TIMEOUT * u32::try_from(servers.len()).unwrap_or(u32::MAX);
    // The first connection of several hosts compares their timelines.
    let longest = if servers.len() > 1 { longest + ACQUIRE_TIMEOUT } else { longest };
    let cluster = Arc::clone(cluster);
    let manager = match connector {
        Some(tls) => manager(servers, ConfigConnectImpl { tls }, cluster, is_guarded),
        None => manager(servers, ConfigConnectImpl { tls: NoTls }, cluster, is_guarded),
    };
    Pool::builder(manager)
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(ACQUIRE_TIMEOUT))
        .create_timeout(Some(longest))
        .build()
        .map_err(|error| Error::Unavailable(error.to_string()))
}

fn manager(
    servers: Vec<Config>,
    connect: impl Connect + 'static,
    cluster: Arc<ClusterState>,
    is_guarded: bool,
) -> Manager {
    let whole = servers.first().cloned().unwrap_or_default();
    let servers = Hosts { each: servers, connect, cluster, is_guarded };
    let kept = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    Manager::from_connect(whole, servers, kept)
}

/// Hosts of which one is the primary. The driver would always try the first host and wait for it forever.
struct Hosts<C> {
    each: Vec<Config>,
    connect: C,
    cluster: Arc<ClusterState>,
    /// False for the connection that decides which server is followed.
    is_guarded: bool,
}

/// Aborts the task of a connection that is not used; otherwise it would wait for all responses.
struct ConnectionTask {
    task: AbortHandle,
    is_kept: bool,
}

impl Drop for ConnectionTask {
    fn drop(&mut self) {
        if !self.is_kept {
            self.task.abort();
        }
    }
}

/// Identity of the server behind a new connection.
struct ServerInfo {
    /// Start time: another server may have the same host name.
    started: i64,
    timeline: Option<Timeline>,
}

/// Applies the session settings to a new connection and reads the server's identity.
async fn after_connect(client: &Client) -> Result<ServerInfo, tokio_postgres::Error> {
    let (set, bound, server, timeline) = join4(
        client.batch_execute(SESSION_SETTINGS),
        client.batch_execute(STATEMENT_TIMEOUT),
        client.query_one(SERVER_START, &[]),
        client.query_one(TIMELINE, &[]),
    )
    .await;
    set.and(bound)?;
    let timeline = timeline.and_then(|row| {
        let (cluster, number) = (row.try_get(0)?, row.try_get(1)?);
        Ok(Timeline { cluster, number })
    });
    Ok(ServerInfo { started: server?.try_get(0)?, timeline: timeline.ok() })
}

impl<C: Connect> Hosts<C> {
    /// Connects to one host and reads its identity.
    async fn connect_to(
        &self,
        at: usize,
    ) -> Result<(Client, JoinHandle<()>, ConnectionTask, ServerInfo), tokio_postgres::Error> {
        let (client, task) = self.connect.connect(&self.each[at]).await?;
        let task_guard = ConnectionTask { task: task.abort_handle(), is_kept: false };
        let info = after_connect(&client).await?;
        Ok((client, task, task_guard, info))
    }

    /// Connects to one host; `None` if another server is followed or has replaced it.
    async fn connect_allowed(
        &self,
        at: usize,
    ) -> Result<Option<(Client, JoinHandle<()>)>, tokio_postgres::Error> {
        let (client, task, mut task_guard, info) = self.connect_to(at).await?;
        let guard = &self.cluster.guard;
        // Checked in this order: an unused server must not advance the timeline.
        let is_followed = !self.is_guarded || guard.register(info.started, task.abort_handle());
        if !is_followed || !guard.allows(info.timeline) {
            return Ok(None);
        }
        task_guard.is_kept = true;
        self.cluster.current.store(at, Relaxed);
        Ok(Some((client, task)))
    }

    /// Compares the timelines of all hosts before the first use: a former primary that came back accepts writes, too.
    async fn compare_timelines(&self) {
        if self.each.len() == 1 {
            return;
        }
        let responses =
            (0..self.each.len()).map(|at| timeout(ACQUIRE_TIMEOUT, self.connect_to(at)));
        let compare = async {
            let mut has_response = false;
            for (at, response) in join_all(responses).await.into_iter().enumerate() {
                if let Ok(Ok((.., info))) = response
                    && self.cluster.guard.allows(info.timeline)
                {
                    self.cluster.current.store(at, Relaxed);
                    has_response = true;
                }
            }
            has_response.then_some(()).ok_or(())
        };
        // The next connection tries again.
        let _ = self.cluster.timelines_compared.get_or_try_init(|| compare).await;
    }
}

impl<C: Connect> Connect for Hosts<C> {
    fn connect(
        &self,
        _: &Config,
    ) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(async move {
            self.compare_timelines().await;
            loop {
                let latest = self.cluster.current.load(Relaxed);
                let mut others = (latest..latest + self.each.len()).map(|at| at % self.each.len());
                // The pool limits the time of the last attempt.
                let last = others.next_back().unwrap_or(latest);
                for at in others {
                    if let Ok(Ok(Some(connected))) =
                        timeout(ACQUIRE_TIMEOUT, self.connect_allowed(at)).await
                    {
                        return Ok(connected);
                    }
                }
                if let Some(connected) = self.connect_allowed(last).await? {
                    return Ok(connected);
                }
                // A new primary is not followed yet, or a former one came back.
                sleep(RETRY_DELAY).await;
            }
        })
    }
}

/// Checks the counts of hosts, hostaddrs and ports, which the driver sees one at a time.
fn check_counts(config: &Config) -> Result<()> {
    let (hosts, hostaddrs) = (config.get_hosts().len(), config.get_hostaddrs().len());
    let (count, ports) = (hosts.max(hostaddrs), config.get_ports().len());
    if hosts > 0 && hostaddrs > 0 && hosts != hostaddrs || ports > 1 && ports != count {
        let reason = "the database URL has a different number of ports or hostaddr than hosts";
        return Err(Error::Unavailable(reason.into()));
    }
    Ok(())
}

/// Returns one configuration per host that detects a lost connection and accepts only a primary.
fn split_hosts(config: &Config) -> Vec<Config> {
    let (hosts, hostaddrs) = (config.get_hosts(), config.get_hostaddrs());
    let (count, ports) = (hosts.len().max(hostaddrs.len()), config.get_ports());
    let one = |at: usize| {
        let mut one = Config::new();
        match hosts.get(at) {
            Some(Host::Tcp(name)) => _ = one.host(name),
            #[cfg(unix)]
            Some(Host::Unix(path)) => _ = one.host_path(path),
            None => {}
        }
        if let Some(address) = hostaddrs.get(at) {
            one.hostaddr(*address);
        }
        // A single port applies to all hosts.
        if let Some(port) = ports.get(at).or(ports.first()) {
            one.port(*port);
        }
        copy_options(config, &mut one);
        one
    };
    // The driver reports a URL without hosts.
    (0..count.max(1)).map(one).collect()
}

/// Copies all options other than hosts and ports.
fn copy_options(from: &Config, to: &mut Config) {
    if let Some(user) = from.get_user() {
        to.user(user);
    }
    if let Some(password) = from.get_password() {
        to.password(password);
    }
    if let Some(name) = from.get_dbname() {
        to.dbname(name);
    }
    if let Some(options) = from.get_options() {
        to.options(options);
    }
    if let Some(name) = from.get_application_name() {
        to.application_name(name);
    }
    if let Some(interval) = from.get_keepalives_interval() {
        to.keepalives_interval(interval);
    }
    if let Some(retries) = from.get_keepalives_retries() {
        to.keepalives_retries(retries);
    }
    to.ssl_mode(from.get_ssl_mode())
        .ssl_negotiation(from.get_ssl_negotiation())
        .channel_binding(from.get_channel_binding())
        .load_balance_hosts(from.get_load_balance_hosts())
        .keepalives(from.get_keepalives())
        .connect_timeout(ACQUIRE_TIMEOUT)
        .tcp_user_timeout(KEEPALIVE)
        .keepalives_idle(KEEPALIVE)
        .target_session_attrs(TargetSessionAttrs::ReadWrite);
}

/// Acquires a connection and records the wait in a metric, also if it fails.
pub(crate) async fn acquire(pool: &Pool) -> Result<Object> {
    let started = Instant::now();
    let acquired = pool.get().await;
    metrics::histogram!("kith_db_pool_wait_seconds").record(started.elapsed().as_secs_f64());
    Ok(acquired?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(url: &str) -> Vec<Config> {
        split_hosts(&url.parse().unwrap())
    }

    #[test]
    fn each_host_has_its_port_and_the_common_options() {
        let servers = servers("postgres://ada:pass@one:1,two:2/kith?options=-c%20a%3Db");
        let found = servers.iter().map(|one| (one.get_hosts(), one.get_ports()));
        let tcp = |name: &str| vec![Host::Tcp(name.to_owned())];
        let wanted = [(tcp("one"), [1]), (tcp("two"), [2])];
        assert!(found.eq(wanted.iter().map(|(host, port)| (&host[..], &port[..]))));
        for one in servers {
            assert_eq!(one.get_user(), Some("ada"));
            assert_eq!(one.get_password(), Some(&b"pass"[..]));
            assert_eq!(one.get_dbname(), Some("kith"));
            assert_eq!(one.get_options(), Some("-c a=b"));
            assert_eq!(one.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
        }
    }

    #[test]
    fn each_host_has_its_own_port_or_all_have_one() {
        for (url, is_valid) in [
            ("postgres://a,b,c/kith", true),
            ("postgres://a:1,b:2/kith", true),
            ("postgres:///kith?host=a&port=1", true),
            ("postgres:///kith?host=a&port=1,2", false),
            ("postgres://a,b/kith?hostaddr=127.0.0.1", false),
        ] {
            assert_eq!(check_counts(&url.parse().unwrap()).is_ok(), is_valid, "{url}");
        }
    }

    #[test]
    fn a_url_without_hosts_is_one_server() {
        let servers = servers("postgres:///kith");
        assert_eq!(servers.len(), 1);
        assert!(servers[0].get_hosts().is_empty());
    }
}
