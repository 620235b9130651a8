//! Query plans of every statement on both engines: each must use an index for its filter and its order,
//! because full scans and sorts grow with the network.

use crate::harness::Server;
use crate::statements::{forms, own_statements, with_constants};
use kith_db::{Config, Db, Sql};

/// Prefixes of statements that scan, sort or group, with reasons. Each is rare or reads few rows.
const SLOW: &[&str] = &[
    // One row per node, due export, member with a role, suspended member or open objection.
    "select max(seen_at) from clock_marks",
    "select name, expires_at from leases",
    "select member_id, id, attempts from exports where expires_at",
    "update exports set lease_until = $2, attempts",
    "select id from members where suspended_at is not null",
    "select name from members join usernames on member_id = id",
    "select id, role from members where role > 0",
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection, objection_id, outcome, answer, decided_id from moderation_notices where objection_id",
    "select count(*) from members where role = 2",
    "select id from members where role = 2",
    // A member's fifty sessions; the vouches for a page of the waitlist; the reports of a page of cases.
    "select hash, id, created_at",
    "delete from sessions where hash in (select hash from sessions where member_id",
    "select entry_id, vouch_id, member_id from",
    "select id, expires_at from login_links where member_id",
    "select case_id, reason, count(*) from reports",
    // Posts of fifty authors in a time range, which is widened while it holds too few.
    "select id, author_id, reply_to_author_id, repost_of_id from author_posts where id >=",
    // At most a thousand unread notifications of a member.
    "select actor_id, count(*) from (select actor_id from notifications",
    // A week's tags, of 200,000 uses at most, once a minute.
    "select tag, count(*) from",
    "select count(*) from (select author_id from tag_posts",
    // Marked rows: posts with votes to delete, members to be indexed for search, waitlist entries.
    "select id from posts where has_votes_left",
    "select id from members where search_key is null",
    "select email from waitlist where admitted_at is null",
    // The best two hundred posts, in index order.
    "select rank, id, author_id from posts where rank is not null order by rank desc",
    // Once per start.
    "select id from members order by id limit 1",
    // Once per restore, and every ten minutes.
    "delete from email_changes where done_at is null",
    "select id from waitlist where admitted_at is null order by id",
    // Every ten minutes, due rows only.
    "update images set marked_at = $1",
    "update images set gone_at = $1",
    "update deletions set started_at",
    "delete from usernames where name in",
    // A post's likes, reposts and replies, once per restored post.
    "update posts set like_count = (select",
    // One member's rows, once per export or account deletion.
    "delete from login_links where id in (select id from login_links where email",
    "select target_id, id from report_cases where member_id",
    "select count(*) from exports where member_id = $1 and state = 0",
    "delete from vouches where (email, member_id) in (select email, member_id from vouches where member_id",
    // Operator commands: backup verification, consistency checks, the waitlist.
    "select 1 from images where uses > 0",
    "select count(*) from posts where deleted_at is null and",
    "select count(*) from poll_choices where votes <>",
    "select email, joined_at, admitted_at, (select count(*) from vouches",
];

/// Returns the slow steps of SQLite's plan.
fn slow_on_sqlite(db: &rusqlite::Connection, sql: &Sql) -> Vec<String> {
    let mut explained = db.prepare(&format!("explain query plan {}", sql.sqlite)).unwrap();
    let nulls = vec![rusqlite::types::Null; explained.parameter_count()];
    let steps = explained
        .query_map(rusqlite::params_from_iter(nulls), |row| row.get::<_, String>(3))
        .unwrap();
    let is_slow = |step: &String| {
        let is_scan = step.starts_with("SCAN") && step != "SCAN CONSTANT ROW";
        is_scan || step.contains("TEMP B-TREE")
    };
    steps.map(Result::unwrap).filter(is_slow).collect()
}

/// Returns the slow steps of PostgreSQL's plan, with sequential scans and sorts disabled where possible.
async fn slow_on_postgres(client: &tokio_postgres::Client, sql: &Sql) -> Vec<String> {
    let explained = format!("explain (costs off) {}", with_constants(sql.postgres));
    let rows = client.query(&explained, &[]).await.unwrap();
    let lines = rows.iter().map(|row| row.get::<_, String>(0));
    let lines = lines.collect::<Vec<_>>();
    let mut slow = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let step = line.trim_start().trim_start_matches("->").trim_start();
        let details = lines[at + 1..].iter().take_while(|line| !line.contains("->"));
        let is_led =
            details.map(|line| line.trim_start()).any(|line| line.starts_with("Index Cond:"));
        let is_index = step.starts_with("Index Scan") || step.starts_with("Index Only Scan");
        let is_slow = ["Seq Scan", "Sort", "Incremental Sort", "HashAggregate"];
        if is_slow.iter().any(|slow| step.starts_with(slow)) || is_index && !is_led {
            slow.push(step.to_owned());
        }
    }
    slow
}

/// Fails for a slow statement that is not listed, and for a listed one that is no longer slow.
#[tokio::test]
async fn every_statement_uses_an_index() {
    let server = Server::sqlite().await;
    let sqlite = rusqlite::Connection::open(server.data.path().join("kith.db")).unwrap();
    let url = crate::harness::empty_postgres_url("plans").await;
    let config = Config::postgres(&url);
    drop(Db::open(&config, kith::platform::migrations::MIGRATIONS).await.unwrap());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for way in ["seqscan", "bitmapscan", "sort", "incremental_sort", "hashagg"] {
        let set = format!("set enable_{way} = off");
        client.batch_execute(&set).await.unwrap();
    }
    let mut wrong = Vec::new();
    for (file, text, is_list) in own_statements() {
        let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let may_be_slow = SLOW.iter().any(|slow| plain.starts_with(slow));
        let forms = forms(text, is_list);
        // For list statements, the form with several values.
        let sql = forms.get(1).unwrap_or(&forms[0]);
        let slow = [slow_on_sqlite(&sqlite, sql), slow_on_postgres(&client, sql).await];
        if slow.iter().all(Vec::is_empty) == may_be_slow {
            wrong.push(format!("{file}: {plain}\n  {slow:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
