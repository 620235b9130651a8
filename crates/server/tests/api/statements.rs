//! Every statement in the source is prepared on both engines, and on tables that are partitioned by their shard keys.

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

/// All statements of the server: file, text, and whether it takes a list.
pub(crate) fn own_statements() -> Vec<(String, &'static str, bool)> {
    statements(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

/// All statements of the crate `platform`.
pub(crate) fn platform_statements() -> Vec<(String, &'static str, bool)> {
    statements(Path::new("../platform/src"))
}

/// Replaces each parameter by a constant, for `EXPLAIN`.
pub(crate) fn with_constants(text: &str) -> String {
    (1..=60).rev().fold(text.to_owned(), |text, n| text.replace(&format!("${n}"), "'1'"))
}

/// A statement at every list length that it may have.
pub(crate) fn forms(text: &'static str, is_list: bool) -> Vec<Sql> {
    if is_list {
        let list: &'static SqlIn = Box::leak(Box::new(SqlIn::new(text)));
        list.all_sizes().copied().collect()
    } else {
        vec![Sql { sqlite: text.replace('$', "?").leak(), postgres: text }]
    }
}

async fn prepare_all(db: &Db) {
    let all = own_statements();
    assert!(all.len() > 50, "the source holds more statements than {}", all.len());
    for (file, text, is_list) in all {
        for sql in forms(text, is_list) {
            if let Err(error) = db.prepare(&sql).await {
                panic!("{file}: {error}\n{}", sql.postgres);
            }
        }
    }
}

#[tokio::test]
async fn sqlite_prepares_every_statement() {
    prepare_all(&Server::sqlite().await.state.db).await;
}

#[tokio::test]
async fn postgres_prepares_every_statement() {
    // The change feed adds `RETURNING` to watched statements, and fails for those that it cannot extend.
    prepare_all(&Server::postgres().await.state.db).await;
}

/// A partitioned table stands in for Citus: a key without the shard key is an error.
#[tokio::test]
async fn partitioned_postgres_prepares_every_statement() {
    let url = crate::harness::empty_postgres_url("partitioned").await;
    let db = Db::open_partitioned(&url, kith::platform::migrations::MIGRATIONS).await.unwrap();
    let _memory = CacheVersions::subscribe(&db, &kith::state::WATCHES).await.unwrap();
    prepare_all(&db).await;
}

/// Statements that read more than one shard, with reasons. Each is rare, bounded, or follows an order that no
/// single shard has.
const WIDE: &[&str] = &[
    // At a start and every 15 seconds: one row per node.
    "select max(seen_at) from clock_marks",
    // At a start: one row per lease.
    "select name, expires_at from leases",
    // Once per restore: all login links are deleted.
    "delete from login_links where id > 0",
    "delete from sessions where hash >",
    "delete from email_changes where done_at is null",
    // Every ten minutes: waitlist capacity.
    "select id from waitlist where admitted_at is null order by id",
    // All posts, newest first: every shard returns its first rows.
    "select id, author_id, reply_to_author_id, repost_of_id from posts",
    "select rank, id, author_id from posts",
    "select id from members where id < $1 and suspended_at is null order by id desc",
    // A range of names: every shard returns its part. Prepared for one read per search.
    "select term, member_id from search_terms",
    // Counted once a minute.
    "select tag, count(*) from",
    "select count(*) from\n       (select author_id from tag_posts",
    // Suspended members, few per shard, read with every list: a list does not know its members' shards in advance.
    "select id from members where suspended_at is not null",
    "select name from members join usernames on member_id = id",
    // Every 30 seconds: sanctions that have ended.
    "select id from members where suspended_until <= $1",
    "select id from members where invites_frozen_until <= $1",
    // Once per batch of an announcement's mails.
    "select id from members where id > $1 and suspended_at is null order by id",
    // Once per start.
    "select id from members order by id limit 1",
    "select id from members where search_key is null",
    // Every ten minutes.
    "update images set marked_at = $1",
    "update images set gone_at = $1",
    "delete from image_sources where hash = $1",
    "select owner_id, id from uploads where id between",
    "select owner_id, id from uploads where ended_at is not null",
    "select owner_id, id from uploads where used_at <= $1",
    // Operator commands.
    "select id, username, display_name, email, role, suspended_at, follower_count",
    "delete from sessions where member_id = $1",
    "select email, joined_at, admitted_at,",
    "select code, expires_at, claimed_by, revoked_at, uses, used from invites",
    "select email from waitlist where admitted_at is null",
    // Moderators and admins.
    "select id, target_id, kind, member_id, report_count",
    "select target_id, kind, member_id, closed_id from report_cases",
    "select id from members where id < $1 and username <> 'deleted'",
    "select count(*) from members where role = 2",
    "select id, email, joined_at from waitlist",
    "select id, role from members where role > 0",
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,\n       objection_id, outcome, answer, decided_id\n     from moderation_notices where id =",
    "select member_id, id, kind, actor_id, actor_rank, post_id, rule, message, ends_at, lifted_at, objection,\n       objection_id, outcome, answer, decided_id\n     from moderation_notices where objection_id",
    "select post_id, author_id, removed_id, content, poll_options, images from removed_posts",
    "select entry_id, vouch_id, member_id from",
    "select case_id, reports.id, reason",
    "select case_id, case_evidence.id, evidence",
    "select email from waitlist where id =",
    // Once per restored backup.
    "select count(*) from posts where deleted_at is null and",
    "select count(*) from poll_choices where votes <>",
    "select hash, widths from images where uses > 0",
    "select hash, uses, held from images",
    // `kith backup` and `kith restore`.
    "select 1 from images where uses > 0",
    "select id, images from posts",
    "select id, profile_image_url, header_image_url from members",
    "select id, held_images from report_cases",
    "select post_id, images from removed_posts where post_id >",
    // Once per member whose sessions are all ended.
    "insert into ended_sessions (hash, cause, ended_at)\n",
    // Once per mail, and once per typed code.
    "select id, mailed_at, case when consumed_at is null",
    "select count(*) from login_links where invite_code",
    "select id, case when mailed_at is not null",
    "update login_links set code_tries",
    "select id, email, invite_code from login_links",
    // Once per start.
    "select id, expires_at from login_links",
    // Once per login.
    "update login_links set expires_at",
    // Once per login, when members list their few sessions, and once a digest is due; requests find a session by its cookie.
    "select hash, id, created_at",
    "delete from sessions where member_id = $1",
    // Before sessions are ended from elsewhere: each session of a member is recorded.
    "insert into ended_sessions (hash, cause, ended_at) select hash",
    // In batches, every ten minutes.
    "delete from ended_sessions where hash in",
    "delete from sessions where hash in",
    "delete from login_links where id in",
    "delete from idempotency_keys where (member_id, key) in",
    "delete from email_changes where (member_id, id) in",
    "delete from usernames where name in",
    "select id from posts where has_votes_left",
    "select post_id from removed_posts where removed_id <",
    // Workers look for due rows.
    "update exports set lease_until = $2, attempts",
    "select member_id, id, attempts from exports where expires_at",
    "update deletions set started_at",
    // A member's few vouches, when listed or withdrawn.
    "select id, email from vouches where member_id",
    "delete from vouches where member_id",
    // In batches, every ten minutes, and once per account deletion.
    "delete from vouches where (email, member_id) in",
    // Once per account deletion; a member's votes also once per export.
    "select post_id from poll_votes where member_id",
    "select post_id, choice from poll_votes where member_id = $1 order",
    "select member_id from mutes where muted_id",
    "select target_id, id from report_cases where member_id",
    "select case_id, id from reports where reporter_id",
    "select case_id, id, reason, note from reports where reporter_id",
    // When a member lists their reports, and once per page load of a member who has sent some.
    "select id, kind, target_id, member_id, closed_id, decision from report_cases where id in",
    "select case_id from reports where reporter_id",
    "select count(*) from report_cases where closed_id >",
    "select post_id from removed_posts where author_id",
    "update moderation_notices set actor_id = null",
    "update report_cases set closed_by = null",
    "update usernames set member_id = 0",
    "delete from login_links where member_id",
    "select member_id, id, actor_id from notifications",
    "update invites set claimed_by = 0",
    "update member_invites set used_by = null where used_by",
    // Once per deletion of an admin's account.
    "select id from members where role = 2",
];

/// A statement that names its shard key touches one partition of each table.
#[tokio::test]
async fn hot_statements_touch_one_shard() {
    let url = crate::harness::empty_postgres_url("shards").await;
    drop(Db::open_partitioned(&url, kith::platform::migrations::MIGRATIONS).await.unwrap());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    for (file, text, is_list) in own_statements() {
        let may_be_wide = WIDE.iter().any(|wide| text.starts_with(wide));
        let sql = forms(text, is_list)[0].postgres;
        let plan = client.query(&format!("explain {}", with_constants(sql)), &[]).await.unwrap();
        let plan = plan.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n");
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
        let tables =
            partitions.iter().map(|(table, _)| table).collect::<std::collections::HashSet<_>>();
        let is_wide = partitions.len() > tables.len();
        assert_eq!(is_wide, may_be_wide, "{file}: {sql}\n{plan}");
    }
}

/// proves: scale-citus
#[tokio::test]
async fn the_citus_script_distributes_every_table() {
    let url = crate::harness::empty_postgres_url("citus").await;
    drop(Db::open_partitioned(&url, kith::platform::migrations::MIGRATIONS).await.unwrap());
    let (client, connection) = tokio_postgres::connect(&url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    let keys = "select relname::text, pg_get_partkeydef(oid) from pg_class where relkind = 'p' order by relname";
    let keys = client.query(keys, &[]).await.unwrap();
    let expected = keys.iter().map(|row| {
        let (table, key) = (row.get::<_, String>(0), row.get::<_, String>(1));
        let column = key.strip_prefix("HASH (").unwrap().strip_suffix(')').unwrap();
        format!("select create_distributed_table('{table}', '{column}', colocate_with => 'none');")
    });
    let script = std::fs::read_to_string("../../deploy/citus.sql").unwrap();
    let distributed = script.lines().filter(|line| line.starts_with("select "));
    assert_eq!(distributed.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
}
