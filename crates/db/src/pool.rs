//! Connections to PostgreSQL: to which server, how they are set, and how long each thing may take.

use crate::ties::Ties;
use crate::{Error, Result};
use deadpool_postgres::{
    ConfigConnectImpl, Connect, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime,
};
use futures_util::future::{BoxFuture, join3};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::{sleep, timeout};
use tokio_postgres::config::{Host, TargetSessionAttrs};
use tokio_postgres::{Client, Config, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

/// How long a request waits for a free connection, and each server may take for a new one.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);
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
/// What a call that was given up left running ends by itself; no statement needs a part of this.
pub(crate) const ENDING: &str = "set statement_timeout = '1min'";
/// What a server that is well has ended by then.
const LONGEST: Duration = Duration::from_secs(75);
/// A migration takes as long as it takes.
pub(crate) const ENDLESS: &str = "set statement_timeout = 0";
/// Which server answers.
const WHICH: &str = "select (extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint";
/// Before the servers are asked again of which none is the one that is followed.
const AGAIN: Duration = Duration::from_millis(200);

/// The answer of a server, unless it hangs. A machine that is up takes for it what it is sent, so that the
/// connection looks well; who gives up has to end it, or the next one would wait behind this.
pub(crate) async fn bounded<T>(answer: impl Future<Output = T>) -> Result<T> {
    let answer = timeout(LONGEST, answer).await;
    answer.map_err(|_| Error::Unavailable("the server is silent".into()))
}

/// Opens so many connections, as they are needed, to that of the servers in `config` which takes changes: the
/// `latest` that another pool of the process found, unless it is gone, and with `ties` only the one that they allow.
pub(crate) fn open(
    config: &Config,
    connector: Option<MakeRustlsConnect>,
    size: usize,
    latest: &Arc<AtomicUsize>,
    ties: Option<&Arc<Ties>>,
) -> Result<Pool> {
    check(config)?;
    let servers = each_of(config);
    let longest = PATIENCE * u32::try_from(servers.len()).unwrap_or(u32::MAX);
    let (latest, ties) = (Arc::clone(latest), ties.cloned());
    let manager = match connector {
        Some(tls) => manager(servers, ConfigConnectImpl { tls }, latest, ties),
        None => manager(servers, ConfigConnectImpl { tls: NoTls }, latest, ties),
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
    latest: Arc<AtomicUsize>,
    ties: Option<Arc<Ties>>,
) -> Manager {
    let whole = servers.first().cloned().unwrap_or_default();
    let servers = Servers {
        each: servers,
        connect,
        latest,
        ties,
    };
    let kept = ManagerConfig {
        recycling_method: RecyclingMethod::Fast,
    };
    Manager::from_connect(whole, servers, kept)
}

/// Several servers, one of which takes changes. The library tries them in order, too, but begins with the first
/// each time and waits without end for one that takes a connection and then says nothing.
struct Servers<C> {
    each: Vec<Config>,
    connect: C,
    /// Which one was connected to last.
    latest: Arc<AtomicUsize>,
    /// None of the connection by which it is decided which server is followed.
    ties: Option<Arc<Ties>>,
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

/// Tells a new connection what is set for each, and asks to which server it leads.
async fn greet(client: &Client) -> Result<i64, tokio_postgres::Error> {
    let (set, bound, server) = join3(
        client.batch_execute(SETTINGS),
        client.batch_execute(ENDING),
        client.query_one(WHICH, &[]),
    )
    .await;
    set.and(bound)?;
    server?.try_get(0)
}

impl<C: Connect> Servers<C> {
    /// A connection to one of them; none if another one is followed.
    async fn one(
        &self,
        at: usize,
    ) -> Result<Option<(Client, JoinHandle<()>)>, tokio_postgres::Error> {
        let (client, task) = self.connect.connect(&self.each[at]).await?;
        let mut carrier = Carrier {
            task: task.abort_handle(),
            is_handed_on: false,
        };
        let server = greet(&client).await?;
        if let Some(ties) = &self.ties
            && !ties.add(server, task.abort_handle())
        {
            return Ok(None);
        }
        carrier.is_handed_on = true;
        self.latest.store(at, Relaxed);
        Ok(Some((client, task)))
    }
}

impl<C: Connect> Connect for Servers<C> {
    fn connect(
        &self,
        _: &Config,
    ) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        Box::pin(async move {
            loop {
                let latest = self.latest.load(Relaxed);
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

/// The same settings for each server by itself. A server that vanished without a word must be noticed, and after
/// a fail-over only the new primary will do.
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
