//! A whole server in the test's process: its own database, clock and outbox.

mod browser;
pub(crate) mod engine;
mod mail;
mod nodes;
pub(crate) mod push_service;

pub(crate) use browser::{Browser, TestResponse, id_of};
pub(crate) use engine::{bucket_url, empty_postgres_url, postgres_url};
pub(crate) use mail::{api_path_of, link_in};

use kith::features::members::{Role, SanctionKind};
use kith::features::moderation::{Actor, NoticeText, RemovePost, Sanction, Target};
use kith::features::{events, mailer};
use kith::http::error::ApiError;
use kith::ops::first_run;
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::{DatabaseArgs, Hsts, LinkBinding, Proxies, Settings, Toggle};
use kith::platform::ids::Id;
use kith::platform::mail::Transport;
use kith::platform::supervisor::ShutdownSignal;
use kith::state::AppState;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::watch;

/// Runs each test twice: on SQLite with images in files, and on PostgreSQL with images in S3. Tests
/// that need other options begin with `with |options| …;`.
macro_rules! on_both_engines {
    (with $change:expr; $($(#[doc = $doc:literal])* async fn $name:ident($server:ident) $body:block)*) => {$(
        $(#[doc = $doc])*
        async fn $name($server: crate::harness::Server) $body

        mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                super::$name(crate::harness::Server::with($change).await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                super::$name(crate::harness::Server::postgres_with($change).await).await;
            }
        }
    )*};
    ($($tests:tt)*) => {
        crate::harness::on_both_engines! { with |_| (); $($tests)* }
    };
}
pub(crate) use on_both_engines;

/// 2026-11-21T09:30:00Z: the manual clock of every test starts here.
pub(crate) const START: Millis = 1_795_253_400_000;

/// A running server without a network listener.
pub(crate) struct Server {
    /// Gives white-box access to state that no endpoint exposes.
    pub(crate) state: AppState,
    router: axum::Router,
    founder_link: String,
    founder_code: String,
    pub(crate) data: TempDir,
}

/// Settings that a test can change.
pub(crate) struct Options {
    pub(crate) database_url: String,
    /// Image storage URL; empty stores images as files.
    pub(crate) storage_url: String,
    pub(crate) public_url: &'static str,
    pub(crate) binding: Option<LinkBinding>,
    pub(crate) limits: Toggle,
    pub(crate) events: Toggle,
    /// Further push services in the syntax of `KITH_PUSH_HOSTS`.
    pub(crate) push_hosts: String,
    /// Rate-limit overrides in the syntax of `KITH_LIMITS`.
    pub(crate) rate_limit_overrides: &'static str,
    /// SMTP server URL; empty writes mail to the outbox folder.
    pub(crate) smtp_url: String,
    pub(crate) network_name: String,
    pub(crate) network_contact: String,
    /// Maximum number of requests in flight.
    pub(crate) in_flight: Option<NonZeroUsize>,
    /// Trusted proxies; a test's own requests come from 127.0.0.1.
    pub(crate) proxies: &'static [IpAddr],
    pub(crate) hsts: Hsts,
}

impl Options {
    pub(crate) fn on(database_url: String) -> Self {
        Self {
            database_url,
            storage_url: String::new(),
            public_url: "http://localhost:8080",
            binding: None,
            limits: Toggle::Off,
            events: Toggle::On,
            push_hosts: push_service::origin(),
            rate_limit_overrides: "",
            smtp_url: String::new(),
            network_name: String::new(),
            network_contact: String::new(),
            // Race tests send hundreds of concurrent requests.
            in_flight: NonZeroUsize::new(256),
            proxies: &[],
            hsts: Hsts::On,
        }
    }
}

impl Server {
    pub(crate) async fn sqlite() -> Self {
        Self::start(Options::on(String::new())).await
    }

    pub(crate) async fn postgres() -> Self {
        Self::postgres_with(|_| ()).await
    }

    /// Starts a server on PostgreSQL and S3 with changed options.
    pub(crate) async fn postgres_with(change: fn(&mut Options)) -> Self {
        let mut options =
            Options { storage_url: bucket_url(), ..Options::on(postgres_url().await) };
        change(&mut options);
        Self::start(options).await
    }

    /// Starts a server on SQLite with changed options.
    pub(crate) async fn with(change: fn(&mut Options)) -> Self {
        let mut options = Options::on(String::new());
        change(&mut options);
        Self::start(options).await
    }

    pub(crate) async fn start(options: Options) -> Self {
        let data = tempfile::tempdir().unwrap();
        if options.database_url.is_empty() {
            engine::create_sqlite(&data.path().join("kith.db")).await;
        }
        Self::open(data, options).await
    }

    /// Starts a server on a data folder, which may contain a network. Without a founder its link and code are empty.
    pub(crate) async fn open(data: TempDir, options: Options) -> Self {
        let store = DatabaseArgs::new(data.path(), options.database_url);
        let settings = Settings {
            storage_url: options.storage_url,
            public_url: options.public_url.parse().unwrap(),
            network_name: options.network_name,
            network_contact: options.network_contact,
            link_binding: options.binding,
            rate_limits: options.limits,
            events: options.events,
            push_hosts: options.push_hosts.parse().unwrap(),
            limits: options.rate_limit_overrides.parse().unwrap(),
            smtp_url: options.smtp_url,
            in_flight: options.in_flight,
            hsts: options.hsts,
            trusted_proxies: Proxies::from(options.proxies),
            image_worker: env!("CARGO_BIN_EXE_kith").into(),
            ..Settings::for_command(store)
        };
        let transport = Transport::new(&settings).unwrap();
        let state = AppState::open(settings, Clock::manual(START), 0).await.unwrap();
        let welcome = first_run::seed_founder(&state).await.unwrap();
        let (founder_link, founder_code) =
            welcome.map_or_else(Default::default, |welcome| (welcome.link, welcome.code.unwrap()));
        let shutdown = ShutdownSignal::new(watch::channel(false).1);
        let network_settings = Arc::clone(&state.network_settings);
        tokio::spawn(mailer::run_worker(network_settings, transport, shutdown));
        tokio::spawn(events::run_dispatcher(Arc::clone(&state.events)));
        let router = nodes::router(&state).await;
        Self { state, router, founder_link, founder_code, data }
    }

    /// Starts another node on the same PostgreSQL database, with the same secret key.
    pub(crate) async fn start_second_node(&self) -> Self {
        let (state, data) = nodes::open(&self.state).await;
        tokio::spawn(events::run_dispatcher(Arc::clone(&state.events)));
        Self {
            router: kith::router::router(state.clone()),
            state,
            founder_link: self.founder_link.clone(),
            founder_code: self.founder_code.clone(),
            data,
        }
    }

    /// Moves a browser to this node, as a load balancer would.
    pub(crate) fn adopt(&self, browser: &Browser) -> Browser {
        browser.tab_at(self.router.clone())
    }

    /// Advances the manual clock by `time`.
    pub(crate) fn advance_clock(&self, time: Millis) {
        self.state.clock.advance(time);
    }

    /// Opens a browser without cookies.
    pub(crate) fn visitor(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    /// Logs the founder in by the first-start link, or by an operator link once that is used or
    /// expired.
    pub(crate) async fn founder(&self) -> Browser {
        let browser = self.visitor();
        if browser.get(&self.founder_path()).await.status == 410 {
            let printed =
                kith::features::auth::create_operator_login_url(&self.state, "founder").await;
            browser.get(&api_path_of(&printed.unwrap())).await.expect(200);
        }
        browser
    }

    /// Returns the API path behind the printed founder link.
    pub(crate) fn founder_path(&self) -> String {
        api_path_of(&self.founder_link)
    }

    /// Returns the invite code printed at the first start.
    pub(crate) fn founder_code(&self) -> String {
        self.founder_code.clone()
    }

    /// Issues an invite code that belongs to no member.
    pub(crate) async fn operator_code(&self) -> String {
        let code = kith::platform::crypto::random_code(12);
        let issue = kith::features::moderation::IssueCodes {
            codes: vec![code.clone()],
            lifetime: kith::features::invites::LIFETIME,
            uses: 1,
            now: self.state.now(),
        };
        self.state.db.write(issue).await.unwrap();
        code
    }

    /// Signs up a new member who follows no other member.
    pub(crate) async fn member(&self, name: &str) -> Browser {
        let code = self.operator_code().await;
        self.member_with(name, &code).await
    }

    /// Signs up a member and gives them a role.
    pub(crate) async fn with_role(&self, name: &str, role: Role) -> Browser {
        let browser = self.member(name).await;
        self.apply_sanction(&browser.name().await, SanctionKind::Role(role)).await.unwrap();
        browser
    }

    /// Signs up a new admin.
    pub(crate) async fn admin(&self, name: &str) -> Browser {
        self.with_role(name, Role::Admin).await
    }

    /// Applies a member action as the operator's command does.
    pub(crate) async fn apply_sanction(
        &self,
        username: &str,
        action: SanctionKind,
    ) -> Result<(), ApiError> {
        let sanction = Sanction {
            actor: Actor::Operator,
            target: Target::Name(username.to_owned()),
            kind: action,
            note: String::new(),
            notice_text: NoticeText::default(),
            notice: self.state.id(),
            until: None,
            now: self.state.now(),
        };
        self.state.db.write(sanction).await
    }

    /// Removes a post in the operator's name.
    pub(crate) async fn remove_post(&self, post: &str) {
        let removal = RemovePost {
            actor: Actor::Operator,
            post: Id::parse(post),
            note: String::new(),
            notice_text: NoticeText::default(),
            closed: self.state.id(),
            now: self.state.now(),
        };
        self.state.db.write(removal).await.unwrap();
        self.state.mail.notify_one();
    }

    /// Signs up a new member with a given invite code.
    pub(crate) async fn member_with(&self, name: &str, code: &str) -> Browser {
        let browser = self.visitor();
        let link = self.request_sign_up_link(&browser, name, code).await;
        browser.get(&link).await.expect(200);
        browser
    }

    /// Logs an existing member in with a new browser: sessions expire when a test advances the
    /// clock far.
    pub(crate) async fn log_in(&self, name: &str) -> Browser {
        let browser = self.visitor();
        let link = self.request_login_link(&browser, name).await;
        browser.get(&link).await.expect(200);
        browser
    }

    /// Logs a member in with another browser and `User-Agent`, by an operator link, which needs
    /// neither mail nor waiting.
    pub(crate) async fn log_in_again(&self, member: &Browser, user_agent: &str) -> Browser {
        let name = member.name().await;
        let link =
            kith::features::auth::create_operator_login_url(&self.state, &name).await.unwrap();
        let browser = self.visitor();
        let headers = [("user-agent", user_agent)];
        let response = browser.request("GET", &api_path_of(&link), &headers, "").await;
        response.expect(200);
        browser
    }

    /// Reads one number from the database that no endpoint exposes.
    pub(crate) async fn count(&self, sql: &kith_db::Sql, params: &[kith_db::Param<'_>]) -> i64 {
        self.state.db.one(sql, params, |row| row.int(0)).await.unwrap()
    }

    /// Waits up to five seconds until a query returns `n`.
    pub(crate) async fn wait_for_count(
        &self,
        sql: &kith_db::Sql,
        params: &[kith_db::Param<'_>],
        n: i64,
    ) {
        for _ in 0..500 {
            if self.count(sql, params).await == n {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the count does not reach {n}: {}", sql.postgres);
    }
}
