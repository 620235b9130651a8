//! Reports of posts and members.

use super::{decide, first_case, queue, report};
use crate::harness::{id_of, on_both_engines};
use crate::media::{pass, small, upload};
use axum::http::Method;
use kith::features::members::SanctionKind;
use kith::ops::consistency;
use kith::platform::clock::DAY;
use serde_json::json;

on_both_engines! {
    /// A member's second report updates the first; other members' reports count separately.
    /// proves: report-once, report-post, call-report
    async fn a_member_reports_a_post_once(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let post = ada.write("buy cheap watches").await;
        let first = report(&bob, &post, "spam").await;
        assert_eq!(first, json!({"id": first["id"], "reason": "spam", "note": "", "createdAt": "2026-11-21T09:30:00.000Z"}));
        let again = json!({"postId": post, "reason": "other", "note": " twice \u{202e}"});
        let again = bob.post("/api/reports", again).await.expect(200);
        assert_eq!((&again["id"], &again["reason"], &again["note"]), (&first["id"], &json!("other"), &json!("twice")));
        report(&eve, &post, "spam").await;
        let cases = queue(&admin).await;
        assert_eq!(cases.as_array().unwrap().len(), 1);
        assert_eq!(cases[0]["reportCount"], 2);
        assert_eq!(cases[0]["reasons"], json!([{"reason": "spam", "count": 1}, {"reason": "other", "count": 1}]));
    }

    /// A report of a repost applies to its original, and a decision makes room for new reports.
    /// proves: report-post, report-once
    async fn a_report_of_a_repost_applies_to_its_original(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let post = ada.write("original").await;
        let repost = bob.repost(&post).await;
        let first = report(&eve, &repost, "hate").await;
        let case = first_case(&admin).await;
        assert_eq!(queue(&admin).await[0]["postId"], post.as_str());
        decide(&admin, &case, "dismiss").await.expect(204);
        let second = report(&eve, &post, "hate").await;
        assert_ne!(first["id"], second["id"]);
        assert_ne!(first_case(&admin).await, case);
    }

    /// The snapshot of a report remains readable after deletion, including text and image URLs.
    /// proves: report-evidence, report-descriptions, report-member
    async fn snapshots_survive_the_deletion(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let admin = server.admin("kim").await;
        let url = upload(&ada, small(1)).await;
        let body = json!({"content": "evil", "imageUrls": [url], "imageAlts": ["worst of\nall"], "pollOptions": ["worse", "worst"]});
        let post = ada.create(body).await;
        report(&bob, &id_of(&post), "violence").await;
        ada.delete(&format!("/api/posts/{}", id_of(&post))).await.expect(204);
        let case = &queue(&admin).await[0];
        assert_eq!(case["evidence"], json!([{"text": "evil\n• worse\n• worst\nImage: worst of\nall", "imageUrls": [post["images"][0]["url"]]}]));
        let profile = json!({"displayName": "The Bank", "bio": "Send me your password", "website": "https://bank.example/"});
        ada.json(Method::PUT, "/api/users/profile", profile).await.expect(200);
        let body = json!({"userId": ada.id().await, "reason": "impersonation"});
        bob.post("/api/reports", body).await.expect(200);
        ada.json(Method::PUT, "/api/users/profile", json!({"displayName": "Ada", "bio": ""})).await.expect(200);
        let case = &queue(&admin).await[0];
        let text = format!("The Bank\n@{}\nSend me your password\nhttps://bank.example/", ada.name().await);
        assert_eq!((&case["kind"], &case["postId"], &case["evidence"]), (&json!("member"), &json!(null), &json!([{"text": text, "imageUrls": []}])));
    }

    /// Images of reported content stay until the decision and seven days more, whatever their owner does and
    /// however many reports there are.
    /// proves: report-images
    async fn images_of_snapshots_stay_until_the_decision(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let post = ada.create(json!({"content": "evil", "imageUrls": [upload(&ada, small(1)).await]})).await;
        let picture = async |seed| {
            let body = json!({"imageURL": upload(&ada, small(seed)).await});
            let me = ada.json(Method::PUT, "/api/profile-images", body).await.expect(200);
            me["profileImageUrl"].as_str().unwrap().to_owned()
        };
        let (shown, first) = (post["imageUrls"][0].as_str().unwrap().to_owned(), picture(2).await);
        let member = json!({"userId": ada.id().await, "reason": "impersonation"});
        for who in [&bob, &eve, &bob] {
            report(who, &id_of(&post), "violence").await;
            who.post("/api/reports", member.clone()).await.expect(200);
        }
        // A report of the next picture adds that picture to the case.
        let second = picture(3).await;
        server.admin("una").await.post("/api/reports", member).await.expect(200);
        ada.delete("/api/profile-images").await.expect(200);
        ada.delete(&format!("/api/posts/{}", id_of(&post))).await.expect(204);
        let evidence = [shown, first, second];
        let seen = async || {
            let mut seen = Vec::new();
            for url in &evidence {
                seen.push(bob.get(url).await.status.as_u16());
            }
            assert!(consistency::find_count_mismatches(&server.state.db).await.unwrap().is_empty());
            seen
        };
        pass(&server, 9 * DAY).await;
        assert_eq!(seen().await, [200; 3]);
        for case in queue(&admin).await.as_array().unwrap() {
            decide(&admin, case["id"].as_str().unwrap(), "dismiss").await.expect(204);
        }
        pass(&server, 6 * DAY).await;
        assert_eq!(seen().await, [200; 3]);
        pass(&server, DAY).await;
        assert_eq!(seen().await, [404; 3]);
    }

    /// A repeated report adds the current snapshot and images, twice at most, and no equal snapshot.
    /// proves: report-again, report-images
    async fn a_repeated_report_adds_a_snapshot(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let member = json!({"userId": ada.id().await, "reason": "harassment"});
        let first = bob.post("/api/reports", member.clone()).await.expect(200);
        let body = json!({"imageURL": upload(&ada, small(1)).await});
        let me = ada.json(Method::PUT, "/api/profile-images", body).await.expect(200);
        let url = me["profileImageUrl"].as_str().unwrap().to_owned();
        let say = async |bio: &str| {
            let profile = json!({"displayName": "Ada", "bio": bio});
            ada.json(Method::PUT, "/api/users/profile", profile).await.expect(200);
        };
        say("I will find you").await;
        for who in [&bob, &bob, &eve, &eve] {
            who.post("/api/reports", member.clone()).await.expect(200);
        }
        ada.delete("/api/profile-images").await.expect(200);
        for bio in ["Hello", "Hello again"] {
            say(bio).await;
            assert_eq!(bob.post("/api/reports", member.clone()).await.expect(200)["id"], first["id"]);
        }
        let name = ada.name().await;
        let case = &queue(&admin).await[0];
        assert_eq!((&case["reportCount"], case["reports"].as_array().unwrap().len()), (&json!(2), 2));
        assert_eq!(case["evidence"], json!([
            {"text": format!("Ada\n@{name}\nHello"), "imageUrls": []},
            {"text": format!("Ada\n@{name}\nI will find you"), "imageUrls": [url]},
            {"text": format!("New member\n@{name}"), "imageUrls": []},
        ]));
        pass(&server, 9 * DAY).await;
        assert_eq!(bob.get(&url).await.status, 200);
        assert!(consistency::find_count_mismatches(&server.state.db).await.unwrap().is_empty());
    }

    /// A decision deletes no image that a profile shows, and a new report holds it again.
    async fn a_decision_deletes_no_shown_picture(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let admin = server.admin("kim").await;
        let body = json!({"imageURL": upload(&ada, small(1)).await});
        let me = ada.json(Method::PUT, "/api/profile-images", body).await.expect(200);
        let url = me["profileImageUrl"].as_str().unwrap().to_owned();
        let member = json!({"userId": ada.id().await, "reason": "spam"});
        bob.post("/api/reports", member.clone()).await.expect(200);
        decide(&admin, &first_case(&admin).await, "dismiss").await.expect(204);
        pass(&server, 9 * DAY).await;
        assert_eq!(bob.get(&url).await.status, 200);
        bob.post("/api/reports", member).await.expect(200);
        ada.delete("/api/profile-images").await.expect(200);
        pass(&server, 9 * DAY).await;
        assert_eq!(bob.get(&url).await.status, 200);
        assert!(consistency::find_count_mismatches(&server.state.db).await.unwrap().is_empty());
    }

    /// proves: report-invalid, report-note, report-own
    async fn invalid_reports_are_rejected_with_a_reason(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let (own, gone, whole) = (ada.write("own").await, bob.write("gone").await, bob.write("whole").await);
        bob.delete(&format!("/api/posts/{gone}")).await.expect(204);
        let (me, bobs) = (ada.id().await, bob.id().await);
        for (body, status, sentence) in [
            (json!({"reason": "spam"}), 400, "Say which post or which member you report."),
            (json!({"postId": whole, "userId": bobs, "reason": "spam"}), 400, "Say which post or which member you report."),
            (json!({"postId": whole}), 400, "Please choose a reason."),
            (json!({"postId": own, "reason": "spam"}), 422, "You cannot report yourself."),
            (json!({"userId": me, "reason": "spam"}), 422, "You cannot report yourself."),
            (json!({"postId": gone, "reason": "spam"}), 404, "Post not found"),
            (json!({"userId": "7", "reason": "spam"}), 404, "User not found."),
            (json!({"postId": whole, "reason": "spam", "note": "😀".repeat(1_001)}), 422, "A note can have at most 1,000 characters."),
        ] {
            assert_eq!(ada.post("/api/reports", body.clone()).await.expect(status)["message"], sentence, "{body}");
        }
        let body = json!({"postId": whole, "reason": "boring"});
        assert_eq!(ada.post("/api/reports", body).await.error_code(400), "bad_json");
        let note = "😀".repeat(1_000);
        let body = json!({"postId": whole, "reason": "spam", "note": note});
        assert_eq!(ada.post("/api/reports", body).await.expect(200)["note"], note);
    }

    /// A report does not reveal whether hidden content was deleted; a member can still report an author they
    /// blocked.
    /// proves: report-unseen
    async fn a_report_reveals_nothing_hidden(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let fay = server.member("fay").await;
        let mut posts = Vec::new();
        for author in [&bob, &eve] {
            let (post, gone) = (author.write("there").await, author.write("gone").await);
            let repost = fay.repost(&post).await;
            author.delete(&format!("/api/posts/{gone}")).await.expect(204);
            posts.push([post, repost, gone]);
        }
        let answers = async |posts: &[String; 3]| {
            let mut answers = Vec::new();
            for post in posts {
                let answer = ada.post("/api/reports", json!({"postId": post, "reason": "spam"})).await;
                answers.push(answer.status.as_u16());
            }
            answers
        };
        bob.block(&ada).await;
        assert_eq!(answers(&posts[0]).await, [404; 3]);
        ada.block(&bob).await;
        assert_eq!(answers(&posts[0]).await, [200, 200, 404]);
        ada.block(&eve).await;
        assert_eq!(answers(&posts[1]).await, [200, 200, 404]);
        server.apply_sanction(&eve.name().await, SanctionKind::Suspend).await.unwrap();
        assert_eq!(answers(&posts[1]).await, [404; 3]);
    }

    /// Neither the reported member nor a moderator can read the reporter, and no notification is sent.
    /// proves: report-secret
    async fn reporters_stay_secret(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let admin = server.admin("kim").await;
        let post = ada.write("bad").await;
        report(&bob, &post, "spam").await;
        let (id, name) = (bob.id().await, bob.name().await);
        let shown = queue(&admin).await.to_string();
        assert!(!shown.contains(&id) && !shown.contains(&name), "{shown}");
        decide(&admin, &first_case(&admin).await, "remove").await.expect(204);
        let log = admin.get("/api/admin/audit").await.expect(200).to_string();
        assert!(!log.contains(&id), "{log}");
        for who in [&ada, &bob] {
            assert_eq!(who.get("/api/notifications").await.expect(200), json!([]));
        }
    }
}
