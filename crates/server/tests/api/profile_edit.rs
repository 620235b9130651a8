//! Profile updates and the choice of a username.

use crate::harness::{Browser, on_both_engines};
use axum::http::Method;
use serde_json::{Value, json};

async fn update(browser: &Browser, body: Value) -> crate::harness::TestResponse {
    browser.json(Method::PUT, "/api/users/profile", body).await
}

async fn choose(browser: &Browser, name: &str) -> crate::harness::TestResponse {
    browser.json(Method::PUT, "/api/users/username", json!({"username": name})).await
}

on_both_engines! {
    /// Only fields in the request change.
    /// proves: call-update-profile, wire-optional
    async fn absent_fields_stay(server) {
        let ada = server.member("ada").await;
        let body = json!({"displayName": " Ada  L. ", "bio": "Human.\nReally.", "website": "ada.example"});
        let me = update(&ada, body).await.expect(200);
        assert_eq!(me["displayName"], "Ada L.");
        assert_eq!(me["website"], "https://ada.example/");
        let me = update(&ada, json!({"bio": "", "website": null})).await.expect(200);
        assert_eq!((me["displayName"].as_str(), me["bio"].as_str()), (Some("Ada L."), Some("")));
        assert_eq!(me["website"], "https://ada.example/");
        let path = format!("/api/users/{}", me["username"].as_str().unwrap());
        let seen = server.member("bob").await.get(&path).await.expect(200);
        assert_eq!(seen["displayName"], "Ada L.");
    }

    /// Each exceeded bound is a message for its field, and nothing changes.
    /// proves: display-name-length, bio-length, website-rule, wire-422, wire-error-fields
    async fn exceeded_bounds_are_reported_per_field(server) {
        let ada = server.member("ada").await;
        let before = ada.me().await;
        for (field, value) in [
            ("displayName", ""),
            ("displayName", "\u{200b}"),
            ("displayName", &"a".repeat(51)),
            ("bio", &"a".repeat(161)),
            ("website", "javascript:alert(1)"),
            ("website", &format!("https://example.org/{}", "a".repeat(200))),
        ] {
            let answer = update(&ada, json!({"displayName": "Changed", "bio": "changed", field: value})).await;
            answer.error_code(422);
            assert!(answer.expect(422)["fields"][field].is_string(), "{field}");
        }
        assert_eq!(ada.me().await, before);
    }

    /// A chosen username is final; the provisional one still leads to the profile.
    /// proves: call-choose-username, call-get-user, username-once, username-old, username-unique
    /// proves: username-reserved, wire-idempotent
    async fn a_username_is_chosen_once(server) {
        let ada = server.member("ada").await;
        let old = ada.me().await["username"].as_str().unwrap().to_owned();
        let me = choose(&ada, "@Ada_1").await.expect(200);
        assert_eq!((me["username"].as_str(), me["usernameIsProvisional"].as_bool()), (Some("ada_1"), Some(false)));
        choose(&ada, "ada_1").await.expect(200);
        assert_eq!(choose(&ada, "other").await.error_code(409), "username_chosen");
        let bob = server.member("bob").await;
        assert_eq!(choose(&bob, "ADA_1").await.error_code(409), "username_taken");
        assert_eq!(choose(&bob, &old).await.error_code(422), "invalid");
        for path in [format!("/api/users/{old}"), "/api/users/ADA_1".to_owned()] {
            assert_eq!(bob.get(&path).await.expect(200)["username"], "ada_1");
        }
        for bad in ["ab", "admin", "a-b", "member_zzz", ""] {
            choose(&bob, bad).await.error_code(422);
        }
    }

    /// The availability check agrees with the choice.
    /// proves: call-username-available
    async fn availability_matches_the_choice(server) {
        let ada = server.member("ada").await;
        let ask = |name: &'static str| { let ada = &ada; async move { ada.get(&format!("/api/users/username-available?u={name}")).await.expect(200) } };
        assert_eq!(ask("lovelace").await["available"], true);
        choose(&ada, "lovelace").await.expect(200);
        for name in ["Lovelace", "admin", "ab", ""] {
            let answer = ask(name).await;
            assert_eq!(answer["available"], false, "{name}");
            assert!(answer["message"].as_str().unwrap().ends_with('.'));
        }
    }

    /// Of concurrent requests for one name exactly one succeeds, and a member gets exactly one of several names.
    /// proves: username-unique
    async fn races_have_one_winner(server) {
        let mut many = tokio::task::JoinSet::new();
        for n in 0..6 {
            let member = server.member(&format!("m{n}")).await;
            many.spawn(async move { choose(&member, "coveted").await.status.as_u16() });
        }
        let mut statuses = many.join_all().await;
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409, 409, 409, 409, 409]);

        let greedy = server.member("greedy").await;
        let mut names = tokio::task::JoinSet::new();
        for n in 0..6 {
            let tab = greedy.tab();
            names.spawn(async move { choose(&tab, &format!("greedy{n}")).await.status.as_u16() });
        }
        let statuses = names.join_all().await;
        assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
        let kept = greedy.me().await["username"].as_str().unwrap().to_owned();
        let mut found = 0;
        for n in 0..6 {
            let answer = greedy.get(&format!("/api/users/greedy{n}")).await;
            found += usize::from(answer.status == 200);
        }
        assert_eq!(found, 1, "only {kept} is taken");
    }
}
