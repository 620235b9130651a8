//! Member search by name.

use crate::harness::{Browser, Server, on_both_engines};
use axum::http::Method;
use kith::features::members::SanctionKind;
use serde_json::json;

/// Creates a member with this username and display name.
async fn named(server: &Server, username: &str, display_name: &str) -> Browser {
    let member = server.member(username).await;
    let put = async |path: &str, body| member.json(Method::PUT, path, body).await.expect(200);
    put("/api/users/username", json!({"username": username})).await;
    put("/api/users/profile", json!({"displayName": display_name})).await;
    member
}

/// Usernames found for a percent-encoded term.
async fn find(viewer: &Browser, term: &str) -> Vec<String> {
    let list = viewer.get(&format!("/api/users/search?q={term}")).await.expect(200);
    let list = list.as_array().unwrap().iter();
    list.map(|user| user["username"].as_str().unwrap().to_owned()).collect()
}

on_both_engines! {
    /// Any part of either name matches, regardless of case and accents.
    /// proves: call-search, search-part, search-blank
    async fn any_part_of_a_name_is_found(server) {
        let ada = named(&server, "ada_l", "Ada Lovelace").await;
        named(&server, "zoe", "Zoë Müller-Strauß").await;
        named(&server, "kim", "김민수").await;
        named(&server, "noor", "نور الهدى").await;
        for (term, expected) in [
            ("ada_l", "ada_l"), ("ADA", "ada_l"), ("@ada", "ada_l"), ("lovelace", "ada_l"), ("velac", "ada_l"),
            ("a%20lo", "ada_l"), ("zoe", "zoe"), ("ZO%C3%8B", "zoe"), ("muller", "zoe"), ("m%C3%BCll", "zoe"),
            ("strau", "zoe"), ("%EA%B9%80", "kim"), ("%EB%AF%BC%EC%88%98", "kim"), ("%D9%86%D9%88%D8%B1", "noor"),
            ("%20%20zoe%20", "zoe"), ("%EF%BC%A0ada", "ada_l"), ("%EC%88%98", "kim"),
        ] {
            assert_eq!(find(&ada, term).await, [expected], "{term}");
        }
        for term in ["", "%20", "%00", "%E2%80%8B", "@", "unknown", "%25", "_%25", "ada_x", "'", "%5C", "*", "%F0%9F%98%80"] {
            assert!(find(&ada, term).await.is_empty(), "{term}");
        }
        assert_eq!(ada.get("/api/users/search").await.expect(200), json!([]));
        let long = "x".repeat(101);
        assert_eq!(ada.get(&format!("/api/users/search?q={long}")).await.error_code(400), "invalid");
        assert!(find(&ada, &long[1..]).await.is_empty());
    }

    /// Single letters and characters of other scripts match anywhere in a name, like longer terms.
    /// proves: search-part
    async fn one_letter_is_found_anywhere(server) {
        let viewer = named(&server, "ada", "Ada").await;
        named(&server, "zoe", "Bob Felix").await;
        named(&server, "kim", "김민수").await;
        for (term, expected) in [("x", "zoe"), ("l", "zoe"), ("li", "zoe"), ("m", "kim"), ("%EB%AF%BC", "kim")] {
            assert_eq!(find(&viewer, term).await, [expected], "{term}");
        }
    }

    /// Exact matches first, then prefixes, then others; among equals close members, then popular ones.
    /// proves: search-order, wire-offset
    async fn better_matches_come_first(server) {
        let viewer = named(&server, "reader", "Reader").await;
        named(&server, "xmax", "Inside").await;
        let followed = named(&server, "ymax", "Inside too").await;
        let known = named(&server, "maxima", "Prefix, known").await;
        named(&server, "maxim", "Prefix").await;
        let mutual = named(&server, "maxwell", "Prefix, mutual").await;
        let one_way = named(&server, "maxine", "Prefix, one way").await;
        named(&server, "max", "Exactly").await;
        viewer.follow(&followed).await;
        viewer.follow(&one_way).await;
        viewer.follow(&mutual).await;
        mutual.follow(&viewer).await;
        named(&server, "fan", "Fan").await.follow(&known).await;
        assert_eq!(find(&viewer, "max").await, ["max", "maxwell", "maxine", "maxima", "maxim", "ymax", "xmax"]);
        let page = viewer.get("/api/users/search?q=max&limit=2&offset=1").await.expect(200);
        assert_eq!((&page[0]["username"], &page[1]["username"]), (&json!("maxwell"), &json!("maxine")));
        assert_eq!((&page[0]["isFollowing"], &page[0]["followsYou"]), (&json!(true), &json!(true)));
    }

    /// The member with the exact username is first, however many display names equal it.
    /// proves: search-order, search-most
    async fn equal_display_names_hide_no_username(server) {
        let viewer = named(&server, "reader", "Reader").await;
        for n in 0..55 {
            named(&server, &format!("group{n:02}"), "Anna").await;
        }
        named(&server, "anna", "Hidden").await;
        assert_eq!(find(&viewer, "anna").await[0], "anna");
    }

    /// The new name is found, the old one is not.
    /// proves: search-changes
    async fn changed_names_are_found(server) {
        let ada = named(&server, "ada", "First Name").await;
        assert_eq!(find(&ada, "first").await, ["ada"]);
        ada.json(Method::PUT, "/api/users/profile", json!({"displayName": "Second Name"})).await.expect(200);
        assert!(find(&ada, "first").await.is_empty());
        assert_eq!(find(&ada, "second").await, ["ada"]);
        assert_eq!(find(&ada, "name").await, ["ada"]);
        // The bio is not searched.
        ada.json(Method::PUT, "/api/users/profile", json!({"bio": "wordless"})).await.expect(200);
        assert!(find(&ada, "wordless").await.is_empty());
    }

    /// Followed members are found even among more matches than are ranked.
    /// proves: search-20, search-most, wire-limit-default
    async fn friends_are_found_among_many(server) {
        let viewer = named(&server, "reader", "Reader").await;
        for n in 0..60 {
            named(&server, &format!("sam{n:02}"), "Sam").await;
        }
        let friend = named(&server, "sam_zz", "Samwise").await;
        viewer.follow(&friend).await;
        let found = find(&viewer, "sa").await;
        assert_eq!((found.len(), found[0].as_str()), (20, "sam_zz"));
        let mut all = Vec::new();
        for offset in [0, 40] {
            let page = viewer.get(&format!("/api/users/search?q=sa&limit=40&offset={offset}")).await.expect(200);
            all.extend(page.as_array().unwrap().iter().map(|user| user["username"].as_str().unwrap().to_owned()));
        }
        assert_eq!((all.len(), &all[..20]), (51, &found[..]), "fifty that begin so, and the friend");
    }

    /// Suspended accounts that fill a part of the index hide no other match.
    /// proves: search-hidden
    async fn suspended_members_hide_no_match(server) {
        let viewer = named(&server, "reader", "Reader").await;
        for n in 0..60 {
            let name = format!("smi{n:02}");
            let member = named(&server, &name, "Smith").await;
            if n % 3 == 0 {
                viewer.post_empty(&format!("/api/blocks/{}", member.id().await)).await.expect(200);
            } else {
                server.apply_sanction(&name, SanctionKind::Suspend).await.unwrap();
            }
        }
        named(&server, "smiz", "Behind them").await;
        for term in ["smi", "mi"] {
            assert_eq!(find(&viewer, term).await, ["smiz"], "{term}");
        }
    }
}
