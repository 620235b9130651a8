//! A made network is what the server itself would have left.

use anyhow::Result;
use kith::clock::Clock;
use kith::config::{Settings, Store};
use kith::doctor::{self, Verdict};
use kith::schema::MIGRATIONS;
use kith_bench::network::{self, Manifest, Size};
use kith_db::{Db, Engine, Sql, sql};
use std::path::Path;

/// Saturday, 21 November 2026.
const UNTIL: i64 = 1_795_253_400_000;

async fn made(data: &Path, seed: u64) -> Result<Manifest> {
    let size = Size {
        members: 500,
        posts: 3_000,
        follows: vec![20, 100],
        seed,
    };
    network::make(data, &size, UNTIL).await
}

fn settings(data: &Path) -> Settings {
    Settings::for_command(Store {
        data: data.to_path_buf(),
        database_url: String::new(),
    })
}

async fn open(data: &Path) -> Result<Db> {
    let config = settings(data).store.database();
    Ok(Db::open_as_is(&config, MIGRATIONS).await?)
}

#[tokio::test]
async fn every_count_is_what_it_counts_and_the_doctor_finds_nothing() -> Result<()> {
    let folder = tempfile::tempdir()?;
    made(folder.path(), 1).await?;
    let db = open(folder.path()).await?;
    assert_eq!(db.engine(), Engine::Sqlite);
    assert_eq!(kith::recount::differences(&db).await?, []);
    db.close().await;
    let checks = doctor::examine(&settings(folder.path()), &Clock::system(), None).await;
    let failed = checks.iter().filter(|check| check.verdict == Verdict::Fail);
    assert_eq!(failed.count(), 0, "{checks:?}");
    assert_eq!(
        kith_db::damage_of_sqlite(&folder.path().join("kith.db"))?,
        [""; 0]
    );
    Ok(())
}

#[tokio::test]
async fn every_list_has_what_the_server_would_have_written() -> Result<()> {
    const FOLLOWS: Sql = sql!("select count(*) from follows where follower_id = $1");
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
    let folder = tempfile::tempdir()?;
    let manifest = made(folder.path(), 2).await?;
    let db = open(folder.path()).await?;
    for (what, sql) in MIRRORS {
        assert_eq!(db.one(sql, &[], |row| row.int(0)).await?, 0, "{what}");
    }
    for reader in &manifest.readers {
        let bound = kith_db::params![reader.caller.member];
        let follows = db.one(&FOLLOWS, bound, |row| row.int(0)).await?;
        assert_eq!(usize::try_from(follows)?, reader.follows);
    }
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
        let folder = tempfile::tempdir()?;
        made(folder.path(), seed).await?;
        let db = open(folder.path()).await?;
        let read =
            |row: &kith_db::Row<'_>| Ok((row.int(0)?, row.text(1)?, row.int(2)?, row.int(3)?));
        seen.push(db.all(&TEXTS, &[], read).await?);
        db.close().await;
    }
    assert!(seen[0] == seen[1]);
    assert!(seen[0] != seen[2]);
    Ok(())
}
