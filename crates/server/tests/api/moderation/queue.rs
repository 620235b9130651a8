//! The report queue and the effects of decisions.

use super::{actions, decide, first_case, queue, remove, report};
use crate::harness::{id_of, on_both_engines};
use axum::http::Method;
use kith::features::members::{Role, SanctionKind};
use serde_json::json;

on_both_engines! {
    /// A case has everything that a decision needs, in one response.
    /// proves: queue-case, call-list-reports
    async fn a_case_has_every_field(server) {
        let ada = server.member("ada").await;
        let code = ada.post_empty("/api/invites").await.expect(201)["code"].as_str().unwrap().to_owned();
        let bob = server.member_with("bob", &code).await;
        let moderator = server.with_role("kim", Role::Moderator).await;
        let post = bob.write("buy").await;
        let body = json!({"postId": post, "reason": "spam", "note": "again"});
        ada.post("/api/reports", body).await.expect(200);
        let case = &queue(&moderator).await[0];
        let member = |id: String, name: String| json!({"id": id, "username": name, "displayName": "New member", "profileImageUrl": null});
        let mut record = member(bob.id().await, bob.name().await);
        let more = json!({
            "role": "member", "createdAt": "2026-11-21T09:30:00.000Z", "suspendedAt": null, "invitesFrozenAt": null,
            "suspendedUntil": null, "invitesFrozenUntil": null,
            "invitedBy": member(ada.id().await, ada.name().await),
        });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let at = "2026-11-21T09:30:00.000Z";
        assert_eq!(*case, json!({
            "id": case["id"], "kind": "post", "postId": post, "member": record, "reportCount": 1,
            "post": {"isDeleted": false, "replyTo": null},
            "reasons": [{"reason": "spam", "count": 1}],
            "reports": [{"reason": "spam", "note": "again", "createdAt": at}],
            "evidence": [{"text": "buy", "imageUrls": []}],
            "reportedAt": at, "resolution": null,
        }));
    }

    /// A reported reply is shown with its parent, both in their current state.
    /// proves: queue-context
    async fn a_reply_is_shown_with_its_parent(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let moderator = server.with_role("kim", Role::Moderator).await;
        let poll = json!({"content": "tea?", "pollOptions": ["yes", "no"]});
        let parent = id_of(&ada.post("/api/posts", poll).await.expect(201));
        let reply = bob.reply(&parent, "never").await;
        report(&ada, &reply, "hate").await;
        let body = json!({"userId": bob.id().await, "reason": "spam"});
        ada.post("/api/reports", body).await.expect(200);
        let post = async || queue(&moderator).await[1]["post"].clone();
        let author = json!({"id": ada.id().await, "username": ada.name().await, "displayName": "New member", "profileImageUrl": null});
        let says = json!({"text": "tea?\n• yes\n• no", "imageUrls": []});
        assert_eq!(post().await, json!({"isDeleted": false, "replyTo": {"id": parent, "author": author, "evidence": says}}));
        assert_eq!(queue(&moderator).await[0]["post"], json!(null), "a member is no post");
        let name = author["username"].as_str().unwrap();
        server.apply_sanction(name, SanctionKind::Suspend).await.unwrap();
        assert_eq!(post().await["replyTo"]["author"], author, "moderators see who is suspended");
        remove(&moderator, &parent).await.expect(204);
        assert_eq!(post().await, json!({"isDeleted": false, "replyTo": {"id": parent, "author": null, "evidence": null}}));
        bob.delete(&format!("/api/posts/{reply}")).await.expect(204);
        assert_eq!(post().await["isDeleted"], true);
        assert_eq!(queue(&moderator).await[1]["evidence"][0]["text"], "never");
    }

    /// Neither many equal nor many different reports displace the texts and snapshots of the first ones.
    /// proves: queue-ends
    async fn first_reports_are_not_displaced(server) {
        let ada = server.member("ada").await;
        let admin = server.admin("kim").await;
        let (post, member) = (ada.write("fine").await, ada.id().await);
        let say = async |bio: String| {
            let profile = json!({"displayName": "Ada", "bio": bio});
            ada.json(Method::PUT, "/api/users/profile", profile).await.expect(200);
        };
        for n in 0..12 {
            let who = server.member(&format!("m{n}")).await;
            say(format!("threat {n}")).await;
            for body in [json!({"postId": post}), json!({"userId": member})] {
                let mut body = body;
                body["reason"] = json!("spam");
                body["note"] = json!(format!("note {n}"));
                who.post("/api/reports", body).await.expect(200);
            }
        }
        let shown = [11, 10, 9, 8, 7, 4, 3, 2, 1, 0];
        let cases = queue(&admin).await;
        for case in cases.as_array().unwrap() {
            let notes = case["reports"].as_array().unwrap().iter().map(|report| report["note"].clone());
            assert_eq!(notes.collect::<Vec<_>>(), shown.map(|n| json!(format!("note {n}"))));
            assert_eq!(case["reportCount"], 12);
        }
        let saw = |n: usize| cases[n]["evidence"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect::<Vec<_>>();
        let name = ada.name().await;
        assert_eq!(saw(0), shown.map(|n| json!(format!("Ada\n@{name}\nthreat {n}"))));
        assert_eq!(saw(1), ["fine"]);
        // Ten equal snapshots are shown once.
        say("harmless".to_owned()).await;
        for n in 0..10 {
            let who = server.member(&format!("late{n}")).await;
            who.post("/api/reports", json!({"userId": member, "reason": "spam"})).await.expect(200);
        }
        let cases = queue(&admin).await;
        let texts = cases[0]["evidence"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap());
        let ends = texts.map(|text| text.rsplit('\n').next().unwrap()).collect::<Vec<_>>();
        assert_eq!(ends, ["harmless", "threat 11", "threat 10", "threat 9", "threat 8", "threat 4", "threat 3", "threat 2", "threat 1", "threat 0"]);
    }

    /// The latest reported case comes first, in pages; of resolved ones the latest resolved.
    /// proves: queue-order
    async fn the_queue_has_pages(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let mut posts = Vec::new();
        for n in 0..3 {
            let post = ada.write(&format!("post {n}")).await;
            report(&bob, &post, "spam").await;
            posts.push(post);
        }
        report(&eve, &posts[0], "spam").await;
        let order = [&posts[0], &posts[2], &posts[1]];
        let mut next = Some("/api/admin/reports?limit=1".to_owned());
        let mut seen = Vec::new();
        while let Some(path) = next {
            let page = admin.get(&path).await;
            let cases = page.expect(200);
            seen.extend(cases.as_array().unwrap().iter().map(|case| case["postId"].as_str().unwrap().to_owned()));
            next = page.next();
        }
        assert_eq!(seen.iter().collect::<Vec<_>>(), order);
        let cases = queue(&admin).await;
        for n in [1, 0] {
            decide(&admin, &id_of(&cases[n]), "dismiss").await.expect(204);
        }
        let resolved = admin.get("/api/admin/reports?state=resolved").await.expect(200);
        let resolved = resolved.as_array().unwrap();
        assert_eq!(resolved.iter().map(|case| &case["postId"]).collect::<Vec<_>>(), [&json!(posts[0]), &json!(posts[2])]);
        let decided = &resolved[0]["resolution"];
        assert_eq!((&decided["action"], &decided["note"], &decided["by"]["id"]), (&json!("dismiss"), &json!("why"), &json!(admin.id().await)));
        assert_eq!(queue(&admin).await.as_array().unwrap().len(), 1);
    }

    /// Removal has the effects of the author's own deletion: tombstone, counts, absence from every list.
    /// proves: resolve-remove, remove-post
    async fn a_removed_post_is_deleted(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let moderator = server.with_role("kim", Role::Moderator).await;
        let (first, second) = (ada.write("first #bad").await, ada.write("second").await);
        let reply = bob.reply(&first, "indeed").await;
        report(&bob, &first, "hate").await;
        decide(&moderator, &first_case(&moderator).await, "remove").await.expect(204);
        remove(&moderator, &second).await.expect(204);
        for post in [&first, &second] {
            assert_eq!(remove(&moderator, post).await.error_code(404), "post_not_found");
        }
        let own = ada.get("/api/posts/feed").await.expect(200);
        assert_eq!((own, ada.me().await["postCount"].clone()), (json!([]), json!(0)));
        let thread = bob.get(&format!("/api/posts/{reply}/thread")).await.expect(200);
        assert!(!thread.to_string().contains("first"), "{thread}");
        assert_eq!(thread["post"]["content"], "indeed");
        assert!(kith::ops::consistency::find_count_mismatches(&server.state.db).await.unwrap().is_empty());
        assert_eq!(ada.get("/api/notifications").await.expect(200).as_array().unwrap().len(), 1, "the reply alone");
    }

    /// Removing a post where it is shown also resolves its reports, with one reason.
    /// proves: remove-post, audit-once
    async fn removing_a_shown_post_resolves_its_reports(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let kim = server.admin("kim").await;
        let (bad, other) = (ada.write("bad").await, ada.write("other").await);
        let repost = bob.repost(&bad).await;
        report(&bob, &bad, "hate").await;
        report(&bob, &other, "spam").await;
        let path = format!("/api/admin/posts/{bad}/removal");
        // The second text is longer after normalization.
        for long in ["x".repeat(1_001), "\u{1d160}".repeat(1_000)] {
            let long = json!({"note": long});
            kim.json(Method::PUT, &path, long).await.error_code(422);
        }
        assert_eq!(bob.get_post(&bad).await["content"], "bad");
        // Removal of the repost removes its original.
        remove(&kim, &repost).await.expect(204);
        bob.get(&format!("/api/posts/{bad}/thread")).await.error_code(404);
        let open = queue(&kim).await;
        assert_eq!((open.as_array().unwrap().len(), &open[0]["postId"]), (1, &json!(other)));
        let closed = kim.get("/api/admin/reports?state=resolved").await.expect(200);
        let decided = &closed[0]["resolution"];
        assert_eq!((&closed[0]["postId"], &decided["action"], &decided["note"]), (&json!(bad), &json!("remove"), &json!("why")));
        assert_eq!(decided["by"]["id"], kim.id().await);
        assert_eq!(actions(&kim).await, ["remove_post"]);
        let log = kim.get("/api/admin/audit").await.expect(200);
        assert_eq!((&log[0]["postId"], &log[0]["note"]), (&json!(bad), &json!("why")));
    }

    /// If the author deleted the post first, the decision still resolves the reports.
    /// proves: resolve-remove, resolve-done
    async fn cases_of_deleted_posts_can_be_resolved(server) {
        let (ada, bob) = (server.member("ada").await, server.member("bob").await);
        let admin = server.admin("kim").await;
        let post = ada.write("gone soon").await;
        report(&bob, &post, "spam").await;
        ada.delete(&format!("/api/posts/{post}")).await.expect(204);
        decide(&admin, &first_case(&admin).await, "remove").await.expect(204);
        assert_eq!(queue(&admin).await, json!([]));
        assert_eq!(ada.me().await["postCount"], 0);
        assert_eq!(actions(&admin).await, ["dismiss_reports"], "the deleted post was not removed");
        // A suspended member cannot be suspended again.
        let (first, second) = (ada.write("one").await, ada.write("two").await);
        report(&bob, &first, "spam").await;
        report(&bob, &second, "spam").await;
        for _ in 0..2 {
            decide(&admin, &first_case(&admin).await, "suspend").await.expect(204);
        }
        assert_eq!(actions(&admin).await, ["dismiss_reports", "suspend", "dismiss_reports"]);
    }

    /// proves: resolve-suspend, resolve-dismiss, resolve-once, call-resolve
    async fn reports_are_resolved_once(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let post = ada.write("fine").await;
        report(&bob, &post, "spam").await;
        report(&eve, &post, "hate").await;
        let case = first_case(&admin).await;
        assert_eq!(decide(&admin, "7", "dismiss").await.error_code(404), "report_not_found");
        assert_eq!(admin.post(&format!("/api/admin/reports/{case}/resolve"), json!({})).await.expect(400)["message"], "Please choose what to do.");
        decide(&admin, &case, "dismiss").await.expect(204);
        assert_eq!(decide(&admin, &case, "suspend").await.expect(409)["message"], "Someone has already decided about these reports.");
        assert_eq!(ada.get_post(&post).await["content"], "fine");
        let body = json!({"userId": ada.id().await, "reason": "harassment"});
        bob.post("/api/reports", body).await.expect(200);
        let case = first_case(&admin).await;
        assert_eq!(decide(&admin, &case, "remove").await.expect(422)["message"], "A member was reported, so there is no post to remove.");
        decide(&admin, &case, "suspend").await.expect(204);
        ada.get("/api/auth/me").await.expect(401);
        assert_eq!(queue(&admin).await, json!([]));
        assert_eq!(actions(&admin).await, ["suspend", "dismiss_reports"]);
    }

    /// proves: resolve-seen
    async fn unseen_reports_are_not_resolved(server) {
        let (ada, bob, eve) = (server.member("ada").await, server.member("bob").await, server.member("eve").await);
        let admin = server.admin("kim").await;
        let post = ada.write("here I live").await;
        report(&bob, &post, "spam").await;
        let case = first_case(&admin).await;
        report(&eve, &post, "violence").await;
        let path = format!("/api/admin/reports/{case}/resolve");
        for action in ["dismiss", "remove", "suspend"] {
            let body = json!({"action": action, "reportCount": 1});
            assert_eq!(admin.post(&path, body).await.error_code(409), "more_reported");
        }
        assert_eq!(queue(&admin).await[0]["reportCount"], 2);
        assert_eq!(ada.get_post(&post).await["content"], "here I live");
        // JSON does not distinguish 2.0 from 2.
        admin.post(&path, json!({"action": "remove", "reportCount": 2.0})).await.expect(204);
        assert_eq!(actions(&admin).await, ["remove_post"]);
    }
}
