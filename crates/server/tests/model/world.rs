//! A server with the real router over a copied database, and a browser for every member.

use crate::calendar::{MINUTE, Millis};
use crate::harness::engine::{copy_of_postgres, run_on_postgres};
use crate::harness::{Browser, START, postgres_url};
use crate::model::{Invite, Member, Model};
use kith::ops::first_run;
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings, Toggle};
use kith::state::AppState;
use kith_db::{Engine, Sql, params, sql};
use serde_json::Value;
use tempfile::TempDir;

const NEWEST_LINK: Sql =
    sql!("select id from login_links where email = $1 order by id desc limit 1");

/// A response.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// URL of the next page.
    pub(crate) next: Option<String>,
}

/// Changes a response before it is compared, to test the comparison.
pub(crate) type Tamper = fn(path: &str, reply: &mut Reply);

/// A server, its members' browsers, and the model.
pub(crate) struct World {
    pub(crate) app: AppState,
    router: axum::Router,
    pub(crate) model: Model,
    pub(crate) browsers: Vec<Browser>,
    /// URL of each of the model's links, and the browser that requested it.
    pub(crate) links: Vec<(String, Browser)>,
    /// Log of performed actions, for the report of a failure.
    pub(crate) log: Vec<String>,
    tamper: Option<Tamper>,
    data: TempDir,
}

/// A database that runs copy at their start, with the model of its content.
pub(crate) struct Template {
    data: TempDir,
    database_url: String,
    model: Model,
    cookies: Vec<String>,
}

/// A folder in memory if available, because the speed of flushes does not matter.
fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
    tempfile::tempdir_in(place).unwrap()
}

async fn open(data: &TempDir, database_url: String, now: Millis) -> AppState {
    let store = DatabaseArgs::new(data.path(), database_url);
    let settings = Settings { rate_limits: Toggle::Off, ..Settings::for_command(store) };
    AppState::open(settings, Clock::manual(now), 0).await.unwrap()
}

impl World {
    /// Creates a network with its founder only.
    pub(crate) async fn found(engine: Engine) -> Self {
        let data = folder();
        let database_url = match engine {
            Engine::Sqlite => String::new(),
            Engine::Postgres => postgres_url().await,
        };
        let app = open(&data, database_url, START).await;
        let welcome = first_run::seed_founder(&app).await.unwrap().unwrap();
        let model = Model { now: START, ..Model::default() };
        let mut world = Self::with(app, data, model, None);
        let founder = world.visitor();
        let (_, query) = welcome.link.split_once('?').unwrap();
        founder.get(&format!("/api/auth/verify?{query}")).await.expect(200);
        world.model.members.push(Member {
            id: founder.id().await,
            names: vec!["founder".to_owned()],
            has_chosen: false,
            display_name: "Founder".to_owned(),
            email: None,
            invited_by: None,
            joined: START,
            session: (START, START),
        });
        let invites = founder.get("/api/invites").await.expect(200);
        world.model.invites.push(Invite {
            id: invites[0]["id"].as_str().unwrap().to_owned(),
            code: welcome.code.unwrap(),
            by: Some(0),
            made: START,
            used: None,
            is_revoked: false,
        });
        world.browsers.push(founder);
        world
    }

    fn with(app: AppState, data: TempDir, model: Model, tamper: Option<Tamper>) -> Self {
        Self {
            router: kith::router::router(app.clone()),
            app,
            model,
            browsers: Vec::new(),
            links: Vec::new(),
            log: Vec::new(),
            tamper,
            data,
        }
    }

    /// Copies a template and advances the clock by a minute, so that ids are unique.
    pub(crate) async fn copy(template: &Template, tamper: Option<Tamper>) -> Self {
        let data = folder();
        for file in ["secret.key", "kith.db"] {
            let (from, to) = (template.data.path().join(file), data.path().join(file));
            if from.exists() {
                std::fs::copy(from, to).unwrap();
            }
        }
        let database_url = if template.database_url.is_empty() {
            String::new()
        } else {
            copy_of_postgres(&template.database_url).await
        };
        let mut model = template.model.clone();
        model.now += MINUTE;
        let app = open(&data, database_url, model.now).await;
        let mut world = Self::with(app, data, model, tamper);
        for cookie in &template.cookies {
            let browser = world.visitor();
            browser.set_cookie("session", cookie);
            world.browsers.push(browser);
        }
        world
    }

    /// Stops the server and keeps its data as a template.
    pub(crate) async fn into_template(self) -> Template {
        self.app.db.close().await;
        let model = Model { links: Vec::new(), ..self.model };
        Template {
            database_url: self.app.settings.store.database_url.clone(),
            cookies: self
                .browsers
                .iter()
                .map(|browser| browser.cookie("session").unwrap())
                .collect(),
            data: self.data,
            model,
        }
    }

    /// Stops the server and deletes its data.
    pub(crate) async fn end(self) {
        self.app.db.close().await;
        let url = &self.app.settings.store.database_url;
        if let Some((_, database)) = url.rsplit_once('/') {
            run_on_postgres(&format!("drop database {database} with (force)")).await;
        }
    }

    /// A browser without cookies.
    pub(crate) fn visitor(&self) -> Browser {
        Browser::new(self.router.clone())
    }

    /// Advances the server's and the model's clock.
    pub(crate) fn pass(&mut self, time: Millis) {
        self.app.clock.advance(time);
        self.model.now += time;
    }

    /// Sends a GET request of a member.
    pub(crate) async fn get(&mut self, who: usize, path: &str) -> Result<Reply, String> {
        self.call(who, "GET", path, None, None).await
    }

    /// Sends a request of a logged-in member.
    pub(crate) async fn call(
        &mut self,
        who: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Reply, String> {
        self.model.touch_session(who);
        self.send(&self.browsers[who], method, path, body, key).await
    }

    /// Sends a request of any browser.
    pub(crate) async fn send(
        &self,
        browser: &Browser,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Reply, String> {
        let mut headers = Vec::new();
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        headers.extend(key.map(|key| ("idempotency-key", key)));
        let bytes = body.map(Value::to_string).unwrap_or_default();
        let answer = browser.request(method, path, &headers, bytes).await;
        let body = match answer.bytes.as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).map_err(|error| format!("{path}: {error}"))?,
        };
        let link = answer.header("link").strip_suffix(">; rel=\"next\"");
        let next = link.and_then(|link| link.strip_prefix('<')).map(str::to_owned);
        let mut reply = Reply { status: answer.status.as_u16(), body, next };
        if let Some(tamper) = self.tamper {
            tamper(path, &mut reply);
        }
        Ok(reply)
    }

    /// The API path of the newest link for an email, as in the mail.
    pub(crate) async fn newest_link(&self, email: &str) -> String {
        let read = |row: &kith_db::Row<'_>| Ok(kith::platform::ids::Id(row.int(0)?));
        let id = self.app.db.one(&NEWEST_LINK, params![email], read).await.unwrap();
        format!("/api/auth/verify?token={}", kith::features::auth::login_token(&self.app.key, id))
    }

    /// Replaces the server's ids in a text by readable names.
    pub(crate) fn named(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (number, post) in
            self.model.posts.iter().enumerate().filter(|(_, post)| !post.id.is_empty())
        {
            text = text.replace(&post.id, &format!("post-{number}"));
        }
        for (number, member) in self.model.members.iter().enumerate() {
            text = text.replace(&member.id, &format!("member-{number}"));
        }
        text
    }
}
