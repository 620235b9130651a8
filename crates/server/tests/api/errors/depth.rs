//! Pages far down a list of more rows than a call passes over.

use crate::harness::{Server, on_both_engines};
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

/// Doubles whom a member vouches for, in a list that the database passes over by itself.
const VOUCHES: Sql = sql!(
    "insert into vouches (email, member_id, id)
     select cast(id + $2 as text), member_id, id + $2 from vouches where member_id = $1"
);

struct Doubled {
    table: &'static Sql,
    member: i64,
    times: u32,
}

impl kith_db::Write for Doubled {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for nth in 0..self.times {
            tx.exec(self.table, params![self.member, 1_i64 << nth])
                .await?;
        }
        Ok(())
    }
}

async fn double(server: &Server, table: &'static Sql, member: i64) {
    let times = 17;
    let doubled = Doubled {
        table,
        member,
        times,
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
        double(&server, &LIKES, id).await;
        double(&server, &POSTS, id).await;
        ada.post("/api/waitlist/vouches", json!({"email": "vic@example.org"})).await.expect(200);
        double(&server, &VOUCHES, id).await;
        let likes = format!("/api/users/{}/posts?filter=likes&", ada.name().await);
        // Who mutes somebody is read another way.
        let carl = server.member("carl").await;
        carl.poke(&format!("/api/mutes/{}", bob.id().await)).await.expect(200);
        for (reader, path) in [(&ada, likes.as_str()), (&ada, "/api/waitlist/vouches?"), (&bob, "/api/posts/for-you?"), (&carl, "/api/posts/for-you?")] {
            let page = reader.get(&format!("{path}limit=1&offset=99990")).await.expect(200);
            assert!(page.is_array(), "{path}");
            for offset in ["120000", "4294967295"] {
                let refused = reader.get(&format!("{path}limit=1&offset={offset}")).await;
                assert_eq!(refused.refusal(400), "invalid", "{path} {offset}");
            }
        }
    }
}
