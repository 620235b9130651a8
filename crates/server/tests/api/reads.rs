//! Rows that statements read in very large tables: no more than they return.

use crate::harness::Server;
use crate::statements::{forms, own_statements};
use kith_db::{Config, Db, Sql};
use rusqlite::StatementStatus;

/// An empty database on each engine, for more rows than requests could create during a test.
pub(crate) struct Both {
    _server: Server,
    sqlite: rusqlite::Connection,
    postgres: Db,
    client: tokio_postgres::Client,
}

impl Both {
    pub(crate) async fn named(name: &str) -> Self {
        let server = Server::sqlite().await;
        let sqlite = rusqlite::Connection::open(server.data.path().join("kith.db")).unwrap();
        let url = crate::harness::empty_postgres_url(name).await;
        let config = Config::postgres(&url);
        let postgres = Db::open(&config, kith::platform::migrations::MIGRATIONS).await;
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
        tokio::spawn(connection);
        Self { _server: server, sqlite, postgres: postgres.unwrap(), client }
    }

    /// Runs an insert for each `n` of a range.
    pub(crate) async fn fill(&self, from: i64, to: i64, insert: &str) {
        let text = format!(
            "with recursive numbers (n) as (select {from} union all
               select n + 1 from numbers where n < {to}) {insert} from numbers"
        );
        self.sqlite.execute_batch(&text).unwrap();
        self.client.batch_execute(&text).await.unwrap();
    }

    /// Updates PostgreSQL's planner statistics.
    pub(crate) async fn count_up(&self) {
        self.client.batch_execute("analyze").await.unwrap();
    }

    /// Runs the statement of the source with this prefix: returns SQLite's steps, and the rows that PostgreSQL
    /// reads from indexes and tables. The last value is repeated for the rest of a list.
    pub(crate) async fn reads(&self, start: &str, values: &[i64]) -> (i32, f64) {
        let mut found = own_statements();
        found.retain(|(_, text, _)| plain(text).starts_with(start));
        let [(_, text, is_list)] = &found[..] else {
            panic!("{} statements begin with {start}", found.len());
        };
        let sql = filled(&forms(text, *is_list)[0], values);
        let mut statement = self.sqlite.prepare(&sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        while rows.next().unwrap().is_some() {}
        drop(rows);
        let steps = statement.get_status(StatementStatus::VmStep);
        let explain = format!("explain (analyze, timing off, summary off, costs off) {sql}");
        let explain = Sql { sqlite: "", postgres: explain.leak() };
        let plan = self.postgres.all(&explain, &[], |row| row.text(0)).await;
        let rows = plan.unwrap().iter().map(|line| rows_of(line)).sum();
        (steps, rows)
    }
}

fn plain(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Replaces the parameters of a statement by values.
fn filled(sql: &Sql, values: &[i64]) -> String {
    (1..=9).rev().fold(sql.postgres.to_owned(), |text, n| {
        let value = values.get(n - 1).or(values.last()).unwrap();
        text.replace(&format!("${n}"), &value.to_string())
    })
}

/// Rows that a line of a plan reports as read from an index or table, including filtered ones.
fn rows_of(line: &str) -> f64 {
    let number = |name: &str| {
        let (_, rest) = line.split_once(name)?;
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'));
        rest[..end.unwrap_or(rest.len())].parse::<f64>().ok()
    };
    if let Some(removed) = number("Rows Removed by Filter: ") {
        return removed;
    }
    let is_read = line.contains(" Scan using ") || line.contains(" Scan on ");
    let rows = number(" rows=").filter(|_| is_read);
    rows.unwrap_or(0.0) * number(" loops=").unwrap_or(1.0)
}

/// Of 100,000 unread notifications one write marks few, and counting stops early. Deleting a post with as
/// many likes deletes few notifications per write.
/// proves: notification-counted
#[tokio::test]
async fn notifications_are_read_in_batches() {
    let both = Both::named("notifications").await;
    let insert = "insert into notifications (member_id, id, kind, actor_id, post_id)";
    let others = format!("{insert} select 100 + n % 400, n, 1, n, 9");
    both.fill(1, 8_000, &others).await;
    both.count_up().await;
    let own = format!("{insert} select 7, n, 1, 1 + n % 60000, 9 + n / 60000");
    both.fill(1, 100_000, &own).await;
    let unread = "select id, actor_id from notifications where member_id = $1 and read_at is null";
    let (steps, rows) = both.reads(unread, &[7, 200_000, 0]).await;
    assert!(steps < 10_000 && rows <= 500.0, "{steps} {rows}");
    let counted = "select actor_id, count(*) from (select actor_id from notifications";
    let (steps, rows) = both.reads(counted, &[7, 0]).await;
    assert!(steps < 20_000 && rows <= 1_000.0, "{steps} {rows}");
    let of_post = "select id from notifications where member_id = $1 and kind = $2 and post_id = $3 order by actor_id limit";
    for way in [" $4", " 1 offset $4"] {
        let (steps, rows) = both.reads(&format!("{of_post}{way}"), &[7, 1, 9, 500]).await;
        assert!(steps < 10_000 && rows <= 501.0, "{way}: {steps} {rows}");
    }
    // Each id is looked up by its index.
    for by_ids in [
        "update notifications set read_at = coalesce(read_at, $2) where member_id = $1 and id in",
        "delete from notifications where member_id = $1 and id in ($ids)",
    ] {
        let (steps, rows) = both.reads(by_ids, &[7, 8]).await;
        assert!(steps < 200 && rows <= 2.0, "{by_ids}: {steps} {rows}");
    }
}

/// A post with 100,000 replies costs its thread as much as one with a few hundred, and so does such a reply,
/// even if the planner's statistics expect few.
/// proves: thread-most
#[tokio::test]
async fn a_thread_does_not_read_a_flood() {
    let both = Both::named("flood").await;
    let others = "insert into replies (post_id, id, author_id) select 100 + n % 400, n, 1";
    both.fill(1, 8_000, others).await;
    both.count_up().await;
    let flood = "insert into replies (post_id, id, author_id) select 7, n, 1";
    both.fill(1, 300, flood).await;
    let direct = "select id, author_id from replies where post_id = $1 and id > $2 order by id";
    let nested = "select id, author_id from replies where post_id = $1 order by id limit 50";
    let few = [both.reads(direct, &[7, 0, 200]).await, both.reads(nested, &[7]).await];
    both.fill(301, 100_000, flood).await;
    let many = [both.reads(direct, &[7, 0, 200]).await, both.reads(nested, &[7]).await];
    assert_eq!(few, many);
    assert!(many[0].1 <= 200.0 && many[1].1 <= 50.0, "{many:?}");
}

/// A case with 100,000 reports costs a page of cases as much as one with a few hundred: only both ends are read.
#[tokio::test]
async fn a_case_does_not_read_a_flood_of_reports() {
    let both = Both::named("cases").await;
    let cases = "insert into report_cases (target_id, id, kind, member_id, report_count, newest_id)
        select n, n, 1, n, 20, n";
    both.fill(1, 400, cases).await;
    let reports = "insert into reports (case_id, reporter_id, id, reason, note)";
    let evidence = "insert into case_evidence (case_id, id, evidence)";
    both.fill(1, 8_000, &format!("{reports} select 100 + n % 300, n, n, 0, ''")).await;
    both.fill(1, 8_000, &format!("{evidence} select 100 + n % 300, n, '{{}}'")).await;
    both.count_up().await;
    let flood =
        [format!("{reports} select 7, n, n, 0, ''"), format!("{evidence} select 7, n, '{{}}'")];
    let mut found = Vec::new();
    for (from, to) in [(1, 300), (301, 100_000)] {
        for insert in &flood {
            both.fill(from, to, insert).await;
        }
        let mut reads = Vec::new();
        for (table, columns) in [("reports", "reason, reports.note"), ("case_evidence", "evidence")]
        {
            for end in [">=", "<="] {
                let start = format!(
                    "select case_id, {table}.id, {columns} from report_cases join {table} \
                     on case_id = report_cases.id where report_cases.id in ($ids) and {table}.id {end}"
                );
                reads.push(both.reads(&start, &[4, 7]).await);
            }
        }
        assert!(reads.iter().all(|(_, rows)| *rows <= 12.0), "{reads:?}");
        found.push(reads);
    }
    assert_eq!(found[0], found[1]);
}
