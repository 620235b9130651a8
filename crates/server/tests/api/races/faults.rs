//! Sign-ups that fail at any statement.

use crate::harness::{Server, on_both_engines};
use kith_db::{Sql, Tx, Write, sql};

const MEMBERS: Sql = sql!("select count(*) from members");
const EMAILS: Sql = sql!("select count(*) from emails");
const SESSIONS: Sql = sql!("select count(*) from sessions");
const UNUSED_INVITES: Sql = sql!("select count(*) from invites where claimed_by is null");

/// Tables that a sign-up may write.
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

/// Installs or removes a trigger that fails a kind of change of a table.
struct SetFault {
    table: &'static str,
    change: &'static str,
    is_on: bool,
}

impl Write for SetFault {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        let Self { table, change, is_on } = self;
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
            ["drop trigger fault".to_owned(), format!("drop trigger fault on {table}")]
        };
        // Statements are `'static`, so the text is leaked until the test process ends.
        let [sqlite, postgres] = texts.map(|text| &*text.leak());
        tx.exec(&Sql { sqlite, postgres }, &[]).await.map(drop)
    }
}

/// Creates the PostgreSQL function that the trigger executes.
struct CreateFunction;

impl Write for CreateFunction {
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
    /// When a change of any table fails within a sign-up, no member is created, and the same link
    /// and code work afterwards.
    /// proves: join-claim
    async fn a_failed_sign_up_uses_up_nothing(server) {
        if server.state.db.engine() == kith_db::Engine::Postgres {
            server.state.db.write(CreateFunction).await.unwrap();
        }
        let mut failed = Vec::new();
        for (n, table) in TABLES.into_iter().enumerate() {
            for change in ["insert", "update"] {
                let name = format!("n{n}{change}");
                let inviter = server.member(&format!("by{name}")).await;
                let invite = inviter.post_empty("/api/invites").await.expect(201);
                let browser = server.visitor();
                let code = invite["code"].as_str().unwrap();
                let link = server.request_sign_up_link(&browser, &name, code).await;
                server.wait_for_mail_queue().await;
                let before = counts(&server).await;
                server.state.db.write(SetFault { table, change, is_on: true }).await.unwrap();
                let response = browser.get(&link).await;
                server.state.db.write(SetFault { table, change, is_on: false }).await.unwrap();
                if response.status.is_success() {
                    continue;
                }
                assert!(response.status.is_server_error(), "{table} {change}: {}", response.status);
                assert_eq!(counts(&server).await, before, "{table} {change}");
                browser.get(&link).await.expect(200);
                failed.push(format!("{table} {change}"));
            }
        }
        println!("{} steps of a sign-up failed, and none used up a code: {failed:?}", failed.len());
        for step in ["members insert", "emails insert", "sessions insert", "login_links update", "invites update"] {
            assert!(failed.iter().any(|one| one == step), "{step} is no step: {failed:?}");
        }
    }
}

async fn counts(server: &Server) -> [i64; 4] {
    [
        server.count(&MEMBERS, &[]).await,
        server.count(&EMAILS, &[]).await,
        server.count(&SESSIONS, &[]).await,
        server.count(&UNUSED_INVITES, &[]).await,
    ]
}
