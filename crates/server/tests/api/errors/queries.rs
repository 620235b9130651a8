//! Query strings that no list accepts.

use crate::harness::on_both_engines;
use crate::routes;

const INVALID: [&str; 15] = [
    "limit=0",
    "limit=51",
    "limit=-1",
    "limit=",
    "limit=abc",
    "limit=1.5",
    "limit=99999999999999999999",
    "limit=5&limit=6",
    "limit=%FF",
    "offset=-1",
    "offset=x",
    "offset=99999999999999999999",
    "cursor=",
    "cursor=%00",
    "cursor=-5",
];

on_both_engines! {
    /// Every list enforces the bounds of its page parameters.
    /// proves: wire-limit, wire-offset, wire-cursor-odd
    async fn lists_enforce_their_bounds(server) {
        let ada = server.admin("ada").await;
        let name = ada.name().await;
        let lists = routes::all().into_iter().filter(|operation| operation.query.iter().any(|name| name == "limit"));
        let lists = lists.map(|operation| (operation.path_with(&name).unwrap_or(operation.path), operation.query)).collect::<Vec<_>>();
        assert!(lists.len() >= 9, "{lists:?}");
        for (path, names) in lists {
            let known = |query: &&str| names.iter().any(|name| query.starts_with(&format!("{name}=")));
            for query in INVALID.into_iter().filter(known) {
                let response = ada.get(&format!("{path}?{query}")).await;
                let code = response.error_code(400);
                assert!(["invalid", "bad_query"].contains(&code.as_str()), "{path}?{query}: {code}");
            }
            for query in ["limit=1", "limit=50", "offset=0", "what=ever", "&&=&"] {
                let list = ada.get(&format!("{path}?{query}")).await.expect(200);
                assert!(list.is_array(), "{path}?{query}");
            }
            let beyond = ada.get(&format!("{path}?offset=4294967295")).await.expect(200);
            assert_eq!(beyond, serde_json::json!([]), "{path}");
            let exempt = ["/for-you", "/followers", "/following"];
            if names.contains(&"cursor".to_owned()) && !exempt.iter().any(|list| path.ends_with(list)) {
                ada.get(&format!("{path}?cursor=9223372036854775807")).await.expect(200);
            }
        }
    }

    /// An overlong query string is rejected unparsed: thousands of parameters would cost more than
    /// the request.
    /// proves: limit-query
    async fn an_overlong_query_is_rejected(server) {
        let ada = server.member("ada").await;
        for path in ["/api/auth/verify", "/api/users/search", "/api/posts/feed"] {
            let (fits, long) = ("a&".repeat(2_048), "a&".repeat(2_048));
            let fits = ada.get(&format!("{path}?{fits}")).await;
            assert!(!String::from_utf8_lossy(&fits.bytes).contains("too long"), "{path}");
            let long = ada.get(&format!("{path}?{long}&")).await;
            assert_eq!(long.expect(400)["message"], "The query string is too long.", "{path}");
            assert_eq!(long.error_code(400), "bad_query", "{path}");
        }
    }

    /// A filter is one of five.
    async fn unknown_filters_are_rejected(server) {
        let ada = server.admin("ada").await;
        let name = ada.name().await;
        for filter in ["", "bogus", "Posts", "posts,likes", "%00"] {
            let response = ada.get(&format!("/api/users/{name}/posts?filter={filter}")).await;
            assert_eq!(response.error_code(400), "bad_query", "{filter}");
        }
    }

    /// Lists without a stable order have no cursor; all others do.
    /// proves: wire-no-link
    async fn three_lists_have_no_cursor(server) {
        let ada = server.admin("ada").await;
        server.member("bob").await;
        let lists = routes::all().into_iter().filter(|operation| operation.query.contains(&"limit".to_owned()));
        let without = lists.filter(|operation| !operation.query.contains(&"cursor".to_owned())).map(|operation| operation.path);
        let mut without = without.collect::<Vec<_>>();
        without.sort();
        assert_eq!(without, ["/api/trending", "/api/users/search", "/api/users/suggested"]);
        for path in without {
            let page = ada.get(&format!("{path}?limit=1&q=new")).await;
            assert_eq!(page.expect(200).as_array().unwrap().len(), 1, "{path}");
            assert_eq!(page.next(), None, "{path}");
        }
    }
}
