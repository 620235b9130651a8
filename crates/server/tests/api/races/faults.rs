//! A sign-up that fails half way, wherever that is.

use crate::harness::{Server, on_both_engines};
use kith_db::{Sql, Tx, Write, sql};

const MEMBERS: Sql = sql!("select count(*) from members");
const ADDRESSES: Sql = sql!("select count(*) from emails");
const SESSIONS: Sql = sql!("select count(*) from sessions");
const OPEN: Sql = sql!("select count(*) from invites where claimed_by is null");

/// The tables that somebody's joining could write.
const TABLES: [&str; 14] = [
    "members",
    "emails",
    "usernames",
    "search_terms",
    "sessions",
    "login_links",
    "invites",
    "member_invites",
    "follows",
    "followers",
    "notifications",
    "waitlist",
    "vouches",
    "jobs",
];

/// Makes a kind of change of a table fail, or makes it work again.
struct Fault {
    table: &'static str,
    change: &'static str,
    is_on: bool,
}

impl Write for Fault {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let Self {
            table,
            change,
            is_on,
        } = self;
        let texts = if *is_on {
            [
                format!(
                    "create trigger fault before {change} on {table}
                     begin select raise(abort, 'injected'); end"
                ),
                format!(
                    "create trigger fault before {change} on {table}
                     for each statement execute function fault()"
                ),
            ]
        } else {
            [
                "drop trigger fault".to_owned(),
                format!("drop trigger fault on {table}"),
            ]
        };
        // As long as the test's process: statements are constants.
        let [sqlite, postgres] = texts.map(|text| &*text.leak());
        tx.exec(&Sql { sqlite, postgres }, &[]).await.map(drop)
    }
}

/// What PostgreSQL calls instead of a change.
struct Function;

impl Write for Function {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        const MAKE: Sql = Sql {
            sqlite: "select 1",
            postgres: "create function fault() returns trigger language plpgsql
                       as $$ begin raise exception 'injected'; end $$",
        };
        tx.exec(&MAKE, &[]).await.map(drop)
    }
}

on_both_engines! {
    /// A change of whatever table fails inside a sign-up: nobody was made, and the same link and
    /// code let them in a moment later.
    /// proves: join-claim
    async fn a_sign_up_that_fails_anywhere_burns_nothing(server) {
        if server.app.db.engine() == kith_db::Engine::Postgres {
            server.app.db.write(Function).await.unwrap();
        }
        let mut failed = Vec::new();
        for (n, table) in TABLES.into_iter().enumerate() {
            for change in ["insert", "update"] {
                let name = format!("n{n}{change}");
                let inviter = server.member(&format!("by{name}")).await;
                let invite = inviter.poke("/api/invites").await.expect(201);
                let browser = server.visitor();
                let code = invite["code"].as_str().unwrap();
                let link = server.ask_to_join(&browser, &name, code).await;
                server.mail_settles().await;
                let before = counts(&server).await;
                server.app.db.write(Fault { table, change, is_on: true }).await.unwrap();
                let answer = browser.get(&link).await;
                server.app.db.write(Fault { table, change, is_on: false }).await.unwrap();
                if answer.status.is_success() {
                    continue;
                }
                assert!(answer.status.is_server_error(), "{table} {change}: {}", answer.status);
                assert_eq!(counts(&server).await, before, "{table} {change}");
                browser.get(&link).await.expect(200);
                failed.push(format!("{table} {change}"));
            }
        }
        println!("{} steps of a sign-up failed, and none burned a code: {failed:?}", failed.len());
        for step in ["members insert", "emails insert", "sessions insert", "login_links update", "invites update"] {
            assert!(failed.iter().any(|one| one == step), "{step} is no step: {failed:?}");
        }
    }
}

async fn counts(server: &Server) -> [i64; 4] {
    [
        server.count(&MEMBERS, &[]).await,
        server.count(&ADDRESSES, &[]).await,
        server.count(&SESSIONS, &[]).await,
        server.count(&OPEN, &[]).await,
    ]
}
