//! A made network is what the server itself would have left.

use anyhow::{Context as _, Result};
use kith::clock::Clock;
use kith::config::{Settings, Store};
use kith::doctor::{self, Verdict};
use kith::schema::MIGRATIONS;
use kith_bench::cluster;
use kith_bench::network::{self, Manifest, Size};
use kith_db::{Config, Db, Engine, Sql, sql};
use tempfile::TempDir;

/// Saturday, 21 November 2026.
const UNTIL: i64 = 1_795_253_400_000;

/// Where a test makes a network: a folder that goes with this value, and SQLite in it or a database of
/// PostgreSQL.
struct Place {
    store: Store,
    _folder: TempDir,
}

impl Place {
    fn sqlite() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let store = Store {
            data: folder.path().to_path_buf(),
            database_url: String::new(),
        };
        Ok(Self {
            store,
            _folder: folder,
        })
    }

    async fn postgres() -> Result<Self> {
        let cluster = std::env::var("KITH_TEST_POSTGRES")
            .context("KITH_TEST_POSTGRES is not set: run `cargo xtask pg -- cargo test`")?;
        let mut place = Self::sqlite()?;
        let name = format!("kith_made_{}", std::process::id());
        place.store.database_url = cluster::anew(&cluster, &name).await?;
        Ok(place)
    }

    async fn made(&self, seed: u64) -> Result<Manifest> {
        let size = Size {
            members: 500,
            posts: 3_000,
            follows: vec![20, 100],
            cold: 5,
            seed,
        };
        network::make(&self.store, &size, UNTIL).await
    }

    fn settings(&self) -> Settings {
        Settings::for_command(self.store.clone())
    }

    async fn open(&self) -> Result<Db> {
        Ok(Db::open_as_is(&self.settings().store.database(), MIGRATIONS).await?)
    }

    /// Every count is what it counts, and the doctor finds nothing.
    async fn is_sound(&self, engine: Engine) -> Result<()> {
        let db = self.open().await?;
        assert_eq!(db.engine(), engine);
        assert_eq!(kith::recount::differences(&db).await?, []);
        db.close().await;
        let checks = doctor::examine(&self.settings(), &Clock::system(), None).await;
        let failed = checks.iter().filter(|check| {
            // Neither is of the network: a server for tests flushes nothing, and this program is no image worker.
            let is_of_the_test = check.name == "images" || check.found.contains("fsync is off");
            check.verdict == Verdict::Fail && !is_of_the_test
        });
        assert_eq!(failed.count(), 0, "{checks:?}");
        Ok(())
    }
}

#[tokio::test]
async fn every_count_is_what_it_counts_and_the_doctor_finds_nothing() -> Result<()> {
    let place = Place::sqlite()?;
    place.made(1).await?;
    place.is_sound(Engine::Sqlite).await?;
    let file = place.store.data.join("kith.db");
    assert_eq!(kith_db::integrity_errors(&file)?, [""; 0]);
    Ok(())
}

#[tokio::test]
async fn in_postgres_it_is_the_same_with_every_index() -> Result<()> {
    const TEXTS: Sql = sql!("select id, content, like_count, hashtags from posts order by id");
    const PAIRS: Sql = sql!("select follower_id, followee_id, id from followers order by id");
    const INDEXES: &str = "select indexname::text, indexdef from pg_indexes
        where schemaname = 'public' order by indexname";
    let (one, other) = (Place::sqlite()?, Place::postgres().await?);
    let manifest = one.made(5).await?;
    assert_eq!(other.made(5).await?.posts, manifest.posts);
    other.is_sound(Engine::Postgres).await?;
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
    // As many indexes as the migrations alone make, each by the same words.
    let cluster = std::env::var("KITH_TEST_POSTGRES")?;
    let empty = format!("kith_empty_{}", std::process::id());
    let empty = cluster::anew(&cluster, &empty).await?;
    let db = Db::open(&Config::postgres(&empty), MIGRATIONS).await?;
    db.close().await;
    let mut indexes = Vec::new();
    for url in [&empty, &other.store.database_url] {
        let rows = cluster::connect(url).await?.query(INDEXES, &[]).await?;
        let rows = rows.iter().map(|row| (row.get(0), row.get(1)));
        indexes.push(rows.collect::<Vec<(String, String)>>());
    }
    assert_eq!(indexes[0], indexes[1]);
    Ok(())
}

#[tokio::test]
async fn every_list_has_what_the_server_would_have_written() -> Result<()> {
    const FOLLOWS: Sql = sql!("select count(*) from follows where follower_id = $1");
    const FOLLOWERS: Sql = sql!("select count(*) from followers where followee_id = $1");
    const THREAD: Sql = sql!("select count(*) from posts where id = $1 or root_id = $1");
    const MIRRORS: &[(&str, Sql)] = &[
        ("a follow without its other end", sql!(
            "select count(*) from follows where not exists (select 1 from followers
               where followers.followee_id = follows.followee_id
                 and followers.follower_id = follows.follower_id and followers.id = follows.id)"
        )),
        ("a like without its other end", sql!(
            "select count(*) from likes where not exists (select 1 from member_likes
               where member_likes.member_id = likes.member_id
                 and member_likes.post_id = likes.post_id and member_likes.id = likes.id)"
        )),
        ("a post that its author's list lacks", sql!(
            "select count(*) from posts where not exists (select 1 from author_posts
               where author_posts.author_id = posts.author_id and author_posts.id = posts.id)"
        )),
        ("a repost without its row", sql!(
            "select count(*) from posts where repost_of_id is not null and not exists (
               select 1 from reposts where reposts.post_id = posts.repost_of_id
                 and reposts.repost_id = posts.id and reposts.member_id = posts.author_id)"
        )),
        ("a reply without its row", sql!(
            "select count(*) from posts where reply_to_id is not null and not exists (
               select 1 from replies where replies.post_id = posts.reply_to_id
                 and replies.id = posts.id and replies.author_id = posts.author_id)"
        )),
        ("a rank where none belongs, or none where one does", sql!(
            "select count(*) from posts
               where (rank is null) <> (reply_to_id is not null or repost_of_id is not null)"
        )),
        ("a like of another's post that nobody was told of", sql!(
            "select count(*) from likes join posts on posts.id = likes.post_id
               where posts.author_id <> likes.member_id and not exists (select 1 from notifications
                 where notifications.member_id = posts.author_id and notifications.kind = 1
                   and notifications.post_id = posts.id and notifications.actor_id = likes.member_id)"
        )),
        ("a member whom no search finds", sql!(
            "select count(*) from members where search_key is null or not exists (
               select 1 from search_terms where search_terms.member_id = members.id
                 and search_terms.place = 0 and search_terms.term = members.username)"
        )),
        ("a member without the invite they came with", sql!(
            "select count(*) from members where invited_by is not null and not exists (
               select 1 from member_invites where member_invites.member_id = members.invited_by
                 and member_invites.used_by = members.id)"
        )),
    ];
    let place = Place::sqlite()?;
    let manifest = place.made(2).await?;
    let db = place.open().await?;
    for (what, sql) in MIRRORS {
        assert_eq!(db.one(sql, &[], |row| row.int(0)).await?, 0, "{what}");
    }
    let readers = manifest.readers.iter();
    let readers = readers.map(|reader| (reader.caller.member, reader.follows));
    let cold = manifest.cold.iter().map(|reader| (reader.member, 20));
    for (reader, wanted) in readers.chain(cold) {
        let bound = kith_db::params![reader];
        let follows = db.one(&FOLLOWS, bound, |row| row.int(0)).await?;
        assert_eq!(usize::try_from(follows)?, wanted);
    }
    // Nobody but writers is without the best known member; they themselves follow others.
    let bound = kith_db::params![manifest.star.member];
    let followers = db.one(&FOLLOWERS, bound, |row| row.int(0)).await?;
    assert_eq!(usize::try_from(followers)?, 500 - 64 - 1);
    let bound = kith_db::params![manifest.thread];
    assert_eq!(db.one(&THREAD, bound, |row| row.int(0)).await?, 50);
    db.close().await;
    Ok(())
}

#[tokio::test]
async fn a_seed_makes_the_same_network_again() -> Result<()> {
    const TEXTS: Sql = sql!("select id, content, like_count, people_count from posts order by id");
    let mut seen = Vec::new();
    for seed in [3, 3, 4] {
        let place = Place::sqlite()?;
        place.made(seed).await?;
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
