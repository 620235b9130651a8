//! Settings of `kith serve`: flag first, then environment, then default.

pub mod rate_limits;

use crate::platform::config::rate_limits::RateLimits;
use clap::Args;
use kith_images::worker;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use url::Url;

/// Where and how to serve.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// Address that members' browsers (or the proxy) connect to.
    #[arg(long, env = "KITH_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Which data it works on.
    #[command(flatten)]
    pub store: Store,
    /// Address that members see; links in mails start with it.
    #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = public_url)]
    pub public_url: Url,
    /// Where images live: empty for files in the data folder.
    // It is read later: a refusal here would print a key that somebody put into it.
    #[arg(
        long,
        env = "KITH_STORAGE_URL",
        default_value = "",
        hide_env_values = true
    )]
    pub storage_url: String,
    /// Mail server, smtp:// or smtps://; empty writes each mail to <data>/outbox.
    #[arg(
        long,
        env = "KITH_SMTP_URL",
        default_value = "",
        hide_env_values = true
    )]
    pub smtp_url: String,
    /// Sender of the mails.
    #[arg(long, env = "KITH_MAIL_FROM", default_value = "Kith <kith@localhost>")]
    pub mail_from: String,
    /// Whether a login link works only in the browser that asked for it
    /// [default: lenient when the public address is http on this machine, else strict].
    #[arg(long, env = "KITH_LINK_BINDING")]
    pub link_binding: Option<LinkBinding>,
    /// Limits on how often an address may call; `off` is for benchmarks.
    #[arg(long, env = "KITH_RATE_LIMITS", default_value = "on")]
    pub rate_limits: Switch,
    /// Other limits than the usual ones, such as posts=600/3h,follows=1000/1d.
    #[arg(long, env = "KITH_LIMITS", default_value = "", value_parser = str::parse::<RateLimits>)]
    pub limits: RateLimits,
    /// Calls worked on at once; eight times as many may wait for two seconds [default: 8 for each core].
    #[arg(long, env = "KITH_IN_FLIGHT")]
    pub in_flight: Option<NonZeroUsize>,
    /// Address of /healthz, /readyz and /metrics; keep it private.
    #[arg(long, env = "KITH_ADMIN_LISTEN", default_value = "127.0.0.1:9090")]
    pub admin_listen: SocketAddr,
    /// Addresses of proxies whose X-Forwarded-For is believed, separated by commas.
    #[arg(long, env = "KITH_TRUSTED_PROXIES", default_value = "", value_parser = proxies)]
    pub trusted_proxies: Proxies,
    /// How nodes that share a database tell each other of news: empty for one node.
    // It is read later: a refusal here would print a password that somebody put into it.
    #[arg(
        long,
        env = "KITH_EVENTS_URL",
        default_value = "",
        hide_env_values = true
    )]
    pub events_url: String,
    /// The program that decodes images, in a process for each.
    #[arg(skip = worker::own_program())]
    pub image_worker: PathBuf,
}

/// Which data a command works on.
#[derive(Debug, Clone, Args)]
pub struct Store {
    /// Folder of the database file, the key, the media and the outbox.
    #[arg(long, env = "KITH_DATA", default_value = "./data")]
    pub data: PathBuf,
    /// A postgres:// address; empty for SQLite in the data folder.
    // It is read when the database is opened: a refusal here would print the password in it.
    #[arg(
        long,
        env = "KITH_DATABASE_URL",
        default_value = "",
        hide_env_values = true
    )]
    pub database_url: String,
}

/// When a login link works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LinkBinding {
    /// By itself only in the browser that asked; elsewhere after the address is confirmed.
    Strict,
    /// In any browser: for trials on one's own machine.
    Lenient,
}

/// Addresses of trusted proxies.
#[derive(Debug, Clone, Default)]
pub struct Proxies(pub Vec<IpAddr>);

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Switch {
    /// In force.
    On,
    /// Not in force.
    Off,
}

impl Settings {
    /// The defaults of `kith serve`, for a command that only touches the data.
    #[must_use]
    pub fn for_command(store: Store) -> Self {
        Self {
            listen: ([127, 0, 0, 1], 0).into(),
            store,
            public_url: Url::parse("http://localhost:8080")
                .unwrap_or_else(|_| unreachable!("a literal address")),
            storage_url: String::new(),
            smtp_url: String::new(),
            mail_from: "Kith <kith@localhost>".into(),
            link_binding: None,
            rate_limits: Switch::On,
            limits: RateLimits::default(),
            in_flight: None,
            admin_listen: ([127, 0, 0, 1], 0).into(),
            trusted_proxies: Proxies::default(),
            events_url: String::new(),
            image_worker: worker::own_program(),
        }
    }

    /// Whether members reach the server by https.
    #[must_use]
    pub fn https(&self) -> bool {
        self.public_url.scheme() == "https"
    }

    /// Whether the public address leads nowhere but to this machine.
    #[must_use]
    pub fn is_own_machine(&self) -> bool {
        self.public_url.host_str().is_some_and(is_own_machine)
    }

    /// The rule for login links, decided by the public address unless set.
    #[must_use]
    pub fn binding(&self) -> LinkBinding {
        let default = if !self.https() && self.is_own_machine() {
            LinkBinding::Lenient
        } else {
            LinkBinding::Strict
        };
        self.link_binding.unwrap_or(default)
    }

    /// `scheme://host[:port]` of the public address, as browsers write an Origin.
    #[must_use]
    pub fn origin(&self) -> String {
        self.public_url.origin().ascii_serialization()
    }

    /// An address below the public one; `path` starts with a slash.
    #[must_use]
    pub fn link(&self, path: &str) -> String {
        format!("{}{path}", self.origin())
    }
}

/// Folder below the data folder that holds an unfinished restore.
pub(crate) const RESTORING: &str = "restoring";

impl Store {
    /// Whether a restore into the data folder did not finish.
    #[must_use]
    pub fn has_unfinished_restore(&self) -> bool {
        self.data.join(RESTORING).is_dir()
    }

    /// Which database to open.
    #[must_use]
    pub fn database(&self) -> kith_db::Config {
        if self.database_url.is_empty() {
            kith_db::Config::sqlite(self.file())
        } else {
            kith_db::Config::postgres(&self.database_url)
        }
    }

    /// Whether no database was made here yet. Of PostgreSQL only itself can tell.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.database_url.is_empty() && !self.file().is_file()
    }

    /// The database, if it is SQLite's.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        self.data.join("kith.db")
    }

    /// The network's key.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.data.join("secret.key")
    }
}

/// Whether a host of an address is this machine, by name or by number.
pub(crate) fn is_own_machine(host: &str) -> bool {
    let number = host.trim_start_matches('[').trim_end_matches(']');
    let is_loopback = |address: IpAddr| address.is_loopback();
    host == "localhost" || host.ends_with(".localhost") || number.parse().is_ok_and(is_loopback)
}

pub(crate) fn public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("it must be an address such as https://kith.example ({error})"))?;
    if !matches!(url.scheme(), "http" | "https")
        || url.host().is_none()
        || url.path() != "/"
        || url.query().is_some()
    {
        return Err("it must be http:// or https://, a host, and nothing after it".into());
    }
    Ok(url)
}

fn proxies(text: &str) -> Result<Proxies, String> {
    let addresses = text
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let parsed = addresses.map(|part| {
        let address = part.parse::<IpAddr>();
        // As who is connected is compared with it.
        address
            .map(|address| address.to_canonical())
            .map_err(|_| format!("{part} is not an IP address"))
    });
    parsed.collect::<Result<_, _>>().map(Proxies)
}

/// Whether images can be kept where a setting says; if not, a sentence that does not repeat it.
pub(crate) fn check_storage(url: &str) -> Result<(), String> {
    kith_storage::Storage::check(url).map_err(|why| format!("KITH_STORAGE_URL: {why}."))
}

/// Whether news can go where a setting says; if not, a sentence that does not repeat it.
pub(crate) fn check_events(url: &str) -> Result<(), String> {
    if url.is_empty() {
        Ok(())
    } else {
        Err("KITH_EVENTS_URL: this version runs as one node only, leave it empty.".into())
    }
}
