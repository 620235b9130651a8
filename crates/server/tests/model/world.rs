//! A server to play on: the real router over a database of its own, copied from a template, and a
//! browser for every member.

use crate::calendar::{MINUTE, Millis};
use crate::harness::engine::{copy_of_postgres, run_on_postgres};
use crate::harness::{Browser, START, postgres_url};
use crate::model::{Invite, Member, Model};
use kith::ops::first_run;
use kith::platform::clock::Clock;
use kith::platform::config::{Settings, Store, Switch};
use kith::state::AppState;
use kith_db::{Engine, Sql, params, sql};
use serde_json::Value;
use tempfile::TempDir;

const NEWEST_LINK: Sql =
    sql!("select id from login_links where email = $1 order by id desc limit 1");

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) body: Value,
    /// The address of the next page.
    pub(crate) next: Option<String>,
}

/// Changes an answer before it is looked at, to prove that somebody looks.
pub(crate) type Tamper = fn(path: &str, reply: &mut Reply);

/// A server, its members' browsers, and what the model thinks of it all.
pub(crate) struct World {
    pub(crate) app: AppState,
    router: axum::Router,
    pub(crate) model: Model,
    pub(crate) browsers: Vec<Browser>,
    /// Where each of the model's links leads, and the browser that asked for it.
    pub(crate) links: Vec<(String, Browser)>,
    /// What was done, for the report of a failure.
    pub(crate) log: Vec<String>,
    tamper: Option<Tamper>,
    data: TempDir,
}

/// A database that runs start with a copy of, and what its members know.
pub(crate) struct Template {
    data: TempDir,
    database_url: String,
    model: Model,
    cookies: Vec<String>,
}

/// A folder in memory where there is one: what a flush costs is not the question here.
fn folder() -> TempDir {
    let memory = std::path::Path::new("/dev/shm");
    let place = if memory.is_dir() {
        memory.to_path_buf()
    } else {
        std::env::temp_dir()
    };
    tempfile::tempdir_in(place).unwrap()
}

async fn open(data: &TempDir, database_url: String, now: Millis) -> AppState {
    let store = Store {
        data: data.path().to_path_buf(),
        database_url,
    };
    let settings = Settings {
        rate_limits: Switch::Off,
        ..Settings::for_command(store)
    };
    AppState::open(settings, Clock::manual(now), 0)
        .await
        .unwrap()
}

impl World {
    /// A new network with nobody but its founder.
    pub(crate) async fn found(engine: Engine) -> Self {
        let data = folder();
        let database_url = match engine {
            Engine::Sqlite => String::new(),
            Engine::Postgres => postgres_url().await,
        };
        let app = open(&data, database_url, START).await;
        let welcome = first_run::seed_founder(&app).await.unwrap().unwrap();
        let model = Model {
            now: START,
            ..Model::default()
        };
        let mut world = Self::with(app, data, model, None);
        let founder = world.visitor();
        let (_, query) = welcome.link.split_once('?').unwrap();
        founder
            .get(&format!("/api/auth/verify?{query}"))
            .await
            .expect(200);
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

    /// A copy of a template, a minute later: no id is made twice.
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

    /// Stops the server and keeps its data for copies.
    pub(crate) async fn into_template(self) -> Template {
        self.app.db.close().await;
        let model = Model {
            links: Vec::new(),
            ..self.model
        };
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

    /// Stops the server and removes its data.
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

    /// Moves both clocks.
    pub(crate) fn pass(&mut self, time: Millis) {
        self.app.clock.advance(time);
        self.model.now += time;
    }

    /// Reads as a member.
    pub(crate) async fn get(&mut self, who: usize, path: &str) -> Result<Reply, String> {
        self.call(who, "GET", path, None, None).await
    }

    /// Any call by a member who is logged in.
    pub(crate) async fn call(
        &mut self,
        who: usize,
        method: &str,
        path: &str,
        body: Option<&Value>,
        key: Option<&str>,
    ) -> Result<Reply, String> {
        self.model.visits(who);
        self.send(&self.browsers[who], method, path, body, key)
            .await
    }

    /// Any call by any browser.
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
        let answer = browser.call(method, path, &headers, bytes).await;
        let body = match answer.bytes.as_slice() {
            [] => Value::Null,
            bytes => serde_json::from_slice(bytes).map_err(|error| format!("{path}: {error}"))?,
        };
        let link = answer.header("link").strip_suffix(">; rel=\"next\"");
        let next = link
            .and_then(|link| link.strip_prefix('<'))
            .map(str::to_owned);
        let mut reply = Reply {
            status: answer.status.as_u16(),
            body,
            next,
        };
        if let Some(tamper) = self.tamper {
            tamper(path, &mut reply);
        }
        Ok(reply)
    }

    /// The call behind the newest link for an address: what the mail would say.
    pub(crate) async fn newest_link(&self, email: &str) -> String {
        let read = |row: &kith_db::Row<'_>| Ok(kith::platform::ids::Id(row.int(0)?));
        let id = self
            .app
            .db
            .one(&NEWEST_LINK, params![email], read)
            .await
            .unwrap();
        format!(
            "/api/auth/verify?token={}",
            kith::features::auth::login_token(&self.app.key, id)
        )
    }

    /// A text with the server's ids replaced by names that a reader can follow.
    pub(crate) fn named(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (number, post) in self
            .model
            .posts
            .iter()
            .enumerate()
            .filter(|(_, post)| !post.id.is_empty())
        {
            text = text.replace(&post.id, &format!("post-{number}"));
        }
        for (number, member) in self.model.members.iter().enumerate() {
            text = text.replace(&member.id, &format!("member-{number}"));
        }
        text
    }
}
