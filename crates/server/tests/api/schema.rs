//! Migrating a database that an older version wrote.

use crate::harness::empty_postgres_url;
use kith::platform::ids::Id;
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Error, Result, Sql, Tx, Write, params, sql};

const HOUR: i64 = 3_600_000;
const NOON: i64 = 1_795_262_400_000;

const MEMBER: Sql = sql!(
    "insert into members (id, username, display_name, bio, website, role, follower_count,
       following_count, post_count, invites_made) values ($1, $2, $3, '', '', 0, 0, 0, 0, 0)"
);
const POST: Sql = sql!(
    "insert into posts (id, author_id, content, reply_to_id, repost_of_id, like_count, repost_count, reply_count)
     values ($1, $2, '', $3, $4, 0, 0, 0)"
);
const LISTED: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, reply_to_author_id) values ($1, $2, $3, 0, null)"
);
const INDEXED: Sql = sql!("update members set search_key = $1 where id = $2");
const LIKE: Sql = sql!("insert into likes (post_id, member_id, id) values ($1, $2, $3)");
const REPOST: Sql = sql!("insert into reposts (post_id, member_id, repost_id) values ($1, $2, $3)");
const REPLY: Sql = sql!("insert into replies (post_id, id, author_id) values ($1, $2, $3)");
const SESSION: Sql = sql!(
    "insert into sessions (hash, member_id, created_at, seen_at, user_agent) values ($1, $2, $3, $3, '')"
);

/// Ada's post, which Bob likes, reposts and answers, Cat likes, and Ada likes herself.
/// Two are logged in, Bob before Ada.
struct Old;

impl Write for Old {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let id = Id::first_at(NOON);
        let nothing = None::<i64>;
        for (member, name, shown) in [(1, "ada", "Ada Ö"), (2, "bob", "Bob"), (3, "cat", "Cat")] {
            tx.exec(&MEMBER, params![member, name, shown]).await?;
        }
        for (post, author, reply_to, repost_of, kind) in [
            (id, 1, nothing, nothing, 0),
            (id + 1, 2, Some(id), nothing, 1),
            (id + 2, 2, nothing, Some(id), 2),
        ] {
            tx.exec(&POST, params![post, author, reply_to, repost_of]).await?;
            tx.exec(&LISTED, params![author, post, kind]).await?;
        }
        for member in [1, 2, 3] {
            tx.exec(&LIKE, params![id, member, id + 10 + i64::from(member)]).await?;
        }
        tx.exec(&REPOST, params![id, 2, id + 2]).await?;
        tx.exec(&REPLY, params![id, id + 1, 2]).await?;
        tx.exec(&SESSION, params!["a", 1, NOON + 1]).await?;
        tx.exec(&SESSION, params!["b", 2, NOON]).await?;
        Ok(())
    }
}

const CASE: Sql = sql!(
    "insert into report_cases (target_id, id, kind, member_id, report_count, newest_id, held_images, closed_id)
     values (1, $1, 1, 1, 3, 9, $2, $3)"
);
const IMAGE: Sql = sql!(
    "insert into images (hash, kind, width, height, widths, thumbhash, uses) values ($1, 0, 1, 1, '[1]', '', $2)"
);
const REPORT: Sql = sql!(
    "insert into reports (case_id, reporter_id, id, reason, note, evidence) values (5, $1, $2, 0, '', $3)"
);

/// The hash of an image, of one repeated digit.
fn hash(digit: &str) -> String {
    digit.repeat(40)
}

/// Three reports of one case, two of them with the same snapshot. It holds two of three images, which a closed
/// case held as well.
struct Reported;

impl Write for Reported {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let urls = ["a", "b"].map(|digit| format!("/images/{}/1600.webp", hash(digit)));
        let held = serde_json::to_string(&urls).unwrap();
        tx.exec(&CASE, params![5, &held, None::<i64>]).await?;
        tx.exec(&CASE, params![4, &held, Some(6)]).await?;
        tx.exec(&CASE, params![3, None::<&str>, Some(6)]).await?;
        for (digit, uses) in [("a", 1), ("b", 3), ("c", 2)] {
            tx.exec(&IMAGE, params![&hash(digit), uses]).await?;
        }
        for (reporter, id, saw) in [(2, 7, "threat"), (3, 8, "fine"), (4, 9, "threat")] {
            tx.exec(&REPORT, params![reporter, id, saw]).await?;
        }
        Ok(())
    }
}

/// Index rows of Bob's names as an earlier version wrote them: without the last letter.
struct Indexed;

impl Write for Indexed {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        tx.exec(&INDEXED, params!["bob\nbob", 2]).await.map(drop)
    }
}

/// Runs a write on the schema before a migration.
async fn at_version<W: Write<Out = (), Err = Error>>(config: &Config, before: i64, write: W) {
    let later = MIGRATIONS.iter().position(|one| one.version == before);
    let old = Db::open(config, &MIGRATIONS[..later.unwrap()]).await.unwrap();
    old.write(write).await.unwrap();
    old.close().await;
}

async fn check_migration(config: &Config) {
    at_version(config, 6, Old).await;
    at_version(config, 23, Reported).await;
    at_version(config, 27, Indexed).await;
    let db = Db::open(config, MIGRATIONS).await.unwrap();
    kith::features::members::index_all(&db).await.unwrap();
    let id = Id::first_at(NOON);
    let all = async |sql: &Sql, columns: usize| {
        let read = |row: &kith_db::Row<'_>| (0..columns).map(|n| row.opt_int(n)).collect();
        db.reader().all(sql, &[], read).await.unwrap()
    };
    let posts: Vec<Vec<Option<i64>>> =
        all(&sql!("select id, people_count, rank from posts order by id"), 3).await;
    assert_eq!(
        posts,
        [
            vec![Some(id), Some(2), Some(NOON + 6 * HOUR)],
            vec![Some(id + 1), Some(0), None],
            vec![Some(id + 2), Some(0), None],
        ]
    );
    let listed: Vec<Vec<Option<i64>>> =
        all(&sql!("select repost_of_id from author_posts order by id"), 1).await;
    assert_eq!(listed, [vec![None], vec![None], vec![Some(id)]]);
    let found: Vec<Vec<Option<i64>>> =
        all(&sql!("select member_id from search_terms where place = 1 and term = 'o'"), 1).await;
    assert_eq!(found, [vec![Some(1)]]);
    let last: Vec<Vec<Option<i64>>> =
        all(&sql!("select member_id from search_terms where place = 2 and term = 'b'"), 1).await;
    assert_eq!(last, [vec![Some(2)]], "the last letter of a name that was indexed without it");
    let sessions: Vec<Vec<Option<i64>>> =
        all(&sql!("select id, member_id from sessions order by id"), 2).await;
    assert_eq!(
        sessions,
        [vec![Some(1), Some(2)], vec![Some(2), Some(1)]],
        "each has a number of its own"
    );
    let seen = sql!("select id, evidence from case_evidence where case_id = 5 order by id");
    let read = |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.text(1)?));
    let seen = db.reader().all(&seen, &[], read).await.unwrap();
    let (threat, fine) = ("threat".to_owned(), "fine".to_owned());
    assert_eq!(seen, [(7, threat), (8, fine)], "each once, by its first");
    let ranks = sql!("select distinct suspension_rank, freeze_rank from members");
    let ranks: Vec<Vec<Option<i64>>> = all(&ranks, 2).await;
    assert_eq!(ranks, [vec![Some(1), Some(1)]], "a moderator lifts what was before");
    let uses: Vec<Vec<Option<i64>>> =
        all(&sql!("select uses, held from images order by hash"), 2).await;
    let uses_of = |uses, held| vec![Some(uses), Some(held)];
    assert_eq!(uses, [uses_of(1, 1), uses_of(3, 1), uses_of(2, 0)]);
    db.close().await;
}

#[tokio::test]
async fn an_older_sqlite_file_is_migrated() {
    let folder = tempfile::tempdir().unwrap();
    check_migration(&Config::sqlite(folder.path().join("kith.db"))).await;
}

#[tokio::test]
async fn an_older_postgres_database_is_migrated() {
    check_migration(&Config::postgres(&empty_postgres_url("older").await)).await;
}
