//! Likes, follows, reposts and votes, toggled as fast as possible.

use super::{join_all_responses, statuses};
use crate::harness::{Browser, Server, id_of, on_both_engines};
use kith_db::{Sql, params, sql};
use serde_json::json;
use std::collections::BTreeMap;
use tokio::task::JoinSet;

const LIKES: Sql = sql!("select count(*) from likes where post_id = $1");
const MY_LIKES: Sql = sql!("select count(*) from member_likes where post_id = $1");
const FOLLOWERS: Sql = sql!("select count(*) from followers where followee_id = $1");
const FOLLOWS: Sql = sql!("select count(*) from follows where followee_id = $1");
const REPOSTS: Sql = sql!("select count(*) from reposts where post_id = $1");
const REPOST_POSTS: Sql = sql!("select count(*) from posts where repost_of_id = $1");
const VOTES: Sql = sql!("select count(*) from poll_votes where post_id = $1 and choice = $2");

/// Returns the number of rounds in which all members toggle.
fn rounds() -> u32 {
    let given = std::env::var("KITH_PROOF_ROUNDS").ok();
    given.map_or(1, |text| text.parse().unwrap())
}

async fn sign_up_members(server: &Server, count: usize) -> Vec<Browser> {
    let mut members = Vec::new();
    for n in 0..count {
        members.push(server.member(&format!("m{n}")).await);
    }
    members
}

/// Toggles `rounds` times for each member, concurrently; some end on, some off.
async fn toggle(members: &[Browser], rounds: usize, on: (&str, Option<String>), off: &str) {
    let mut tasks = JoinSet::new();
    for (n, member) in members.iter().enumerate() {
        for round in 0..rounds {
            let tab = member.tab();
            let (path, body, off) = (on.0.to_owned(), on.1.clone(), off.to_owned());
            tasks.spawn(async move {
                if (n + round) % 2 == 0 {
                    let headers = [("content-type", "application/json")];
                    tab.request("POST", &path, &headers, body.unwrap_or_default()).await
                } else {
                    tab.delete(&off).await
                }
            });
        }
    }
    for (status, count) in statuses(&join_all_responses(tasks).await) {
        // A repost may be withdrawn before its response is built.
        let gone = status == 404 && on.0 == "/api/posts";
        assert!(gone || [200, 201].contains(&status), "{count} responses with {status}");
    }
}

on_both_engines! {
    /// After 200 toggles by 5 members the counter equals the rows of both tables. `cargo xtask
    /// prove toggles` repeats it.
    /// proves: counters-exact
    async fn likes_do_not_drift(server) {
        let members = sign_up_members(&server, 5).await;
        let post = members[0].write("like me").await;
        let path = format!("/api/posts/{post}/like");
        for _ in 0..rounds() {
            toggle(&members, 40, (&path, None), &path).await;
        }
        let id = post.parse::<i64>().unwrap();
        let mut liked = 0;
        for member in &members {
            liked += i64::from(member.get_post(&post).await["isLiked"].as_bool().unwrap());
        }
        let seen = members[0].get_post(&post).await["likeCount"].as_i64().unwrap();
        let rows = (server.count(&LIKES, params![id]).await, server.count(&MY_LIKES, params![id]).await);
        assert_eq!((seen, seen), rows);
        assert_eq!(seen, liked);
    }

    /// After concurrent follows and unfollows the counts of both members equal the rows.
    /// proves: counters-exact
    async fn follows_do_not_drift(server) {
        let members = sign_up_members(&server, 5).await;
        let star = server.member("star").await;
        let id = star.id().await;
        let body = json!({"followingId": id}).to_string();
        toggle(&members, 10, ("/api/follows", Some(body)), &format!("/api/follows/{id}")).await;
        let id = id.parse::<i64>().unwrap();
        let count = star.me().await["followerCount"].as_i64().unwrap();
        let rows = (server.count(&FOLLOWERS, params![id]).await, server.count(&FOLLOWS, params![id]).await);
        assert_eq!((count, count), rows);
        let mut following = 0;
        for member in &members {
            following += member.me().await["followingCount"].as_i64().unwrap();
        }
        assert_eq!(following, count);
    }

    /// Two members who follow and unfollow each other concurrently do not deadlock.
    /// proves: counters-exact
    async fn mutual_follows_do_not_block(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (hers, his) = (ada.id().await, bob.id().await);
        let mut tasks = JoinSet::new();
        for n in 0..60 {
            let (tab, other) = if n % 2 == 0 { (ada.tab(), his.clone()) } else { (bob.tab(), hers.clone()) };
            tasks.spawn(async move {
                if n % 4 < 2 {
                    tab.post("/api/follows", json!({"followingId": other})).await
                } else {
                    tab.delete(&format!("/api/follows/{other}")).await
                }
            });
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 60)]));
        let (a, b) = (ada.me().await, bob.me().await);
        assert_eq!((&a["followerCount"], &a["followingCount"]), (&b["followingCount"], &b["followerCount"]));
    }

    /// After concurrent reposts and withdrawals there is one row per repost and no orphan.
    /// proves: counters-exact
    async fn reposts_do_not_drift(server) {
        let members = sign_up_members(&server, 4).await;
        let post = members[0].write("pass me on").await;
        let body = json!({"content": "♻️", "repostOfId": post}).to_string();
        toggle(&members, 12, ("/api/posts", Some(body)), &format!("/api/posts/{post}/repost")).await;
        let id = post.parse::<i64>().unwrap();
        let seen = members[0].get_post(&post).await["repostCount"].as_i64().unwrap();
        let rows = (server.count(&REPOSTS, params![id]).await, server.count(&REPOST_POSTS, params![id]).await);
        assert_eq!((seen, seen), rows);
    }

    /// After concurrent votes each member has one vote, and the tallies agree.
    /// proves: counters-exact, poll-one-vote
    async fn polls_do_not_drift(server) {
        let members = sign_up_members(&server, 5).await;
        let options = ["a", "b", "c"];
        let poll = members[0].create(json!({"content": "which?", "pollOptions": options})).await;
        let post = id_of(&poll);
        let mut tasks = JoinSet::new();
        for (n, member) in members.iter().enumerate() {
            for round in 0..12 {
                let (tab, path) = (member.tab(), format!("/api/posts/{post}/vote"));
                let option = options[(n + round) % 3];
                tasks.spawn(async move { tab.post(&path, json!({"option": option})).await });
            }
        }
        assert_eq!(statuses(&join_all_responses(tasks).await), BTreeMap::from([(200, 60)]));
        let seen = members[0].get_post(&post).await;
        let mut total = 0;
        for (choice, option) in (0_i64..).zip(options) {
            let tally = seen["pollTallies"][option].as_i64().unwrap();
            let id = post.parse::<i64>().unwrap();
            assert_eq!(tally, server.count(&VOTES, params![id, choice]).await, "{option}");
            total += tally;
        }
        assert_eq!(total, 5);
    }
}
