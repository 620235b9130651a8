//! Lists of more rows than a call passes over.

use crate::harness::{Server, on_both_engines};
use kith::features::members::SanctionKind;
use kith::platform::clock::{HOUR, MINUTE};
use kith::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

/// Doubles a member's likes, of posts that are not there.
const LIKES: Sql = sql!(
    "insert into member_likes (member_id, post_id, id)
     select member_id, post_id + $2, id + $2 from member_likes where member_id = $1"
);
/// Doubles what For You is read from.
const POSTS: Sql = sql!(
    "insert into posts (id, author_id, content, like_count, repost_count, reply_count, rank)
     select id + $2, author_id, content, 0, 0, 0, rank + $2 from posts where author_id = $1"
);

/// Doubles what Friends is read from.
const WRITTEN: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, repost_of_id)
     select author_id, id + $2, kind, media, repost_of_id from author_posts where author_id = $1"
);
/// Doubles whom a member vouches for, in a list that the database passes over by itself.
const VOUCHES: Sql = sql!(
    "insert into vouches (email, member_id, id)
     select cast(id + $2 as text), member_id, id + $2 from vouches where member_id = $1"
);

/// Doubles a member's likes of one post.
const LIKED: Sql = sql!(
    "insert into member_likes (member_id, post_id, id)
     select member_id, post_id, id + $2 from member_likes where post_id = $1"
);
/// Doubles the use of a member's tags.
const TAGGED: Sql = sql!(
    "insert into tag_posts (tag, id, author_id)
     select tag, id + $2, author_id from tag_posts where author_id = $1"
);
/// Doubles what others are told of a member.
const TOLD: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id)
     select member_id, id + $2, kind, actor_id, post_id + $2 from notifications where actor_id = $1"
);

/// As far as the ids of two rows are apart: 20 seconds, so that many rows are of many hours.
const STEP: i64 = 20_000 << 22;

struct Doubled {
    table: &'static Sql,
    id: i64,
    times: u32,
    step: i64,
}

impl kith_db::Write for Doubled {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for nth in 0..self.times {
            tx.exec(self.table, params![self.id, self.step << nth])
                .await?;
        }
        Ok(())
    }
}

async fn double(server: &Server, table: &'static Sql, id: i64, times: u32) {
    double_by(server, table, id, times, STEP).await;
}

async fn double_by(server: &Server, table: &'static Sql, id: i64, times: u32, step: i64) {
    let doubled = Doubled {
        table,
        id,
        times,
        step,
    };
    server.app.db.write(doubled).await.unwrap();
}

on_both_engines! {
    /// What is within reach is answered, and beyond the end there is nothing; between the two a call
    /// would walk for as long as the list is.
    /// proves: wire-offset-deep
    async fn a_call_walks_only_so_far(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let id = ada.id().await.parse().unwrap();
        let post = ada.write("one of many").await;
        ada.poke(&format!("/api/posts/{post}/like")).await.expect(200);
        double(&server, &LIKES, id, 14).await;
        double(&server, &POSTS, id, 14).await;
        double(&server, &WRITTEN, id, 14).await;
        ada.post("/api/waitlist/vouches", json!({"email": "vic@example.org"})).await.expect(200);
        double(&server, &VOUCHES, id, 14).await;
        let likes = format!("/api/users/{}/posts?filter=likes&", ada.name().await);
        // Who mutes somebody is read another way.
        let carl = server.member("carl").await;
        carl.poke(&format!("/api/mutes/{}", bob.id().await)).await.expect(200);
        for (reader, path) in [(&ada, likes.as_str()), (&ada, "/api/waitlist/vouches?"), (&ada, "/api/posts/feed?"), (&bob, "/api/posts/for-you?"), (&carl, "/api/posts/for-you?")] {
            let page = reader.get(&format!("{path}limit=1&offset=9990")).await.expect(200);
            assert!(page.is_array(), "{path}");
            for offset in ["12000", "4294967295"] {
                let refused = reader.get(&format!("{path}limit=1&offset={offset}")).await;
                assert_eq!(refused.refusal(400), "invalid", "{path} {offset}");
            }
        }
    }

    /// Eight thousand rows of somebody who is not shown, and one behind them: the first page ends before
    /// it has passed them all, and the next one begins about where it ended, at a full hour.
    /// proves: pages-far, block-cursors
    async fn a_page_passes_only_so_many_rows(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let mut liked = Vec::new();
        for (author, content) in [(&bob, "behind #here"), (&eve, "before #here")] {
            liked.push(author.write(content).await);
            ada.poke(&format!("/api/posts/{}/like", liked[liked.len() - 1])).await.expect(200);
            author.follow(&ada).await;
        }
        let id = eve.id().await.parse().unwrap();
        // Carl follows somebody who has reposted what is hidden from him, and Bob.
        let carl = server.member("carl").await;
        let dora = server.member("dora").await;
        for other in [&bob, &dora] {
            carl.follow(other).await;
        }
        // Ids are of their time, and the next ones are taken below.
        server.pass(1);
        dora.repost(&liked[1]).await;
        double(&server, &WRITTEN, dora.id().await.parse().unwrap(), 13).await;
        double(&server, &LIKED, liked[1].parse().unwrap(), 13).await;
        for table in [&POSTS, &TAGGED, &TOLD] {
            double(&server, table, id, 13).await;
        }
        // They are of the past.
        server.pass(20_000 << 13);
        server.operate(&eve.name().await, SanctionKind::Suspend).await.unwrap();
        let likes = format!("/api/users/{}/posts?filter=likes&", ada.name().await);
        let (told, friends) = ("/api/notifications?", "/api/posts/feed?");
        for list in ["/api/posts/for-you?", "/api/hashtags/here/posts?", &likes, told, friends] {
            let ada = if list == friends { &carl } else { &ada };
            let page = ada.get(&format!("{list}limit=1")).await;
            assert_eq!(page.expect(200), json!([]), "{list}");
            let next = page.next().expect("it goes on");
            let (_, cursor) = next.rsplit_once("cursor=").unwrap();
            // What is sealed is not read.
            let place = cursor.split('-').nth(usize::from(list.ends_with("for-you?")));
            let time = place.and_then(|id| id.parse().ok()).map(|id| Id(id).time());
            assert_eq!(time.unwrap_or(0) % HOUR, 0, "{list} {next} names a row");
            let page = ada.get(&next).await.expect(200);
            let (rows, content) = (page.as_array().unwrap().len(), &page[0]["content"]);
            assert_eq!(rows, 1, "{list} {next}");
            assert!(list == told || content == "behind #here", "{list} {content}");
        }
    }

    /// A page ends among 8,000 rows of half an hour that are not shown, and what it would show above them is
    /// skipped by its offset: the next page begins below that.
    /// proves: pages-far, wire-offset
    async fn a_page_leads_on_from_what_an_offset_skipped(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        server.pass(HOUR - server.app.now() % HOUR);
        bob.write("behind #here").await;
        server.pass(MINUTE);
        eve.write("hidden #here").await;
        let id = eve.id().await.parse().unwrap();
        for table in [&POSTS, &TAGGED] {
            double_by(&server, table, id, 13, 200 << 22).await;
        }
        server.pass(50 * MINUTE);
        bob.write("above #here").await;
        server.operate(&eve.name().await, SanctionKind::Suspend).await.unwrap();
        let page = ada.get("/api/hashtags/here/posts?limit=1&offset=1").await;
        assert_eq!(page.expect(200), json!([]));
        let page = ada.get(&page.next().expect("it goes on")).await;
        assert_eq!(page.expect(200)[0]["content"], "behind #here");
    }
}
