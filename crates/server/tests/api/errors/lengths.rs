//! Length limits of each text, to the character and the code point, and their error messages.

use crate::harness::{Browser, TestResponse, on_both_engines};
use axum::http::Method;
use serde_json::{Value, json};

const TOO_LARGE: &str = "This text is too large to save. Try fewer emoji or combining marks.";
/// One character each of 1, 2, 4, 8, 25 and 41 bytes.
const CHARACTERS: [&str; 6] = ["a", "é", "😀", "🇩🇪", "👩‍👩‍👧‍👦", "👨🏻‍👩🏻‍👧🏻‍👦🏻"];

/// A text field and its limits.
struct Field {
    name: &'static str,
    max_characters: usize,
    /// Maximum size: bytes for a post, code points for all others.
    max_size: usize,
    sentence: &'static str,
}

const FIELDS: [Field; 4] = [
    Field {
        name: "content",
        max_characters: 500,
        max_size: 5_000,
        sentence: "A post can have at most 500 characters.",
    },
    Field {
        name: "pollOptions",
        max_characters: 50,
        max_size: 600,
        sentence: "A poll option can have at most 50 characters.",
    },
    Field {
        name: "displayName",
        max_characters: 50,
        max_size: 600,
        sentence: "A display name has 1 to 50 characters.",
    },
    Field {
        name: "bio",
        max_characters: 160,
        max_size: 1_920,
        sentence: "A bio can have at most 160 characters.",
    },
];

impl Field {
    async fn send(&self, ada: &Browser, text: &str) -> TestResponse {
        match self.name {
            "content" => ada.post("/api/posts", json!({"content": text})).await,
            "pollOptions" => {
                let body = json!({"content": "which?", "pollOptions": [text, "other"]});
                ada.post("/api/posts", body).await
            }
            name => {
                let path = "/api/users/profile";
                ada.json(Method::PUT, path, json!({name: text})).await
            }
        }
    }

    #[track_caller]
    fn assert_stored(&self, response: &TestResponse, text: &str) {
        let stored = response.expect(if self.name.starts_with(['c', 'p']) { 201 } else { 200 });
        let value = match &stored[self.name] {
            Value::Array(options) => &options[0],
            value => value,
        };
        assert_eq!(value, text, "{}", self.name);
    }

    #[track_caller]
    fn assert_rejected(&self, response: &TestResponse, sentence: &str) {
        assert_eq!(response.error_code(422), "invalid", "{}", self.name);
        let body = response.expect(422);
        assert_eq!(body["message"], sentence, "{}", self.name);
        assert_eq!(body["fields"], json!({self.name: sentence}));
    }
}

on_both_engines! {
    /// Texts of any script may have exactly the maximum number of characters, even if the last is a
    /// surrogate pair.
    /// proves: post-length, poll-option-length, display-name-length, bio-length, length-any-script
    async fn texts_have_a_maximum_of_characters(server) {
        let ada = server.member("ada").await;
        for field in FIELDS {
            for character in CHARACTERS {
                let full = character.repeat(field.max_characters);
                let response = field.send(&ada, &full).await;
                if field.name == "content" && full.len() > field.max_size {
                    field.assert_rejected(&response, TOO_LARGE);
                } else {
                    field.assert_stored(&response, &full);
                }
                for last in ["b", "😀"] {
                    let over = field.send(&ada, &format!("{full}{last}")).await;
                    // A text too large for any post is not counted.
                    let huge = full.chars().count() >= 5_000;
                    field.assert_rejected(&over, if huge { TOO_LARGE } else { field.sentence });
                }
            }
            let border = format!("{}😀", "a".repeat(field.max_characters - 1));
            field.assert_stored(&field.send(&ada, &border).await, &border);
        }
    }

    /// Combining marks count only towards the size limit.
    /// proves: post-bytes, text-room, length-any-script
    async fn texts_have_a_maximum_size(server) {
        let ada = server.member("ada").await;
        for field in FIELDS {
            let mark = if field.name == "content" { 3 } else { 1 };
            let marks = format!("a{}", "\u{20dd}".repeat(field.max_size / mark - 10));
            let full = format!("{marks}{}", "b".repeat(field.max_size - 1 - mark * (field.max_size / mark - 10)));
            field.assert_stored(&field.send(&ada, &full).await, &full);
            field.assert_rejected(&field.send(&ada, &format!("{full}b")).await, TOO_LARGE);
        }
    }

    /// A website is measured as typed, not as percent-encoded.
    /// proves: website-rule, website-as-typed
    async fn websites_have_a_maximum_of_characters(server) {
        let ada = server.member("ada").await;
        let put = async |website: String| ada.json(Method::PUT, "/api/users/profile", json!({"website": website})).await;
        let start = "https://example.org/";
        for (rest, stored) in [("a".repeat(180), "a".repeat(180)), ("ä".repeat(180), "%C3%A4".repeat(180))] {
            let me = put(format!("{start}{rest}")).await.expect(200);
            assert_eq!(me["website"], format!("{start}{stored}"));
            let response = put(format!("{start}{rest}b")).await;
            assert_eq!(response.error_code(422), "invalid");
            assert_eq!(response.expect(422)["fields"], json!({"website": "A web address can have at most 200 characters."}));
        }
        for odd in ["javascript:alert(1)", "https://a:b@example.org", "ftp://example.org", "not a host", &format!("{start}{}", "😀".repeat(180))] {
            let response = put(odd.to_owned()).await;
            assert_eq!(response.expect(422)["fields"], json!({"website": "Please enter a web address such as https://example.org."}), "{odd}");
        }
    }

    /// The largest possible option can be voted for like any other.
    /// proves: length-any-script, call-vote
    async fn the_largest_option_can_be_voted_for(server) {
        let ada = server.member("ada").await;
        for option in [CHARACTERS[5].repeat(50), format!("a{}", "\u{20dd}".repeat(599))] {
            let post = ada.create(json!({"content": "which?", "pollOptions": [option, "other"]})).await;
            let path = format!("/api/posts/{}/vote", post["id"].as_str().unwrap());
            let voted = ada.post(&path, json!({"option": option})).await.expect(200);
            assert_eq!(voted["pollMyVote"], option);
        }
    }

    /// Usernames, emails and search terms have exact length limits.
    /// proves: username-form, link-address-form, bound-email, bound-search
    async fn usernames_emails_and_search_terms_have_length_limits(server) {
        let ada = server.member("ada").await;
        for (name, sentence) in [
            ("ab", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("a23456789_123456789_1", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("äbc", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("admin", "This username cannot be chosen."),
        ] {
            let response = ada.json(Method::PUT, "/api/users/username", json!({"username": name})).await;
            assert_eq!(response.expect(422)["fields"], json!({"username": sentence}), "{name}");
        }
        let longest = "A23456789_123456789_";
        let me = ada.json(Method::PUT, "/api/users/username", json!({"username": longest})).await.expect(200);
        assert_eq!(me["username"], longest.to_lowercase());

        let domain = |length: usize| format!("{}.{}.{}.{}", "a".repeat(60), "b".repeat(60), "c".repeat(60), "d".repeat(length - 183));
        for (local, length, status) in [(64, 189, 200), (65, 188, 422), (64, 190, 422), (7, 246, 200), (7, 247, 422)] {
            let email = format!("{}@{}", "e".repeat(local), domain(length));
            let response = server.visitor().post("/api/waitlist", json!({"email": email})).await;
            let body = response.expect(status);
            if status == 422 {
                assert_eq!(body["fields"], json!({"email": "Please enter a valid email address."}));
            }
        }

        for (term, status) in [("é".repeat(100), 200), ("é".repeat(101), 400), ("😀".repeat(100), 200)] {
            let term: String = url::form_urlencoded::byte_serialize(term.as_bytes()).collect();
            let body = ada.get(&format!("/api/users/search?q={term}")).await.expect(status);
            if status == 400 {
                assert_eq!(body["fields"], json!({"q": "A search term can have at most 100 characters."}));
            }
        }
    }

    /// An idempotency key has 1 to 100 visible ASCII characters.
    /// proves: bound-key
    async fn idempotency_keys_have_length_limits(server) {
        let ada = server.member("ada").await;
        for (key, status) in [("k".to_owned(), 201), ("k".repeat(100), 201), ("k".repeat(101), 400), (String::new(), 400), ("é".to_owned(), 400), ("a b".to_owned(), 400)] {
            let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
            let response = ada.request("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
            response.expect(status);
            if status == 400 {
                assert_eq!(response.error_code(400), "bad_idempotency_key");
                assert_eq!(response.expect(400)["message"], "The Idempotency-Key must be 1 to 100 plain characters.");
            }
        }
    }
}
