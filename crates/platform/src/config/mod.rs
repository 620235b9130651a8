//! Settings of `kith serve`. A flag overrides the environment variable, which overrides the default.

mod log;
mod proxies;
mod push_hosts;
pub mod rate_limits;

pub use crate::config::log::{LogFormat, LogSettings};
pub use crate::config::proxies::Proxies;
pub use crate::config::push_hosts::PushHosts;
use crate::config::rate_limits::RateLimits;
use clap::Args;
use kith_images::worker;
use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use url::Url;

/// Settings of the server.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// IP address and port that browsers or the proxy connect to.
    #[arg(long, env = "KITH_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Location of the data.
    #[command(flatten)]
    pub store: DatabaseArgs,
    /// Public URL of the site; links in mails start with it.
    #[arg(long, env = "KITH_PUBLIC_URL", default_value = "http://localhost:8080", value_parser = parse_public_url)]
    pub public_url: Url,
    /// URL of the image storage; empty for files in the data folder.
    // Parsed later: a clap error would print a secret key contained in it.
    #[arg(long, env = "KITH_STORAGE_URL", default_value = "", hide_env_values = true)]
    pub storage_url: String,
    /// URL of the mail server, smtp:// or smtps://; empty to write mails to <data>/outbox.
    #[arg(long, env = "KITH_SMTP_URL", default_value = "", hide_env_values = true)]
    pub smtp_url: String,
    /// Sender of mails.
    #[arg(long, env = "KITH_MAIL_FROM", default_value = "Kith <kith@localhost>")]
    pub mail_from: String,
    /// Name of the network, used when it is created [default: Kith]. Change it later in the app.
    #[arg(long = "name", env = "KITH_NAME", default_value = "", hide_default_value = true)]
    pub network_name: String,
    /// Email or https URL of the operator, used when the network is created. Change it later in the app.
    #[arg(long = "contact", env = "KITH_CONTACT", default_value = "", hide_default_value = true)]
    pub network_contact: String,
    /// Whether a login link works only in the browser that requested it
    /// [default: lenient if the public URL is http on this machine, else strict].
    #[arg(long, env = "KITH_LINK_BINDING")]
    pub link_binding: Option<LinkBinding>,
    /// Rate limits per IP address and member; `off` is for benchmarks.
    #[arg(long, env = "KITH_RATE_LIMITS", default_value = "on")]
    pub rate_limits: Toggle,
    /// Overrides of the default rate limits, such as posts=600/3h,follows=1000/1d.
    #[arg(long, env = "KITH_LIMITS", default_value = "", value_parser = str::parse::<RateLimits>)]
    pub limits: RateLimits,
    /// Maximum concurrent requests; 256 times as many can wait for two seconds [default: 32 per core].
    #[arg(long, env = "KITH_IN_FLIGHT")]
    pub in_flight: Option<NonZeroUsize>,
    /// Live updates, which keep a connection to each open browser; `off` disables them.
    #[arg(long, env = "KITH_EVENTS", default_value = "on")]
    pub events: Toggle,
    /// Further hosts of web push, separated by commas, or origins such as `http://10.0.0.5:8030` in the own network.
    #[arg(long, env = "KITH_PUSH_HOSTS", default_value = "", value_parser = str::parse::<PushHosts>)]
    pub push_hosts: PushHosts,
    /// IP address and port of /healthz, /readyz and /metrics; keep it private.
    #[arg(long, env = "KITH_ADMIN_LISTEN", default_value = "127.0.0.1:9090")]
    pub admin_listen: SocketAddr,
    /// Seconds for which a stopping server still accepts requests while /readyz responds with 503, so that a proxy
    /// sends further ones to other nodes.
    #[arg(long, env = "KITH_DRAIN_SECONDS", default_value_t = 0)]
    pub drain_seconds: u64,
    /// Strict-Transport-Security on https, by which browsers use only https for a year: for this host, with
    /// `subdomains` also for hosts below it; `off` leaves it to the proxy.
    #[arg(long, env = "KITH_HSTS", default_value = "on")]
    pub hsts: Hsts,
    /// IP addresses of proxies whose X-Forwarded-For is trusted, or ranges such as 10.0.0.0/8, separated by commas.
    #[arg(long, env = "KITH_TRUSTED_PROXIES", default_value = "", value_parser = str::parse::<Proxies>)]
    pub trusted_proxies: Proxies,
    /// The log.
    #[command(flatten)]
    pub log: LogSettings,
    /// Program that decodes each image in its own process.
    #[arg(skip = worker::own_program())]
    pub image_worker: PathBuf,
}

/// Default maximum of PostgreSQL connections per process.
pub const DEFAULT_POOL: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Location of the data that a command uses.
#[derive(Debug, Clone, Args)]
pub struct DatabaseArgs {
    /// Folder of the database file, secret key, images and outbox.
    #[arg(long, env = "KITH_DATA", default_value = "./data")]
    pub data: PathBuf,
    /// URL of a PostgreSQL database, postgres://; empty for SQLite in the data folder.
    // Parsed when the database is opened: a clap error would print the password.
    #[arg(long, env = "KITH_DATABASE_URL", default_value = "", hide_env_values = true)]
    pub database_url: String,
    /// Maximum PostgreSQL connections of this process, besides one for the change feed.
    #[arg(long, env = "KITH_DATABASE_POOL", default_value_t = DEFAULT_POOL)]
    pub database_pool: NonZeroUsize,
}

/// Policy for browsers in which a login link works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum LinkBinding {
    /// Directly in the requesting browser; in others only after typing the email.
    Strict,
    /// In any browser, for trials on the local machine.
    Lenient,
}

/// Policy of `Strict-Transport-Security` on https.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Hsts {
    /// Browsers use only https for this host.
    On,
    /// Browsers use only https for this host and all hosts below it.
    Subdomains,
    /// The header is not sent, because a proxy sends it.
    Off,
}

/// Setting that is on or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Toggle {
    /// Enabled.
    On,
    /// Disabled.
    Off,
}

impl Settings {
    /// Returns default settings for a command that only accesses the data.
    #[must_use]
    pub fn for_command(store: DatabaseArgs) -> Self {
        Self {
            listen: ([127, 0, 0, 1], 0).into(),
            store,
            public_url: Url::parse("http://localhost:8080")
                .unwrap_or_else(|_| unreachable!("a literal address")),
            storage_url: String::new(),
            smtp_url: String::new(),
            mail_from: "Kith <kith@localhost>".into(),
            network_name: String::new(),
            network_contact: String::new(),
            link_binding: None,
            rate_limits: Toggle::On,
            limits: RateLimits::default(),
            in_flight: None,
            events: Toggle::On,
            push_hosts: PushHosts::default(),
            admin_listen: ([127, 0, 0, 1], 0).into(),
            drain_seconds: 0,
            hsts: Hsts::On,
            trusted_proxies: Proxies::default(),
            log: LogSettings::for_command(),
            image_worker: worker::own_program(),
        }
    }

    /// Checks whether the public URL has the scheme https.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.public_url.scheme() == "https"
    }

    /// Checks whether the host of the public URL is this machine.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.public_url.host_str().is_some_and(is_loopback)
    }

    /// Returns the policy for login links, by default derived from the public URL.
    #[must_use]
    pub fn link_binding_or_default(&self) -> LinkBinding {
        let default = if !self.is_https() && self.is_loopback() {
            LinkBinding::Lenient
        } else {
            LinkBinding::Strict
        };
        self.link_binding.unwrap_or(default)
    }

    /// Returns the origin of the public URL, `scheme://host[:port]`, as in the `Origin` header.
    #[must_use]
    pub fn origin(&self) -> String {
        self.public_url.origin().ascii_serialization()
    }

    /// Returns the public URL of `path`, which starts with a slash.
    #[must_use]
    pub fn url_for(&self, path: &str) -> String {
        format!("{}{path}", self.origin())
    }
}

/// Folder below the data folder that holds an unfinished restore.
pub const RESTORING: &str = "restoring";

impl DatabaseArgs {
    /// Creates a location with the default connection pool; `database_url` is empty for SQLite.
    #[must_use]
    pub fn new(data: impl Into<PathBuf>, database_url: impl Into<String>) -> Self {
        Self { data: data.into(), database_url: database_url.into(), database_pool: DEFAULT_POOL }
    }

    /// Checks whether a restore into the data folder is unfinished.
    #[must_use]
    pub fn has_unfinished_restore(&self) -> bool {
        self.data.join(RESTORING).is_dir()
    }

    /// Returns the configuration of the database.
    #[must_use]
    pub fn database(&self) -> kith_db::Config {
        if self.database_url.is_empty() {
            kith_db::Config::sqlite(self.database_file())
        } else {
            let pool_size = self.database_pool.get();
            kith_db::Config::Postgres { url: self.database_url.clone(), pool_size }
        }
    }

    /// Checks whether the SQLite database does not exist yet; false if that cannot be determined, and for PostgreSQL.
    #[must_use]
    pub fn is_new(&self) -> bool {
        self.database_url.is_empty() && matches!(self.database_file().try_exists(), Ok(false))
    }

    /// Returns the path of the SQLite database.
    #[must_use]
    pub fn database_file(&self) -> PathBuf {
        self.data.join("kith.db")
    }

    /// Returns the path of the secret key.
    #[must_use]
    pub fn key_file(&self) -> PathBuf {
        self.data.join("secret.key")
    }
}

/// Checks whether the host of a URL is localhost or a loopback IP address.
#[must_use]
pub fn is_loopback(host: &str) -> bool {
    let ip = host.trim_start_matches('[').trim_end_matches(']');
    let ip = ip.parse::<IpAddr>();
    host == "localhost" || host.ends_with(".localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}

/// Parses a public URL: http or https, a host and optional port, and nothing else. Errors have no full stop.
pub fn parse_public_url(text: &str) -> Result<Url, String> {
    let url = Url::parse(text)
        .map_err(|error| format!("it must be a URL such as https://kith.example ({error})"))?;
    if !matches!(url.scheme(), "http" | "https")
        || url.host().is_none()
        || url.path() != "/"
        || url.query().is_some()
    {
        return Err("it must be http:// or https://, a host, and nothing after it".into());
    }
    Ok(url)
}

/// Validates the storage URL. The error does not repeat the URL, which can contain a secret.
pub fn check_storage(url: &str) -> Result<(), String> {
    kith_storage::Storage::check(url).map_err(|error| format!("KITH_STORAGE_URL: {error}."))
}
