//! Every statement in the source, prepared on both engines, and on tables that
//! are partitioned by their shard keys.

use crate::harness::Server;
use kith::platform::cache::CacheVersions;
use kith_db::{Db, Sql, SqlIn};
use std::path::Path;

/// The text of every `sql!` and `sql_in!` below a folder.
fn statements(folder: &Path) -> Vec<(String, &'static str, bool)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(statements(&path));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let source = std::fs::read_to_string(&path).unwrap();
            for (marker, is_list) in [("sql!(", false), ("sql_in!(", true)] {
                for part in source.split(marker).skip(1) {
                    let literal = part.trim_start();
                    assert!(
                        literal.starts_with('"'),
                        "{}: {marker} takes one plain literal",
                        path.display()
                    );
                    let text = literal[1..].split('"').next().unwrap().replace("\\\n", "");
                    found.push((path.display().to_string(), &*text.leak(), is_list));
                }
            }
        }
    }
    found
}

/// The text of every statement of the server, its file first; whether it is over a list last.
pub(crate) fn own_statements() -> Vec<(String, &'static str, bool)> {
    statements(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// A statement with a constant in the place of each parameter, to be explained.
pub(crate) fn with_constants(text: &str) -> String {
    (1..=60).rev().fold(text.to_owned(), |text, n| {
        text.replace(&format!("${n}"), "'1'")
    })
}

/// A statement in all the lengths it may have.
pub(crate) fn forms(text: &'static str, is_list: bool) -> Vec<Sql> {
    if is_list {
        let list: &'static SqlIn = Box::leak(Box::new(SqlIn::new(text)));
        list.all_sizes().copied().collect()
    } else {
        vec![Sql {
            sqlite: text.replace('$', "?").leak(),
            postgres: text,
        }]
    }
}

async fn prepare_all(db: &Db) {
    let all = own_statements();
    assert!(
        all.len() > 50,
        "the source holds more statements than {}",
        all.len()
    );
    for (file, text, is_list) in all {
        for sql in forms(text, is_list) {
            if let Err(error) = db.prepare(&sql).await {
                panic!("{file}: {error}\n{}", sql.postgres);
            }
        }
    }
}

#[tokio::test]
async fn sqlite_takes_every_statement() {
    prepare_all(&Server::sqlite().await.app.db).await;
}

#[tokio::test]
async fn postgres_takes_every_statement() {
    // With memory: each statement that writes also answers whose rows it changed, or it is refused.
    prepare_all(&Server::postgres().await.app.db).await;
}

/// Plain PostgreSQL refuses here what its distributed form would refuse: a key without the shard key.
#[tokio::test]
async fn partitioned_postgres_takes_every_statement() {
    let url = crate::harness::empty_postgres_url("partitioned").await;
    let db = Db::open_partitioned(&url, kith::platform::migrations::MIGRATIONS)
        .await
        .unwrap();
    let _memory = CacheVersions::subscribe(&db, &kith::state::WATCHES)
        .await
        .unwrap();
    prepare_all(&db).await;
}

/// Statements that read more than one shard, and why that is right. Each is
/// rare, bounded, or walks an order that no single shard has.
const WIDE: &[&str] = &[
    // At a start and every 15 seconds: a row for each node.
    "select max(seen_at) from clock_marks",
    // At a start: the same.
    "select name, expires_at from leases",
    // Once a restore: everybody logs in anew.
    "delete from login_links where id > 0",
    "delete from sessions where hash >",
    "delete from email_changes where done_at is null",
    // Every ten minutes: whether the waitlist is full.
    "select id from waitlist where admitted_at is null order by id",
    // Everybody's posts, newest first: every shard gives its first rows.
    "select id, author_id, reply_to_author_id, repost_of_id from posts",
    "select rank, id, author_id from posts",
    "select id from members where id < $1 and suspended_at is null order by id desc",
    // A range of names: every shard gives its part. Prepared for one read a search each.
    "select term, member_id from search_terms",
    // Counted once a minute.
    "select tag, count(*) from",
    "select count(*) from\n       (select author_id from tag_posts",
    // Who is suspended, of whom every shard has few, each with every list that is read: a list
    // cannot know which shards its members are in before it has them.
    "select id from members where suspended_at is not null",
    "select name from members join usernames on member_id = id",
    // Asked once a start.
    "select id from members order by id limit 1",
    "select id from members where search_key is null",
    // Looked for once in ten minutes.
    "update images set marked_at = $1",
    "update images set gone_at = $1",
    "delete from image_sources where hash = $1",
    "select owner_id, id from uploads where id between",
    "select owner_id, id from uploads where ended_at is not null",
    "select owner_id, id from uploads where used_at <= $1",
    // Asked by an operator's commands.
    "select id, username, display_name, email, role, suspended_at, follower_count",
    "delete from sessions where member_id = $1",
    "select email, joined_at, admitted_at,",
    "select email from waitlist where admitted_at is null",
    // Asked by moderators and admins.
    "select id, target_id, kind, member_id, report_count",
    "select target_id, kind, member_id, closed_id from report_cases",
    "select id from members where id < $1 and username <> 'deleted'",
    "select count(*) from members where role = 2",
    "select id, email, joined_at from waitlist",
    "select member_id from vouches join members",
    "select email from waitlist where id =",
    // Asked once a restored backup.
    "select count(*) from posts where deleted_at is null and",
    "select count(*) from poll_choices where votes <>",
    "select hash, widths from images where uses > 0",
    "select hash, uses, held from images",
    // Asked by `kith backup` and `kith restore`.
    "select 1 from images where uses > 0",
    "select id, images from posts",
    "select id, profile_image_url, header_image_url from members",
    "select id, held_images from report_cases",
    // Once a member whose sessions are all ended.
    "insert into ended_sessions (hash, cause, ended_at)\n",
    // Asked once a mail, and once a typed code.
    "select id, mailed_at, case when consumed_at is null",
    "select count(*) from login_links where invite_code",
    "select id, case when mailed_at is not null",
    "update login_links set code_tries",
    "select id, email, invite_code from login_links",
    // Once a start.
    "select id, expires_at from login_links",
    // Once a login.
    "update login_links set expires_at",
    // Once a login, and when members look at their few sessions; a session is found by its cookie.
    "select hash, id, created_at",
    "delete from sessions where member_id = $1",
    // Before they end from elsewhere: each of a member's sessions is noted.
    "insert into ended_sessions (hash, cause, ended_at) select hash",
    // Also in batches, every ten minutes.
    "delete from ended_sessions where hash in",
    "delete from sessions where hash in",
    "delete from login_links where id in",
    "delete from idempotency_keys where (member_id, key) in",
    "delete from email_changes where (member_id, id) in",
    "delete from usernames where name in",
    "select id from posts where has_votes_left",
    // Workers look for what is due, now and then.
    "update exports set lease_until = $2, attempts",
    "select member_id, id, attempts from exports where expires_at",
    "update deletions set started_at",
    // A member's few vouches, when they look at them or take one back.
    "select id, email from vouches where member_id",
    "delete from vouches where member_id",
    // In batches, every ten minutes, and once a member who leaves.
    "delete from vouches where (email, member_id) in",
    // Once a member who leaves; a member's votes also once an export.
    "select post_id from poll_votes where member_id",
    "select post_id, choice from poll_votes where member_id = $1 order",
    "select member_id from mutes where muted_id",
    "select target_id, id from report_cases where member_id",
    "select case_id, id from reports where reporter_id",
    "select case_id, id, reason, note from reports where reporter_id",
    "select id, kind, target_id from report_cases where id in",
    "update report_cases set closed_by = null",
    "update usernames set member_id = 0",
    "delete from login_links where member_id",
    "select member_id, id, actor_id from notifications",
    "update invites set claimed_by = 0",
    "update member_invites set used_by = null where used_by",
    // Once an admin who leaves.
    "select id from members where role = 2",
];

/// A statement that names its shard key touches one partition of each table.
#[tokio::test]
async fn hot_statements_touch_one_shard() {
    let url = crate::harness::empty_postgres_url("shards").await;
    drop(
        Db::open_partitioned(&url, kith::platform::migrations::MIGRATIONS)
            .await
            .unwrap(),
    );
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    for (file, text, is_list) in own_statements() {
        let may_be_wide = WIDE.iter().any(|wide| text.starts_with(wide));
        let sql = forms(text, is_list)[0].postgres;
        let plan = client
            .query(&format!("explain {}", with_constants(sql)), &[])
            .await
            .unwrap();
        let plan = plan
            .iter()
            .map(|row| row.get::<_, String>(0))
            .collect::<Vec<_>>()
            .join("\n");
        let words = plan.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_partition = |word: &&str| {
            word.rsplit_once("_p").is_some_and(|(_, part)| {
                part.len() == 1 && part.starts_with(|c: char| c.is_ascii_digit())
            })
        };
        let mut partitions = words
            .filter(is_partition)
            .map(|word| word.rsplit_once("_p").unwrap())
            .collect::<Vec<_>>();
        partitions.sort_unstable();
        partitions.dedup();
        let tables = partitions
            .iter()
            .map(|(table, _)| table)
            .collect::<std::collections::HashSet<_>>();
        let is_wide = partitions.len() > tables.len();
        assert_eq!(is_wide, may_be_wide, "{file}: {sql}\n{plan}");
    }
}
