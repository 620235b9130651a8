//! The weekly digest.

use crate::harness::{Browser, Server, on_both_engines};
use axum::http::Method;
use kith::features::digest;
use kith::features::members::SanctionKind;
use kith::platform::clock::{DAY, HOUR, MINUTE};
use kith::platform::config::Toggle;
use kith::platform::ids::Id;
use kith_db::{Sql, Tx, params, sql};
use serde_json::json;

const SETTINGS: &str = "/api/notifications/settings";
const DUE: Sql = sql!("select count(*) from digests where due_at <= $1");
const DIGESTS: Sql = sql!("select count(*) from digests");

/// Lets time pass, sends the digests that are due, and returns those to a member.
async fn digests_after(server: &Server, time: i64) -> Vec<String> {
    let digests = all_digests_after(server, time).await.into_iter();
    digests.filter(|text| text.contains("To: ada@example.org")).collect()
}

/// Lets time pass, sends the digests that are due, and returns them.
async fn all_digests_after(server: &Server, time: i64) -> Vec<String> {
    server.advance_clock(time);
    digest::enqueue_due(&server.state).await.unwrap();
    server.wait_for_mail_queue().await;
    let mails = server.mails().into_iter().map(|(path, text)| {
        std::fs::remove_file(path).unwrap();
        text
    });
    mails.filter(|text| text.contains("List-Unsubscribe:")).collect()
}

/// The only digest of a list, as plain text.
#[track_caller]
fn only_text(digests: &[String]) -> &str {
    let [digest] = digests else { panic!("one digest: {digests:#?}") };
    digest.split("<!DOCTYPE html>").next().unwrap()
}

/// The path of the URL in the header of a digest.
fn unsubscribe_path(digest: &str) -> String {
    let mut lines = digest.lines().skip_while(|line| !line.starts_with("List-Unsubscribe:"));
    // A long header continues in lines that begin with a space.
    let first = lines.next().unwrap().to_owned();
    let rest = lines.take_while(|line| line.starts_with(' '));
    let header = rest.fold(first, |header, line| header + line);
    let (_, url) = header.split_once('<').unwrap();
    let path = url.strip_prefix("http://localhost:8080").unwrap();
    path.strip_suffix('>').unwrap().to_owned()
}

async fn wants_digest(browser: &Browser) -> bool {
    browser.get(SETTINGS).await.expect(200)["weeklyDigest"].as_bool().unwrap()
}

/// Turns digests on for members who joined long ago and exist no more.
struct EnableMany(Vec<Id>);

impl kith_db::Write for EnableMany {
    type Out = ();
    type Err = kith_db::Error;

    async fn run(&self, tx: &mut Tx) -> kith_db::Result<()> {
        for member in &self.0 {
            digest::enable(tx, *member, member.time()).await?;
        }
        Ok(())
    }
}

on_both_engines! {
    /// proves: digest-weekly, digest-new
    async fn a_digest_is_sent_after_a_week_if_something_is_new(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let post = ada.write("mine").await;
        ben.reply(&post, "first").await;
        // Ada was here within a week.
        assert_eq!(digests_after(&server, 7 * DAY).await, [""; 0]);
        assert_eq!(digests_after(&server, 12 * HOUR - MINUTE).await, [""; 0]);
        let digests = digests_after(&server, MINUTE).await;
        assert!(digests[0].contains("To: ada@example.org"));
        assert!(digests[0].contains("Subject: Your week on Kith"));
        assert!(only_text(&digests).contains("New member replied to you: first"));
        // The same reply is not reported again.
        ben.get("/api/auth/me").await.expect(200);
        assert_eq!(digests_after(&server, 7 * DAY).await, [""; 0]);
        ben.reply(&post, "second").await;
        let digests = digests_after(&server, 7 * DAY).await;
        assert!(only_text(&digests).contains("New member replied to you: second"));
        assert!(!digests[0].contains("first"));
    }

    /// proves: digest-weekly
    async fn a_member_who_was_here_gets_no_digest(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        let post = ada.write("mine").await;
        server.advance_clock(7 * DAY);
        ben.reply(&post, "unread").await;
        ada.get("/api/posts/feed").await.expect(200);
        assert_eq!(digests_after(&server, DAY).await, [""; 0]);
        assert_eq!(digests_after(&server, 5 * DAY).await, [""; 0]);
        // A visit shortly before a digest is sent is a visit, too.
        server.advance_clock(DAY + 13 * HOUR);
        let other = server.log_in_again(&ben, "").await;
        digest::enqueue_due(&server.state).await.unwrap();
        server.wait_for_mail_queue().await;
        let digests = digests_after(&server, 0).await;
        assert!(only_text(&digests).contains("unread"));
        other.reply(&post, "more").await;
        server.log_in("ada").await;
        assert_eq!(digests_after(&server, 7 * DAY).await, [""; 0]);
    }

    /// proves: digest-content, digest-login, digest-language
    async fn replies_come_first_then_counts_and_friends(server) {
        let ada = server.member("ada").await;
        let (ben, cat, dan) =
            (server.member("ben").await, server.member("cat").await, server.member("dan").await);
        ben.json(Method::PUT, "/api/users/profile", json!({"displayName": "Ben"})).await.expect(200);
        for friend in [&ben, &cat, &dan] {
            ada.follow(friend).await;
        }
        let (name, post) = (ada.name().await, ada.write("mine").await);
        ben.follow(&ada).await;
        server.advance_clock(DAY);
        for n in 0..6 {
            ben.reply(&post, &format!("answer {n}")).await;
        }
        ben.write(&format!("hello\n@{name}")).await;
        for friend in [&ben, &cat, &dan] {
            friend.post_empty(&format!("/api/posts/{post}/like")).await.expect(200);
        }
        // Neither a repost nor a reply starts a conversation.
        dan.repost(&post).await;
        cat.write("one").await;
        cat.write("two").await;
        let digests = digests_after(&server, 6 * DAY + 12 * HOUR).await;
        let lines = format!(
            "Your week on Kith\n\nBen mentioned you: hello @{name}\n\nBen replied to you: answer 5\n\n\
             Ben replied to you: answer 4\n\nBen replied to you: answer 3\n\nBen replied to you: answer 2\n\n\
             2 more replies and mentions, 3 likes, 1 repost, 1 new follower\n\n2 friends posted\n\n\
             See what's new:\nhttp://localhost:8080/notifications\n\n"
        );
        let text = only_text(&digests);
        assert!(text.contains(&lines), "{text}");
        let urls = digests[0].matches("http://localhost:8080").count();
        let known = ["http://localhost:8080/notifications", "http://localhost:8080/api/digest/unsubscribe?token="];
        let known = known.map(|url| digests[0].matches(url).count());
        assert_eq!((known, urls), ([2, 3], 5));
        // In the member's language, with what is new.
        ada.json(Method::PUT, "/api/account/language", json!({"language": "de"})).await.expect(204);
        ben.get("/api/auth/me").await.expect(200);
        server.advance_clock(7 * DAY + 2 * HOUR);
        ben.write("something").await;
        let digests = digests_after(&server, 6 * DAY).await;
        let text = only_text(&digests);
        assert!(text.contains("Woche bei Kith\n\nNeue Beitr=C3=A4ge aus deinem Freundeskreis\n\nNeues ansehen:"), "{text}");
    }

    /// proves: digest-hidden
    async fn hidden_members_and_unwanted_types_are_left_out(server) {
        let ada = server.member("ada").await;
        let (ben, cat, dan) =
            (server.member("ben").await, server.member("cat").await, server.member("dan").await);
        for friend in [&ben, &cat, &dan] {
            ada.follow(friend).await;
            friend.follow(&ada).await;
            friend.reply(&ada.write("mine").await, "a reply").await;
            friend.post_empty(&format!("/api/posts/{}/like", ada.write("other").await)).await.expect(200);
        }
        let likes = json!({"like": {"from": "none", "push": false}});
        ada.json(Method::PUT, SETTINGS, likes).await.expect(200);
        ada.post_empty(&format!("/api/mutes/{}", ben.id().await)).await.expect(200);
        server.advance_clock(DAY);
        for friend in [&ben, &cat, &dan] {
            friend.write("a post").await;
        }
        let name = cat.name().await;
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        let digests = digests_after(&server, 6 * DAY + 12 * HOUR).await;
        let text = only_text(&digests);
        assert_eq!(text.matches("replied to you").count(), 1);
        assert!(text.contains("a reply\n\n1 new follower\n\n1 friend posted\n\nSee"), "{text}");
        // With all of them hidden nothing is waiting.
        dan.write("more").await;
        dan.post_empty(&format!("/api/blocks/{}", ada.id().await)).await.expect(200);
        assert_eq!(digests_after(&server, 14 * DAY).await, [""; 0]);
    }

    /// proves: digest-hidden
    async fn a_suspended_member_gets_no_digest(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        ben.follow(&ada).await;
        let name = ada.name().await;
        server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
        assert_eq!(digests_after(&server, 8 * DAY).await, [""; 0]);
        server.apply_sanction(&name, SanctionKind::Unsuspend).await.unwrap();
        assert!(only_text(&digests_after(&server, 7 * DAY).await).contains("1 new follower"));
    }

    /// proves: digest-setting
    async fn a_member_turns_digests_off_and_on(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        // The founder joined without signing up, like members before there were digests.
        let founder = server.founder().await;
        assert!(wants_digest(&ada).await && !wants_digest(&founder).await);
        let set = async |body| ada.json(Method::PUT, SETTINGS, body).await.expect(200)["weeklyDigest"].clone();
        for _ in 0..2 {
            assert_eq!(set(json!({"weeklyDigest": false})).await, false);
        }
        for body in [json!({}), json!({"weeklyDigest": null}), json!({"like": {"from": "none", "push": false}})] {
            assert_eq!(set(body).await, false);
        }
        ben.follow(&ada).await;
        assert_eq!(digests_after(&server, 8 * DAY).await, [""; 0]);
        for _ in 0..2 {
            assert_eq!(set(json!({"weeklyDigest": true})).await, true);
        }
        assert_eq!(set(json!({})).await, true);
        assert!(only_text(&digests_after(&server, 14 * DAY).await).contains("1 new follower"));
    }

    /// proves: digest-unsubscribe, call-unsubscribe
    async fn a_mail_program_unsubscribes_by_one_click(server) {
        let (ada, ben) = (server.member("ada").await, server.member("ben").await);
        ben.follow(&ada).await;
        let digests = digests_after(&server, 8 * DAY).await;
        assert!(digests[0].contains("\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n"));
        let path = unsubscribe_path(&digests[0]);
        assert_eq!(only_text(&digests).matches(&path).count(), 2, "the header and the link");
        // Opening the link changes nothing.
        let opened = server.visitor().get(&path).await;
        assert_eq!((opened.status.as_u16(), opened.header("location")), (303, "/settings#notifications"));
        // Another member, another hash, and a part of the hash, each in base64url.
        let (before, token) = path.split_once("token=").unwrap();
        let change = |at: usize| {
            let other = if token[at..].starts_with('A') { "B" } else { "A" };
            format!("{before}token={}{other}{}", &token[..at], &token[at + 1..])
        };
        for wrong in [&change(5), &change(20), &change(50), &path[..path.len() - 6], "/api/digest/unsubscribe?token="] {
            let answer = server.visitor().post_empty(wrong).await;
            assert_eq!(answer.error_code(404), "unsubscribe_link_not_found", "{wrong}");
        }
        server.visitor().post_empty("/api/digest/unsubscribe").await.error_code(400);
        let login = path.replace("/api/digest/unsubscribe", "/api/auth/verify");
        assert_eq!(server.visitor().get(&login).await.error_code(400), "link_invalid");
        assert!(wants_digest(&ada).await);
        assert_eq!(server.count(&DIGESTS, &[]).await, 2);
        let form = [("content-type", "application/x-www-form-urlencoded")];
        for (headers, body) in [(&form[..], "List-Unsubscribe=One-Click"), (&[], ""), (&form[..], "x")] {
            server.visitor().request("POST", &path, headers, body).await.expect(204);
            assert_eq!(server.count(&DIGESTS, &[]).await, 1);
        }
        assert!(wants_digest(&ben).await);
        assert_eq!(digests_after(&server, 7 * DAY).await, [""; 0]);
    }

    /// proves: digest-batches
    async fn many_due_digests_are_queued_in_batches(server) {
        // More than one batch of each partition.
        const COUNT: i64 = 250;
        let joined = server.state.now() - 30 * DAY;
        let ids = (0..COUNT).map(|n| Id(Id::first_at(joined + n)));
        server.state.db.write(EnableMany(ids.collect())).await.unwrap();
        let now = server.state.now();
        assert_eq!(server.count(&DUE, params![now]).await, COUNT);
        digest::enqueue_due(&server.state).await.unwrap();
        assert_eq!(server.count(&DUE, params![now]).await, 0);
        assert_eq!(server.count(&DUE, params![now + 7 * DAY]).await, COUNT);
        server.wait_for_mail_queue().await;
    }
}

/// proves: digest-unsubscribe
#[tokio::test]
async fn unsubscribing_is_limited_per_network() {
    let server = Server::with(|options| {
        options.limits = Toggle::On;
        options.rate_limit_overrides = "visitor=2/30d";
    })
    .await;
    let path = digest::unsubscribe_url(&server.state, Id(1));
    let path = path.strip_prefix("http://localhost:8080").unwrap();
    for _ in 0..2 {
        server.visitor().post_empty(path).await.expect(204);
    }
    let limited = server.visitor().post_empty(path).await;
    assert_eq!(limited.error_code(429), "too_many_requests");
}

/// Two nodes send each digest once.
/// proves: digest-once
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_send_each_digest_once() {
    let server = Server::postgres().await;
    let other = server.start_second_node().await;
    let ben = server.member("ben").await;
    for n in 0..10 {
        let member = server.member(&format!("member{n}")).await;
        ben.follow(&member).await;
    }
    std::fs::remove_dir_all(server.data.path().join("outbox")).unwrap();
    std::fs::create_dir(server.data.path().join("outbox")).unwrap();
    server.advance_clock(8 * DAY);
    let (one, two) =
        tokio::join!(digest::enqueue_due(&server.state), digest::enqueue_due(&other.state));
    one.and(two).unwrap();
    assert_eq!(all_digests_after(&server, 0).await.len(), 10);
}
