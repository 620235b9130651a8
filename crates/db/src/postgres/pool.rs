//! Connections to PostgreSQL: to which server, how they are set, and how long each thing may take.

use super::primary_guard::{Ties, Timeline};
use super::timeouts::{ENDING, PATIENCE};
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

/// How long a connection may stay silent when an answer is due.
const SILENCE: Duration = Duration::from_secs(10);

/// What is set for each connection.
///
/// A plan is made for what a list holds on average, which is little: collecting its rows and sorting them
/// then looks cheaper than walking the index that has them in order, and reads a million to show fifty
/// where a list is long. Each statement has an index that leads to its rows, so it needs no bitmap.
///
/// Of a process that vanished without a word, its machine or the way to it, the server hears nothing for two hours,
/// and keeps until then what an open transaction holds. Nothing here waits between two statements.
const SETTINGS: &str = "set enable_bitmapscan = off;
    set idle_in_transaction_session_timeout = '15s';
    set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3";
/// Which timeline a server is on. One that does not tell, as with some providers, is taken as it is.
const TIMELINE: &str = "select system_identifier,
    ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint from pg_control_system()";
/// Which server answers.
const WHICH: &str = "select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint";
/// Before the servers are asked again of which none is the one that is followed.
const AGAIN: Duration = Duration::from_millis(200);

/// What the pools of a process know of the servers together.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Which one was connected to last, of those that the address names.
    at: AtomicUsize,
    /// Whether it was found out from which of them others took over.
    are_asked: OnceCell<()>,
    pub(crate) ties: Ties,
}

/// Opens so many connections, as they are needed, to that of the servers in `config` which takes changes: the
/// last that another pool of the process found, unless it is gone, and only one that is not followed by a later
/// one. If `is_tied`, also none but the one whose changes are followed.
pub(crate) fn open(
    config: &Config,
    connector: Option<MakeRustlsConnect>,
    size: usize,
    known: &Arc<Known>,
    is_tied: bool,
) -> Result<Pool> {
    check(config)?;
    let servers = each_of(config);
    let longest = PATIENCE * u32::try_from(servers.len()).unwrap_or(u32::MAX);
    // Before the first connection all of several are asked.
    let longest = if servers.len() > 1 {
        longest + PATIENCE
    } else {
        longest
    };
    let known = Arc::clone(known);
    let manager = match connector {
        Some(tls) => manager(servers, ConfigConnectImpl { tls }, known, is_tied),
        None => manager(servers, ConfigConnectImpl { tls: NoTls }, known, is_tied),
    };
    Pool::builder(manager)
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(PATIENCE))
        .create_timeout(Some(longest))
        .build()
        .map_err(|error| Error::Unavailable(error.to_string()))
}

fn manager(
    servers: Vec<Config>,
    connect: impl Connect + 'static,
    known: Arc<Known>,
    is_tied: bool,
) -> Manager {
    let whole = servers.first().cloned().unwrap_or_default();
    let servers = Servers {
        each: servers,
        connect,
        known,
        is_tied,
    };
    let kept = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    Manager::from_connect(whole, servers, kept)
}

/// Servers of which one takes writes. The library would always begin with the first, and wait forever if it is silent.
struct Servers<C> {
    each: Vec<Config>,
    connect: C,
    known: Arc<Known>,
    /// Not the connection by which it is decided which server is followed.
    is_tied: bool,
}

/// Ends a connection that is not handed on. Without its client it would go on until all answers are there.
struct Carrier {
    task: AbortHandle,
    is_handed_on: bool,
}

impl Drop for Carrier {
    fn drop(&mut self) {
        if !self.is_handed_on {
            self.task.abort();
        }
    }
}

/// A server, as it tells of itself over a new connection.
struct Greeted {
    /// When it started: another one may stand behind the same address.
    started: i64,
    timeline: Option<Timeline>,
}

/// Tells a new connection what is set for each, and asks to which server it leads.
async fn greet(client: &Client) -> Result<Greeted, tokio_postgres::Error> {
    let (set, bound, server, timeline) = join4(
        client.batch_execute(SETTINGS),
        client.batch_execute(ENDING),
        client.query_one(WHICH, &[]),
        client.query_one(TIMELINE, &[]),
    )
    .await;
    set.and(bound)?;
    let timeline = timeline.and_then(|row| {
        let (cluster, number) = (row.try_get(0)?, row.try_get(1)?);
        Ok(Timeline { cluster, number })
    });
    Ok(Greeted {
        started: server?.try_get(0)?,
        timeline: timeline.ok(),
    })
}

impl<C: Connect> Servers<C> {
    /// A connection to one of them, and which one that is.
    async fn reach(
        &self,
        at: usize,
    ) -> Result<(Client, JoinHandle<()>, Carrier, Greeted), tokio_postgres::Error> {
        let (client, task) = self.connect.connect(&self.each[at]).await?;
        let carrier = Carrier {
            task: task.abort_handle(),
            is_handed_on: false,
        };
        let greeted = greet(&client).await?;
        Ok((client, task, carrier, greeted))
    }

    /// A connection to one of them; none if another one is followed, or took over from it.
    async fn one(
        &self,
        at: usize,
    ) -> Result<Option<(Client, JoinHandle<()>)>, tokio_postgres::Error> {
        let (client, task, mut carrier, greeted) = self.reach(at).await?;
        let ties = &self.known.ties;
        // In this order: what is not used tells nothing of what may be.
        let is_followed = !self.is_tied || ties.add(greeted.started, task.abort_handle());
        if !is_followed || !ties.admits(greeted.timeline) {
            return Ok(None);
        }
        carrier.is_handed_on = true;
        self.known.at.store(at, Relaxed);
        Ok(Some((client, task)))
    }

    /// Asks all of several for their timelines, before the first is used: one that came back after another one had
    /// taken over takes writes like that one, and may be named before it.
    async fn ask_all(&self) {
        if self.each.len() == 1 {
            return;
        }
        let asked = (0..self.each.len()).map(|at| timeout(PATIENCE, self.reach(at)));
        let ask = async {
            let mut is_heard = false;
            for (at, answer) in join_all(asked).await.into_iter().enumerate() {
                if let Ok(Ok((.., greeted))) = answer
                    && self.known.ties.admits(greeted.timeline)
                {
                    self.known.at.store(at, Relaxed);
                    is_heard = true;
                }
            }
            is_heard.then_some(()).ok_or(())
        };
        // The next connection asks again.
        let _ = self.known.are_asked.get_or_try_init(|| ask).await;
    }
}

impl<C: Connect> Connect for Servers<C> {
    fn connect(
        &self,
        _: &Config,
    ) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(async move {
            self.ask_all().await;
            loop {
                let latest = self.known.at.load(Relaxed);
                let mut others = (latest..latest + self.each.len()).map(|at| at % self.each.len());
                // How long the last one may take, the pool knows.
                let last = others.next_back().unwrap_or(latest);
                for at in others {
                    if let Ok(Ok(Some(connected))) = timeout(PATIENCE, self.one(at)).await {
                        return Ok(connected);
                    }
                }
                if let Some(connected) = self.one(last).await? {
                    return Ok(connected);
                }
                // Another one took over, which is not followed yet, or one came back that is not any more.
                sleep(AGAIN).await;
            }
        })
    }
}

/// Refuses what the library would refuse, were it told of all servers at once.
fn check(config: &Config) -> Result<()> {
    let (hosts, addresses) = (config.get_hosts().len(), config.get_hostaddrs().len());
    let (count, ports) = (hosts.max(addresses), config.get_ports().len());
    if hosts > 0 && addresses > 0 && hosts != addresses || ports > 1 && ports != count {
        let reason = "the database address has not as many ports or hostaddr as hosts";
        return Err(Error::Unavailable(reason.into()));
    }
    Ok(())
}

/// One configuration per server of the address, which detects a lost connection and accepts only a primary.
fn each_of(config: &Config) -> Vec<Config> {
    let (hosts, addresses) = (config.get_hosts(), config.get_hostaddrs());
    let (count, ports) = (hosts.len().max(addresses.len()), config.get_ports());
    let one = |at: usize| {
        let mut one = Config::new();
        match hosts.get(at) {
            Some(Host::Tcp(name)) => _ = one.host(name),
            #[cfg(unix)]
            Some(Host::Unix(path)) => _ = one.host_path(path),
            None => {}
        }
        if let Some(address) = addresses.get(at) {
            one.hostaddr(*address);
        }
        // One stands for all.
        if let Some(port) = ports.get(at).or(ports.first()) {
            one.port(*port);
        }
        copy(config, &mut one);
        one
    };
    // Of an address that names none the library says so.
    (0..count.max(1)).map(one).collect()
}

/// What an address can say beside where the servers are.
fn copy(from: &Config, to: &mut Config) {
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
        .connect_timeout(PATIENCE)
        .tcp_user_timeout(SILENCE)
        .keepalives_idle(SILENCE)
        .target_session_attrs(TargetSessionAttrs::ReadWrite);
}

/// A connection of the pool, once one is free; how long that took is counted, whether or not it was.
pub(crate) async fn take(pool: &Pool) -> Result<Object> {
    let started = Instant::now();
    let taken = pool.get().await;
    metrics::histogram!("kith_db_pool_wait_seconds").record(started.elapsed().as_secs_f64());
    Ok(taken?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(url: &str) -> Vec<Config> {
        each_of(&url.parse().unwrap())
    }

    #[test]
    fn each_server_has_its_port_and_what_all_have() {
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
            assert_eq!(
                one.get_target_session_attrs(),
                TargetSessionAttrs::ReadWrite
            );
        }
    }

    #[test]
    fn each_has_its_own_port_or_all_have_one() {
        for (url, is_right) in [
            ("postgres://a,b,c/kith", true),
            ("postgres://a:1,b:2/kith", true),
            ("postgres:///kith?host=a&port=1", true),
            ("postgres:///kith?host=a&port=1,2", false),
            ("postgres://a,b/kith?hostaddr=127.0.0.1", false),
        ] {
            assert_eq!(check(&url.parse().unwrap()).is_ok(), is_right, "{url}");
        }
    }

    #[test]
    fn an_address_that_names_no_server_is_one() {
        let servers = servers("postgres:///kith");
        assert_eq!(servers.len(), 1);
        assert!(servers[0].get_hosts().is_empty());
    }
}
