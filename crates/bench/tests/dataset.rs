//! A generated data set equals what the server itself would have written.

use anyhow::{Context as _, Result};
use kith::ops::doctor::{self, Verdict};
use kith::platform::clock::Clock;
use kith::platform::config::{DatabaseArgs, Settings};
use kith::platform::migrations::MIGRATIONS;
use kith_bench::dataset::{self, Fixtures, Size};
use kith_bench::postgres;
use kith_db::{Config, Db, Engine, Sql, sql};
use tempfile::TempDir;

/// Saturday, 21 November 2026.
const UNTIL: i64 = 1_795_253_400_000;

/// A store for a data set: a temporary folder with SQLite, or a PostgreSQL database.
struct TestStore {
    store: DatabaseArgs,
    _folder: TempDir,
}

impl TestStore {
    fn sqlite() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let store = DatabaseArgs::new(folder.path(), "");
        Ok(Self { store, _folder: folder })
    }

    async fn postgres() -> Result<Self> {
        let cluster = std::env::var("KITH_TEST_POSTGRES")
            .context("KITH_TEST_POSTGRES is not set: run `cargo xtask pg -- cargo test`")?;
        let mut place = Self::sqlite()?;
        let name = format!("kith_made_{}", std::process::id());
        place.store.database_url = postgres::recreate_database(&cluster, &name).await?;
        Ok(place)
    }

    async fn generate(&self, seed: u64) -> Result<Fixtures> {
        let size = Size { members: 500, posts: 3_000, follows: vec![20, 100], cold: 5, seed };
        dataset::generate(&self.store, &size, UNTIL).await
    }

    fn settings(&self) -> Settings {
        Settings::for_command(self.store.clone())
    }

    async fn open(&self) -> Result<Db> {
        Ok(Db::open_as_is(&self.settings().store.database(), MIGRATIONS).await?)
    }

    /// Checks every stored count, and that `kith doctor` finds no failure.
    async fn check_counts_and_doctor(&self, engine: Engine) -> Result<()> {
        let db = self.open().await?;
        assert_eq!(db.engine(), engine);
        assert_eq!(kith::ops::consistency::find_count_mismatches(&db).await?, []);
        db.close().await;
        let checks = doctor::run_checks(&self.settings(), &Clock::system(), None).await;
        let failed = checks.iter().filter(|check| {
            // Caused by the test: its PostgreSQL has fsync off, and this program has no image worker.
            let is_of_the_test = check.name == "images" || check.found.contains("fsync is off");
            check.verdict == Verdict::Fail && !is_of_the_test
        });
        assert_eq!(failed.count(), 0, "{checks:?}");
        Ok(())
    }
}

#[tokio::test]
async fn a_generated_data_set_has_right_counts_and_passes_the_doctor() -> Result<()> {
    let place = TestStore::sqlite()?;
    place.generate(1).await?;
    place.check_counts_and_doctor(Engine::Sqlite).await?;
    let file = place.store.data.join("kith.db");
    assert_eq!(kith_db::integrity_errors(&file)?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn a_data_set_in_postgres_equals_the_one_in_sqlite() -> Result<()> {
    const TEXTS: Sql = sql!("select id, content, like_count, hashtags from posts order by id");
    const PAIRS: Sql = sql!("select follower_id, followee_id, id from followers order by id");
    const INDEXES: &str = "select indexname::text, indexdef from pg_indexes
        where schemaname = 'public' order by indexname";
    let (one, other) = (TestStore::sqlite()?, TestStore::postgres().await?);
    let fixtures = one.generate(5).await?;
    assert_eq!(other.generate(5).await?.posts, fixtures.posts);
    other.check_counts_and_doctor(Engine::Postgres).await?;
    assert!(!other.store.data.join("kith.db").exists());
    let mut seen = Vec::new();
    for place in [&one, &other] {
        let db = place.open().await?;
        let text =
            |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.text(1)?, row.int(2)?, row.opt_text(3)?));
        let texts = db.all(&TEXTS, &[], text).await?;
        let pair = |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.int(1)?, row.int(2)?));
        seen.push((texts, db.all(&PAIRS, &[], pair).await?));
        db.close().await;
    }
    assert!(seen[0] == seen[1]);
    // The indexes must equal those of the migrations.
    let cluster = std::env::var("KITH_TEST_POSTGRES")?;
    let empty = format!("kith_empty_{}", std::process::id());
    let empty = postgres::recreate_database(&cluster, &empty).await?;
    let db = Db::open(&Config::postgres(&empty), MIGRATIONS).await?;
    db.close().await;
    let mut indexes = Vec::new();
    for url in [&empty, &other.store.database_url] {
        let rows = postgres::connect(url).await?.query(INDEXES, &[]).await?;
        let rows = rows.iter().map(|row| (row.get(0), row.get(1)));
        indexes.push(rows.collect::<Vec<(String, String)>>());
    }
    assert_eq!(indexes[0], indexes[1]);
    Ok(())
}

#[tokio::test]
async fn mirrored_tables_agree_and_readers_follow_as_many_as_requested() -> Result<()> {
    const FOLLOWS: Sql = sql!("select count(*) from follows where follower_id = $1");
    const FOLLOWERS: Sql = sql!("select count(*) from followers where followee_id = $1");
    const THREAD: Sql = sql!("select count(*) from posts where id = $1 or root_id = $1");
    const MIRRORS: &[(&str, Sql)] = &[
        ("a follow without its follower row", sql!(
            "select count(*) from follows where not exists (select 1 from followers
               where followers.followee_id = follows.followee_id
                 and followers.follower_id = follows.follower_id and followers.id = follows.id)"
        )),
        ("a like without its member_likes row", sql!(
            "select count(*) from likes where not exists (select 1 from member_likes
               where member_likes.member_id = likes.member_id
                 and member_likes.post_id = likes.post_id and member_likes.id = likes.id)"
        )),
        ("a post without its author_posts row", sql!(
            "select count(*) from posts where not exists (select 1 from author_posts
               where author_posts.author_id = posts.author_id and author_posts.id = posts.id)"
        )),
        ("a repost without its reposts row", sql!(
            "select count(*) from posts where repost_of_id is not null and not exists (
               select 1 from reposts where reposts.post_id = posts.repost_of_id
                 and reposts.repost_id = posts.id and reposts.member_id = posts.author_id)"
        )),
        ("a reply without its replies row", sql!(
            "select count(*) from posts where reply_to_id is not null and not exists (
               select 1 from replies where replies.post_id = posts.reply_to_id
                 and replies.id = posts.id and replies.author_id = posts.author_id)"
        )),
        ("a missing or superfluous rank", sql!(
            "select count(*) from posts
               where (rank is null) <> (reply_to_id is not null or repost_of_id is not null)"
        )),
        ("a like without a notification for the author", sql!(
            "select count(*) from likes join posts on posts.id = likes.post_id
               where posts.author_id <> likes.member_id and not exists (select 1 from notifications
                 where notifications.member_id = posts.author_id and notifications.kind = 1
                   and notifications.post_id = posts.id and notifications.actor_id = likes.member_id)"
        )),
        ("a member without search terms", sql!(
            "select count(*) from members where search_key is null or not exists (
               select 1 from search_terms where search_terms.member_id = members.id
                 and search_terms.place = 0 and search_terms.term = members.username)"
        )),
        ("a member without the invite they used", sql!(
            "select count(*) from members where invited_by is not null and not exists (
               select 1 from member_invites where member_invites.member_id = members.invited_by
                 and member_invites.used_by = members.id)"
        )),
    ];
    let place = TestStore::sqlite()?;
    let fixtures = place.generate(2).await?;
    let db = place.open().await?;
    for (what, sql) in MIRRORS {
        assert_eq!(db.one(sql, &[], |row| row.int(0)).await?, 0, "{what}");
    }
    let readers = fixtures.readers.iter();
    let readers = readers.map(|reader| (reader.caller.member, reader.follows));
    let cold = fixtures.cold.iter().map(|reader| (reader.member, 20));
    for (reader, wanted) in readers.chain(cold) {
        let bound = kith_db::params![reader];
        let follows = db.one(&FOLLOWS, bound, |row| row.int(0)).await?;
        assert_eq!(usize::try_from(follows)?, wanted);
    }
    // All members except the 64 writers and this one follow the most followed member.
    let bound = kith_db::params![fixtures.star.member];
    let followers = db.one(&FOLLOWERS, bound, |row| row.int(0)).await?;
    assert_eq!(usize::try_from(followers)?, 500 - 64 - 1);
    let bound = kith_db::params![fixtures.thread];
    assert_eq!(db.one(&THREAD, bound, |row| row.int(0)).await?, 50);
    db.close().await;
    Ok(())
}

#[tokio::test]
async fn a_seed_reproduces_the_data_set() -> Result<()> {
    const TEXTS: Sql = sql!("select id, content, like_count, people_count from posts order by id");
    let mut seen = Vec::new();
    for seed in [3, 3, 4] {
        let place = TestStore::sqlite()?;
        place.generate(seed).await?;
        let db = place.open().await?;
        let read =
            |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.text(1)?, row.int(2)?, row.int(3)?));
        seen.push(db.all(&TEXTS, &[], read).await?);
        db.close().await;
    }
    assert!(seen[0] == seen[1]);
    assert!(seen[0] != seen[2]);
    Ok(())
}
