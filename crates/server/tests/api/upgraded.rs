//! A network that an older version wrote, served by this one.

use crate::harness::{Options, START, Server, api_path_of, bucket_url, empty_postgres_url};
use kith::features::auth::create_operator_login_url;
use kith::features::members;
use kith::platform::clock::DAY;
use kith::platform::ids::Id;
use kith::platform::migrations::MIGRATIONS;
use kith_db::{Config, Db, Error, Result, Sql, Tx, Write, params, sql};
use serde_json::json;

/// The first schema with everything that [`OldNetwork`] writes, and that of version 0.2.0.
const OLD_SCHEMAS: [usize; 2] = [5, 33];

const MEMBER: Sql = sql!(
    "insert into members (id, username, username_chosen_at, display_name, bio, website, email, role, follower_count,
       following_count, post_count, invites_made) values ($1, $2, $1, $3, 'Since long ago', '', $4, 0, $5, $6, 1, 0)"
);
const NAME: Sql = sql!("insert into usernames (name, member_id) values ($1, $2)");
const EMAIL: Sql = sql!("insert into emails (email, member_id) values ($1, $2)");
const FOLLOW: Sql = sql!("insert into follows (follower_id, followee_id, id) values ($1, $2, $3)");
const FOLLOWER: Sql =
    sql!("insert into followers (followee_id, follower_id, id) values ($1, $2, $3)");
const POST: Sql = sql!(
    "insert into posts (id, author_id, content, reply_to_id, reply_to_author_id, root_id, like_count, repost_count,
       reply_count) values ($1, $2, $3, $4, $5, $4, $6, 0, $7)"
);
const LISTED: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, reply_to_author_id) values ($1, $2, $3, 0, $4)"
);
const REPLY: Sql = sql!("insert into replies (post_id, id, author_id) values ($1, $2, $3)");
const LIKE: Sql = sql!("insert into likes (post_id, member_id, id) values ($1, $2, $3)");
const LIKED: Sql = sql!("insert into member_likes (member_id, post_id, id) values ($1, $2, $3)");

/// Ada follows Bob, and likes and answers his post.
struct OldNetwork;

impl OldNetwork {
    /// Id of the `n`th thing of a day long before the server's start.
    fn id(n: i64) -> i64 {
        Id::first_at(START - 10 * DAY) + n
    }
}

impl Write for OldNetwork {
    type Out = ();
    type Err = Error;

    async fn run(&self, tx: &mut Tx) -> Result<()> {
        let [ada, bob, post, reply, like, follow] = [1, 2, 3, 4, 5, 6].map(Self::id);
        for (id, name, shown, followers, followed) in
            [(ada, "ada", "Ada Ö", 0, 1), (bob, "bob", "Bob", 1, 0)]
        {
            let email = format!("{name}@example.org");
            tx.exec(&MEMBER, params![id, name, shown, email.as_str(), followers, followed]).await?;
            tx.exec(&NAME, params![name, id]).await?;
            tx.exec(&EMAIL, params![email.as_str(), id]).await?;
        }
        tx.exec(&FOLLOW, params![ada, bob, follow]).await?;
        tx.exec(&FOLLOWER, params![bob, ada, follow]).await?;
        let nothing = None::<i64>;
        tx.exec(&POST, params![post, bob, "An old post", nothing, nothing, 1, 1]).await?;
        tx.exec(&POST, params![reply, ada, "An old reply", post, bob, 0, 0]).await?;
        tx.exec(&LISTED, params![bob, post, 0, nothing]).await?;
        tx.exec(&LISTED, params![ada, reply, 1, bob]).await?;
        tx.exec(&REPLY, params![post, reply, ada]).await?;
        tx.exec(&LIKE, params![post, ada, like]).await?;
        tx.exec(&LIKED, params![ada, post, like]).await?;
        Ok(())
    }
}

async fn write_old_network(config: &Config, schema: usize) {
    let db = Db::open(config, &MIGRATIONS[..schema]).await.unwrap();
    db.write(OldNetwork).await.unwrap();
    db.close().await;
}

/// Opens the old network, reads everything in it, and adds to it.
async fn check_served(server: Server) {
    // As at every start.
    members::index_all(&server.state.db).await.unwrap();
    let post = OldNetwork::id(3).to_string();
    let ada = server.visitor();
    let link = create_operator_login_url(&server.state, "ada").await.unwrap();
    ada.get(&api_path_of(&link)).await.expect(200);
    let me = ada.me().await;
    assert_eq!((&me["displayName"], &me["email"]), (&json!("Ada Ö"), &json!("ada@example.org")));
    let bob = ada.get("/api/users/bob").await.expect(200);
    let shown = json!([bob["bio"], bob["followerCount"], bob["postCount"], bob["isFollowing"]]);
    assert_eq!(shown, json!(["Since long ago", 1, 1, true]));
    for path in ["/api/posts/feed", "/api/users/bob/posts"] {
        assert!(ada.contents(path).await.contains(&"An old post".to_owned()), "{path}");
    }
    assert_eq!(ada.contents("/api/users/ada/posts?filter=likes").await, ["An old post"]);
    let found = ada.get("/api/users/search?q=bob").await.expect(200);
    assert_eq!(found[0]["username"], "bob");

    let thread = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200);
    let counts = json!([thread["post"]["likeCount"], thread["post"]["replyCount"]]);
    assert_eq!((counts, &thread["post"]["isLiked"]), (json!([1, 1]), &json!(true)));
    assert_eq!(thread["replies"][0]["content"], "An old reply");
    ada.delete(&format!("/api/posts/{post}/like")).await.expect(200);
    ada.create(json!({"content": "A new reply", "replyToId": post})).await;
    let thread = ada.get(&format!("/api/posts/{post}/thread")).await.expect(200);
    let counts = json!([thread["post"]["likeCount"], thread["post"]["replyCount"]]);
    assert_eq!(counts, json!([0, 2]));
    // Members join as before.
    server.member("cat").await.get("/api/users/ada").await.expect(200);
}

/// proves: upgrade-data
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_data_folder_is_served() {
    for schema in OLD_SCHEMAS {
        let data = tempfile::tempdir().unwrap();
        write_old_network(&Config::sqlite(data.path().join("kith.db")), schema).await;
        check_served(Server::open(data, Options::on(String::new())).await).await;
    }
}

/// proves: upgrade-data
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_older_postgres_database_is_served() {
    for schema in OLD_SCHEMAS {
        let url = empty_postgres_url(&format!("upgraded_{schema}")).await;
        write_old_network(&Config::postgres(&url), schema).await;
        let options = Options { storage_url: bucket_url(), ..Options::on(url) };
        check_served(Server::open(tempfile::tempdir().unwrap(), options).await).await;
    }
}
