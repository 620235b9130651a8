//! A whole server in the test's process: its own database, clock and outbox.

mod browser;
pub(crate) mod engine;

pub(crate) use browser::{Answer, Browser, id_of};
pub(crate) use engine::{bucket_url, empty_postgres_url, postgres_url};

use axum::extract::FromRef as _;
use kith::features::mailer;
use kith::features::members::{Role, SanctionKind};
use kith::features::moderation::{Actor, Sanction, Target};
use kith::http::error::ApiError;
use kith::ops::first_run;
use kith::platform::clock::{Clock, Millis};
use kith::platform::config::{LinkBinding, Proxies, Settings, Store, Switch};
use kith::platform::mail::Transport;
use kith::platform::supervisor::Ending;
use kith::state::AppState;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::watch;

/// Runs each test once on SQLite, with images in files, and once on PostgreSQL, with images at S3. Tests
/// that need other options than most begin with `with |options| …;`.
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

/// 2026-11-21T09:30:00Z: tests start here and move on only when told to.
pub(crate) const START: Millis = 1_795_253_400_000;

/// A running server without a network.
pub(crate) struct Server {
    /// White-box access, for what no call shows.
    pub(crate) app: AppState,
    router: axum::Router,
    founder_link: String,
    founder_code: String,
    pub(crate) data: TempDir,
}

/// What a test may choose.
pub(crate) struct Options {
    pub(crate) database_url: String,
    /// Where images are: empty for files.
    pub(crate) storage_url: String,
    pub(crate) public_url: &'static str,
    pub(crate) binding: Option<LinkBinding>,
    pub(crate) limits: Switch,
    /// Overrides of the rate limits, as in `KITH_LIMITS`.
    pub(crate) allowances: &'static str,
    /// The mail server: empty for the outbox folder.
    pub(crate) smtp_url: String,
    /// How many calls are worked on at once.
    pub(crate) in_flight: Option<NonZeroUsize>,
    /// Proxies that are believed; a test's own calls come from 127.0.0.1.
    pub(crate) proxies: &'static [IpAddr],
}

impl Options {
    pub(crate) fn on(database_url: String) -> Self {
        Self {
            database_url,
            storage_url: String::new(),
            public_url: "http://localhost:8080",
            binding: None,
            limits: Switch::Off,
            allowances: "",
            smtp_url: String::new(),
            // Races send hundreds of calls at once.
            in_flight: NonZeroUsize::new(256),
            proxies: &[],
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

    /// A server on PostgreSQL and S3 with other settings than most tests need.
    pub(crate) async fn postgres_with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options {
            storage_url: bucket_url(),
            ..Options::on(postgres_url().await)
        };
        change(&mut options);
        Self::start(options).await
    }

    /// A server on SQLite with other settings than most tests need.
    pub(crate) async fn with(change: impl FnOnce(&mut Options)) -> Self {
        let mut options = Options::on(String::new());
        change(&mut options);
        Self::start(options).await
    }

    pub(crate) async fn start(options: Options) -> Self {
        let data = tempfile::tempdir().unwrap();
        let store = Store {
            data: data.path().to_path_buf(),
            database_url: options.database_url,
        };
        let settings = Settings {
            storage_url: options.storage_url,
            public_url: options.public_url.parse().unwrap(),
            link_binding: options.binding,
            rate_limits: options.limits,
            limits: options.allowances.parse().unwrap(),
            smtp_url: options.smtp_url,
            in_flight: options.in_flight,
            trusted_proxies: Proxies(options.proxies.to_vec()),
            image_worker: env!("CARGO_BIN_EXE_kith").into(),
            ..Settings::for_command(store)
        };
        let transport = Transport::new(&settings).unwrap();
        let app = AppState::open(settings, Clock::manual(START), 0)
            .await
            .unwrap();
        let welcome = first_run::seed_founder(&app).await.unwrap().unwrap();
        let never = Ending::on(watch::channel(false).1);
        let platform = kith::platform::Platform::from_ref(&app);
        tokio::spawn(mailer::run(platform, transport, never));
        Self {
            router: kith::router::router(app.clone()),
            app,
            founder_link: welcome.link,
            founder_code: welcome.code.unwrap(),
            data,
        }
    }

    /// Another node of the same network, on the same PostgreSQL database.
    pub(crate) async fn beside(&self) -> Self {
        let data = tempfile::tempdir().unwrap();
        let key = "secret.key";
        std::fs::copy(self.data.path().join(key), data.path().join(key)).unwrap();
        let mut settings = self.app.settings.clone();
        settings.store.data = data.path().to_path_buf();
        let app = AppState::open(settings, self.app.clock.clone(), 0)
            .await
            .unwrap();
        Self {
            router: kith::router::router(app.clone()),
            app,
            founder_link: self.founder_link.clone(),
            founder_code: self.founder_code.clone(),
            data,
        }
    }

    /// The same browser, which the proxy now sends here.
    pub(crate) fn takes(&self, browser: &Browser) -> Browser {
        browser.tab_at(self.router.clone())
    }

    /// Moves the clock.
    pub(crate) fn pass(&self, time: Millis) {
        self.app.clock.advance(time);
    }

    /// A browser without cookies.
    pub(crate) fn visitor(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    /// The founder, logged in by the address of the first start, or of an operator once that is used or old.
    pub(crate) async fn founder(&self) -> Browser {
        let browser = self.visitor();
        if browser.get(&self.founder_call()).await.status == 410 {
            let printed =
                kith::features::auth::create_operator_login_url(&self.app, "founder").await;
            browser.get(&api_of(&printed.unwrap())).await.expect(200);
        }
        browser
    }

    /// The call behind the printed address.
    pub(crate) fn founder_call(&self) -> String {
        api_of(&self.founder_link)
    }

    /// The printed code for the first friend.
    pub(crate) fn founder_code(&self) -> String {
        self.founder_code.clone()
    }

    /// A code that belongs to nobody.
    pub(crate) async fn operator_code(&self) -> String {
        let code = kith::platform::crypto::random_code(12);
        let issue = kith::features::moderation::IssueCodes {
            codes: vec![code.clone()],
            now: self.app.now(),
        };
        self.app.db.write(issue).await.unwrap();
        code
    }

    /// A new member who follows nobody, signed up the way everybody is.
    pub(crate) async fn member(&self, name: &str) -> Browser {
        let code = self.operator_code().await;
        self.member_with(name, &code).await
    }

    /// A new member with a role, and every right that comes with it.
    pub(crate) async fn with_role(&self, name: &str, role: Role) -> Browser {
        let browser = self.member(name).await;
        self.operate(&browser.name().await, SanctionKind::Role(role))
            .await
            .unwrap();
        browser
    }

    /// A new member who may do everything.
    pub(crate) async fn admin(&self, name: &str) -> Browser {
        self.with_role(name, Role::Admin).await
    }

    /// What the operator does to a member by a command.
    pub(crate) async fn operate(&self, username: &str, deed: SanctionKind) -> Result<(), ApiError> {
        let sanction = Sanction {
            actor: Actor::Operator,
            target: Target::Name(username.to_owned()),
            kind: deed,
            note: String::new(),
            now: self.app.now(),
        };
        self.app.db.write(sanction).await
    }

    /// A new member with a given code.
    pub(crate) async fn member_with(&self, name: &str, code: &str) -> Browser {
        let browser = self.visitor();
        let link = self.ask_to_join(&browser, name, code).await;
        browser.get(&link).await.expect(200);
        browser
    }

    /// Asks for a login link and answers the call that the mailed page would make.
    pub(crate) async fn ask_to_log_in(&self, browser: &Browser, name: &str) -> String {
        let email = format!("{name}@example.org");
        browser
            .post(
                "/api/auth/request-login-link",
                serde_json::json!({"email": email}),
            )
            .await
            .expect(200);
        self.mailed_link(&email).await
    }

    /// A member who joined before, in a new browser: sessions end when a test moves the clock far.
    pub(crate) async fn log_in(&self, name: &str) -> Browser {
        let browser = self.visitor();
        let link = self.ask_to_log_in(&browser, name).await;
        browser.get(&link).await.expect(200);
        browser
    }

    /// The same member in another browser, which names itself so. An operator's address lets
    /// them in: it needs neither mail nor time.
    pub(crate) async fn log_in_again(&self, member: &Browser, user_agent: &str) -> Browser {
        let name = member.name().await;
        let link = kith::features::auth::create_operator_login_url(&self.app, &name)
            .await
            .unwrap();
        let browser = self.visitor();
        let headers = [("user-agent", user_agent)];
        let answer = browser.call("GET", &api_of(&link), &headers, "").await;
        answer.expect(200);
        browser
    }

    /// One number from the database, for what no call shows.
    pub(crate) async fn count(&self, sql: &kith_db::Sql, params: &[kith_db::Param<'_>]) -> i64 {
        self.app
            .db
            .one(sql, params, |row| row.int(0))
            .await
            .unwrap()
    }

    /// Asks for a sign-up link and answers the call that the mailed page would make.
    pub(crate) async fn ask_to_join(&self, browser: &Browser, name: &str, code: &str) -> String {
        let email = format!("{name}@example.org");
        let body = serde_json::json!({"email": email, "inviteCode": code});
        browser
            .post("/api/auth/request-magic-link", body)
            .await
            .expect(200);
        self.mailed_link(&email).await
    }

    /// The call behind the newest link mailed to an address; waits for the mail.
    pub(crate) async fn mailed_link(&self, email: &str) -> String {
        link_in(&self.mail_to(email).await)
    }

    /// The newest mail to an address, decoded; waits up to five seconds for it.
    pub(crate) async fn mail_to(&self, email: &str) -> String {
        for _ in 0..500 {
            if let Some((path, text)) = self
                .mails()
                .into_iter()
                .find(|(_, text)| text.contains(&format!("To: {email}")))
            {
                std::fs::remove_file(path).unwrap();
                return text;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("no mail to {email}");
    }

    /// Every mail that waits in the outbox folder.
    pub(crate) fn mails(&self) -> Vec<(PathBuf, String)> {
        let folder = std::fs::read_dir(self.data.path().join("outbox")).unwrap();
        let paths = folder
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|end| end == "eml"));
        paths
            .map(|path| {
                let text = decode(&std::fs::read_to_string(&path).unwrap());
                (path, text)
            })
            .collect()
    }

    /// Waits until the worker has dealt with every mail that was asked for.
    pub(crate) async fn mail_settles(&self) {
        const WAITING: kith_db::Sql = kith_db::sql!("select count(*) from jobs");
        self.comes_to(&WAITING, &[], 0).await;
    }

    /// Waits up to five seconds until a number in the database is this one.
    pub(crate) async fn comes_to(&self, sql: &kith_db::Sql, params: &[kith_db::Param<'_>], n: i64) {
        for _ in 0..500 {
            if self.count(sql, params).await == n {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("it does not come to {n}: {}", sql.postgres);
    }
}

/// The call behind the link in a mail.
pub(crate) fn link_in(mail: &str) -> String {
    let mut lines = mail.lines();
    let line = lines.find(|line| line.contains("/auth/verify?")).unwrap();
    api_of(line.trim())
}

/// The call that the verification page makes for a link.
pub(crate) fn api_of(link: &str) -> String {
    let (_, query) = link.split_once('?').unwrap();
    format!("/api/auth/verify?{query}")
}

/// Undoes quoted-printable, as far as these mails use it.
fn decode(mail: &str) -> String {
    mail.replace("=\r\n", "")
        .replace("=3D", "=")
        .replace("\r\n", "\n")
}
