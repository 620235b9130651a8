//! Lists with more rows than a request scans.

use crate::harness::{Server, on_both_engines};
use kith::features::members::SanctionKind;
use kith::platform::clock::{HOUR, MINUTE};
use kith::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

/// Doubles a member's likes, with posts that do not exist.
const LIKES: Sql = sql!(
    "insert into member_likes (member_id, post_id, id)
     select member_id, post_id + $2, id + $2 from member_likes where member_id = $1"
);
/// Doubles the rows that For You reads.
const POSTS: Sql = sql!(
    "insert into posts (id, author_id, content, like_count, repost_count, reply_count, rank)
     select id + $2, author_id, content, 0, 0, 0, rank + $2 from posts where author_id = $1"
);

/// Doubles the rows that the Friends timeline reads.
const AUTHOR_POSTS: Sql = sql!(
    "insert into author_posts (author_id, id, kind, media, repost_of_id)
     select author_id, id + $2, kind, media, repost_of_id from author_posts where author_id = $1"
);
/// Doubles a member's vouches, whose offset the database applies itself.
const VOUCHES: Sql = sql!(
    "insert into vouches (email, member_id, id)
     select cast(id + $2 as text), member_id, id + $2 from vouches where member_id = $1"
);

/// Doubles the likes of one post.
const POST_LIKES: Sql = sql!(
    "insert into member_likes (member_id, post_id, id)
     select member_id, post_id, id + $2 from member_likes where post_id = $1"
);
/// Doubles the hashtag rows of an author.
const TAG_POSTS: Sql = sql!(
    "insert into tag_posts (tag, id, author_id)
     select tag, id + $2, author_id from tag_posts where author_id = $1"
);
/// Doubles the notifications caused by a member.
const NOTIFICATIONS: Sql = sql!(
    "insert into notifications (member_id, id, kind, actor_id, post_id)
     select member_id, id + $2, kind, actor_id, post_id + $2 from notifications where actor_id = $1"
);

/// Distance between ids, equal to 20 seconds, so that the rows span many hours.
const STEP: i64 = 20_000 << 22;

struct DoubleRows {
    table: &'static Sql,
    id: i64,
    times: u32,
    step: i64,
}

impl kith_db::Write for DoubleRows {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for nth in 0..self.times {
            tx.exec(self.table, params![self.id, self.step << nth]).await?;
        }
        Ok(())
    }
}

async fn double(server: &Server, table: &'static Sql, id: i64, times: u32) {
    double_by(server, table, id, times, STEP).await;
}

async fn double_by(server: &Server, table: &'static Sql, id: i64, times: u32, step: i64) {
    let write = DoubleRows { table, id, times, step };
    server.state.db.write(write).await.unwrap();
}

on_both_engines! {
    /// Offsets within the scan limit work, and those past the end are empty; in between, a request
    /// would scan the whole list.
    /// proves: wire-offset-deep
    async fn a_request_scans_a_limited_number_of_rows(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let id = ada.id().await.parse().unwrap();
        let post = ada.write("one of many").await;
        ada.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        double(&server, &LIKES, id, 14).await;
        double(&server, &POSTS, id, 14).await;
        double(&server, &AUTHOR_POSTS, id, 14).await;
        ada.post("/api/waitlist/vouches", json!({"email": "vic@example.org"})).await.expect(200);
        double(&server, &VOUCHES, id, 14).await;
        let likes = format!("/api/users/{}/posts?filter=likes&", ada.name().await);
        // A viewer with mutes reads another query.
        let carl = server.member("carl").await;
        carl.post_empty(&format!("/api/mutes/{}", bob.id().await)).await.expect(200);
        for (viewer, path) in [(&ada, likes.as_str()), (&ada, "/api/waitlist/vouches?"), (&ada, "/api/posts/feed?"), (&bob, "/api/posts/for-you?"), (&carl, "/api/posts/for-you?")] {
            let page = viewer.get(&format!("{path}limit=1&offset=9990")).await.expect(200);
            assert!(page.is_array(), "{path}");
            for offset in ["12000", "4294967295"] {
                let response = viewer.get(&format!("{path}limit=1&offset={offset}")).await;
                assert_eq!(response.error_code(400), "invalid", "{path} {offset}");
            }
        }
    }

    /// With 8,000 hidden rows ahead of a visible one, the first page stops at the scan limit, and
    /// its cursor is rounded to a full hour.
    /// proves: pages-far, block-cursors
    async fn a_page_stops_at_the_scan_limit(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let mut liked = Vec::new();
        for (author, content) in [(&bob, "behind #here"), (&eve, "before #here")] {
            liked.push(author.write(content).await);
            ada.post_empty(&format!("/api/posts/{}/like", liked[liked.len() - 1])).await.expect(200);
            author.follow(&ada).await;
        }
        let id = eve.id().await.parse().unwrap();
        // Carl follows Bob and Dora, who reposted a hidden post.
        let carl = server.member("carl").await;
        let dora = server.member("dora").await;
        for other in [&bob, &dora] {
            carl.follow(other).await;
        }
        // Ids derive from the time, and the next ones must be lower.
        server.advance_clock(1);
        dora.repost(&liked[1]).await;
        double(&server, &AUTHOR_POSTS, dora.id().await.parse().unwrap(), 13).await;
        double(&server, &POST_LIKES, liked[1].parse().unwrap(), 13).await;
        for table in [&POSTS, &TAG_POSTS, &NOTIFICATIONS] {
            double(&server, table, id, 13).await;
        }
        // Moves the inserted rows into the past.
        server.advance_clock(20_000 << 13);
        server.apply_sanction(&eve.name().await, SanctionKind::Suspend).await.unwrap();
        let likes = format!("/api/users/{}/posts?filter=likes&", ada.name().await);
        let (notifications, friends) = ("/api/notifications?", "/api/posts/feed?");
        for list in ["/api/posts/for-you?", "/api/hashtags/here/posts?", &likes, notifications, friends] {
            let ada = if list == friends { &carl } else { &ada };
            let page = ada.get(&format!("{list}limit=1")).await;
            assert_eq!(page.expect(200), json!([]), "{list}");
            let next = page.next().expect("there is a next page");
            let (_, cursor) = next.rsplit_once("cursor=").unwrap();
            // The encrypted part of a cursor is not inspected.
            let place = cursor.split('-').nth(usize::from(list.ends_with("for-you?")));
            let time = place.and_then(|id| id.parse().ok()).map(|id| Id(id).time());
            assert_eq!(time.unwrap_or(0) % HOUR, 0, "{list} {next} names a row");
            let page = ada.get(&next).await.expect(200);
            let (rows, content) = (page.as_array().unwrap().len(), &page[0]["content"]);
            assert_eq!(rows, 1, "{list} {next}");
            assert!(list == notifications || content == "behind #here", "{list} {content}");
        }
    }

    /// If a page stops among 8,000 hidden rows and its offset skipped the visible ones above, the
    /// next page starts below.
    /// proves: pages-far, wire-offset
    async fn a_page_continues_below_rows_skipped_by_an_offset(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        server.advance_clock(HOUR - server.state.now() % HOUR);
        bob.write("behind #here").await;
        server.advance_clock(MINUTE);
        eve.write("hidden #here").await;
        let id = eve.id().await.parse().unwrap();
        for table in [&POSTS, &TAG_POSTS] {
            double_by(&server, table, id, 13, 200 << 22).await;
        }
        server.advance_clock(50 * MINUTE);
        bob.write("above #here").await;
        server.apply_sanction(&eve.name().await, SanctionKind::Suspend).await.unwrap();
        let page = ada.get("/api/hashtags/here/posts?limit=1&offset=1").await;
        assert_eq!(page.expect(200), json!([]));
        let page = ada.get(&page.next().expect("there is a next page")).await;
        assert_eq!(page.expect(200)[0]["content"], "behind #here");
    }
}
