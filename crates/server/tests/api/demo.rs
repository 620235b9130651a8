//! `kith demo`: generated data that is written past the server.

use crate::harness::postgres_url;
use kith::features::media;
use kith::ops::backup::ProgressReporter;
use kith::ops::consistency;
use kith::ops::demo::{self, DemoSize};
use kith::ops::doctor::{self, Verdict};
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings};
use kith::platform::migrations::MIGRATIONS;
use kith::state::AppState;
use kith_db::{Config, Db, Sql, sql};
use std::path::Path;
use tempfile::TempDir;

const MEMBERS: Sql = sql!("select count(*) from members");
/// 2026-11-21T09:00:00Z.
pub(crate) const UNTIL: i64 = 1_795_251_600_000;

fn size(seed: u64) -> DemoSize {
    DemoSize { members: 40, posts: 1_200, seed, until: UNTIL }
}

pub(crate) fn store(folder: &TempDir, database_url: &str) -> DatabaseArgs {
    DatabaseArgs::new(folder.path(), database_url)
}

pub(crate) async fn make(store: &DatabaseArgs, seed: u64) -> Result<String, String> {
    demo::create_demo(store, "", size(seed), &mut ProgressReporter::start(false)).await
}

/// Checks that stored counts are right, every image has its files, and startup reports no fault.
pub(crate) async fn check_consistency(store: DatabaseArgs) {
    let mut settings = Settings::for_command(store);
    settings.image_worker = env!("CARGO_BIN_EXE_kith").into();
    let clock = Clock::manual(UNTIL + 1);
    let checks = doctor::run_checks(&settings, &Clock::system(), None).await;
    let failed = checks.iter().filter(|check| {
        let is_of_the_machine = check.name == "disk space" || check.found.contains("fsync is off");
        check.verdict == Verdict::Fail && !is_of_the_machine
    });
    assert_eq!(failed.count(), 0, "{checks:?}");
    let app = AppState::open(settings, clock, 0).await.unwrap();
    assert!(kith::ops::first_run::seed_founder(&app).await.unwrap().is_none());
    assert_eq!(consistency::find_count_mismatches(&app.db).await.unwrap(), []);
    let stock = media::verify_files(&app.db, &app.storage, |_| ()).await;
    let stock = stock.unwrap();
    assert!(stock.images > 40, "{}", stock.images);
    assert_eq!(stock.missing, [""; 0]);
    has_everything(&app.db).await;
    app.db.close().await;
}

async fn has_everything(db: &Db) {
    const KINDS: &[(&str, i64, Sql)] = &[
        ("members", 40, sql!("select count(*) from members")),
        ("entries", 1_200, sql!("select count(*) from posts")),
        ("bios", 30, sql!("select count(*) from members where bio <> ''")),
        ("pictures", 30, sql!("select count(*) from members where profile_image_url is not null")),
        ("invites", 39, sql!("select count(*) from invites where claimed_by is not null")),
        ("inviters", 10, sql!("select count(distinct inviter_id) from invites")),
        ("replies", 180, sql!("select count(*) from posts where reply_to_id is not null")),
        (
            "replies to replies",
            40,
            sql!(
                "select count(*) from posts where reply_to_id is not null and reply_to_id <> root_id"
            ),
        ),
        ("reposts", 10, sql!("select count(*) from reposts")),
        ("likes", 600, sql!("select count(*) from likes")),
        ("follows", 200, sql!("select count(*) from follows")),
        ("votes", 15, sql!("select count(*) from poll_votes")),
        ("posts with images", 10, sql!("select count(*) from posts where images is not null")),
        ("mentions", 3, sql!("select count(*) from posts where mentions is not null")),
        ("hashtags", 30, sql!("select count(*) from tag_posts")),
        (
            "unread notifications",
            10,
            sql!("select count(*) from notifications where read_at is null"),
        ),
        ("days with posts", 25, sql!("select count(distinct id / 362387865600000) from posts")),
        (
            "different texts, in percent",
            85,
            sql!(
                "select count(distinct content) * 100 / count(*) from posts where repost_of_id is null"
            ),
        ),
    ];
    for (what, least, count) in KINDS {
        let found = db.one(count, &[], |row| row.int(0)).await.unwrap();
        assert!(found >= *least, "{what}: {found}");
    }
}

/// proves: demo-made, demo-counts
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_has_everything_and_every_count_is_right() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "");
    assert_eq!(make(&store, 1).await.unwrap(), "mara");
    let damage = kith_db::integrity_errors(&store.database_file());
    assert_eq!(damage.unwrap(), [""; 0]);
    check_consistency(store).await;
}

/// proves: demo-made, demo-counts, demo-not-empty
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_on_postgres_is_equal_and_created_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, &postgres_url().await);
    make(&store, 1).await.unwrap();
    assert!(!store.database_file().exists());
    let again = make(&store, 2).await.unwrap_err();
    assert!(again.starts_with("There is a network in this database already"), "{again}");
    check_consistency(store).await;
}

/// Rows of every table, and the files of every image.
pub(crate) async fn content(folder: &Path) -> Vec<String> {
    const TABLES: &[&str] = &[
        "members",
        "usernames",
        "emails",
        "search_terms",
        "follows",
        "followers",
        "invites",
        "member_invites",
        "posts",
        "author_posts",
        "replies",
        "likes",
        "member_likes",
        "reposts",
        "poll_choices",
        "poll_votes",
        "tag_posts",
        "notifications",
        "images",
        "image_sources",
    ];
    let database = rusqlite::Connection::open(folder.join("kith.db")).unwrap();
    let mut content = Vec::new();
    for table in TABLES {
        let mut rows = database.prepare(&format!("select * from {table}")).unwrap();
        let columns = rows.column_count();
        let row = |row: &rusqlite::Row<'_>| {
            let values = (0..columns).map(|at| format!("{:?}", row.get_ref(at).unwrap()));
            Ok(values.collect::<Vec<_>>().join("\t"))
        };
        let rows = rows.query_map([], row).unwrap();
        content.extend(rows.map(|row| format!("{table}\t{}", row.unwrap())));
    }
    let storage = kith_storage::Storage::open("", &folder.join("media")).await.unwrap();
    for (key, _) in storage.list(None, 10_000).await.unwrap() {
        let bytes = storage.get(&key, 1 << 24).await.unwrap().unwrap();
        content.push(format!("{key}\t{bytes:?}"));
    }
    content
}

/// proves: demo-same
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seed_reproduces_the_data_and_another_seed_does_not() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    for (folder, seed) in folders.iter().zip([7, 7, 8]) {
        make(&store(folder, ""), seed).await.unwrap();
    }
    let first = content(folders[0].path()).await;
    assert!(first.len() > 5_000, "{}", first.len());
    assert!(first == content(folders[1].path()).await);
    assert!(first != content(folders[2].path()).await);
}

/// A network that is there stays as it is.
/// proves: demo-not-empty
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_network_with_members_is_not_filled() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(&folder, "");
    let app = AppState::open(Settings::for_command(store.clone()), Clock::manual(UNTIL), 0);
    let app = app.await.unwrap();
    kith::ops::first_run::seed_founder(&app).await.unwrap();
    app.db.close().await;
    drop(app);
    let error = make(&store, 1).await.unwrap_err();
    assert!(error.starts_with("There is a network in "), "{error}");
    assert!(!folder.path().join("media/images").exists());
    let db = Db::open_as_is(&Config::sqlite(store.database_file()), MIGRATIONS).await.unwrap();
    assert_eq!(db.one(&MEMBERS, &[], |row| row.int(0)).await.unwrap(), 1);
    db.close().await;
}
