//! How long each text may be, to the character and to the code point, and what is said beyond.

use crate::harness::{Answer, Browser, on_both_engines};
use axum::http::Method;
use serde_json::{Value, json};

const ROOM: &str = "This text is too large to save. Try fewer emoji or combining marks.";
/// One character of 1, 2, 4, 8, 25 and 41 bytes.
const CHARACTERS: [&str; 6] = ["a", "é", "😀", "🇩🇪", "👩‍👩‍👧‍👦", "👨🏻‍👩🏻‍👧🏻‍👦🏻"];

/// A field that takes text.
struct Field {
    name: &'static str,
    characters: usize,
    /// Of a post bytes, of all others code points.
    room: usize,
    sentence: &'static str,
}

const FIELDS: [Field; 4] = [
    Field {
        name: "content",
        characters: 500,
        room: 5_000,
        sentence: "A post can have at most 500 characters.",
    },
    Field {
        name: "pollOptions",
        characters: 50,
        room: 600,
        sentence: "A poll option can have at most 50 characters.",
    },
    Field {
        name: "displayName",
        characters: 50,
        room: 600,
        sentence: "A display name has 1 to 50 characters.",
    },
    Field {
        name: "bio",
        characters: 160,
        room: 1_920,
        sentence: "A bio can have at most 160 characters.",
    },
];

impl Field {
    async fn send(&self, ada: &Browser, text: &str) -> Answer {
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
    fn assert_kept(&self, answer: &Answer, text: &str) {
        let answered = answer.expect(if self.name.starts_with(['c', 'p']) {
            201
        } else {
            200
        });
        let kept = match &answered[self.name] {
            Value::Array(options) => &options[0],
            kept => kept,
        };
        assert_eq!(kept, text, "{}", self.name);
    }

    #[track_caller]
    fn assert_refused(&self, answer: &Answer, sentence: &str) {
        assert_eq!(answer.refusal(422), "invalid", "{}", self.name);
        let body = answer.expect(422);
        assert_eq!(body["message"], sentence, "{}", self.name);
        assert_eq!(body["fields"], json!({self.name: sentence}));
    }
}

on_both_engines! {
    /// As many as are allowed of any script, and not one more, also where the last one is a pair of surrogates.
    /// proves: post-length, poll-option-length, display-name-length, bio-length, length-any-script
    async fn texts_end_at_their_last_character(server) {
        let ada = server.member("ada").await;
        for field in FIELDS {
            for character in CHARACTERS {
                let full = character.repeat(field.characters);
                let answer = field.send(&ada, &full).await;
                if field.name == "content" && full.len() > field.room {
                    field.assert_refused(&answer, ROOM);
                } else {
                    field.assert_kept(&answer, &full);
                }
                for last in ["b", "😀"] {
                    let over = field.send(&ada, &format!("{full}{last}")).await;
                    // What no post can hold is not even counted.
                    let huge = full.chars().count() >= 5_000;
                    field.assert_refused(&over, if huge { ROOM } else { field.sentence });
                }
            }
            let border = format!("{}😀", "a".repeat(field.characters - 1));
            field.assert_kept(&field.send(&ada, &border).await, &border);
        }
    }

    /// Marks may be piled on a letter as long as there is room for them.
    /// proves: post-bytes, text-room, length-any-script
    async fn texts_end_where_there_is_no_more_room(server) {
        let ada = server.member("ada").await;
        for field in FIELDS {
            let mark = if field.name == "content" { 3 } else { 1 };
            let pile = format!("a{}", "\u{20dd}".repeat(field.room / mark - 10));
            let full = format!("{pile}{}", "b".repeat(field.room - 1 - mark * (field.room / mark - 10)));
            field.assert_kept(&field.send(&ada, &full).await, &full);
            field.assert_refused(&field.send(&ada, &format!("{full}b")).await, ROOM);
        }
    }

    /// A website is counted as it is typed, however long its form in an address is.
    /// proves: website-rule, website-as-typed
    async fn websites_end_at_their_last_character(server) {
        let ada = server.member("ada").await;
        let put = async |website: String| ada.json(Method::PUT, "/api/users/profile", json!({"website": website})).await;
        let start = "https://example.org/";
        for (rest, stored) in [("a".repeat(180), "a".repeat(180)), ("ä".repeat(180), "%C3%A4".repeat(180))] {
            let me = put(format!("{start}{rest}")).await.expect(200);
            assert_eq!(me["website"], format!("{start}{stored}"));
            let answer = put(format!("{start}{rest}b")).await;
            assert_eq!(answer.refusal(422), "invalid");
            assert_eq!(answer.expect(422)["fields"], json!({"website": "A web address can have at most 200 characters."}));
        }
        for odd in ["javascript:alert(1)", "https://a:b@example.org", "ftp://example.org", "not a host", &format!("{start}{}", "😀".repeat(180))] {
            let answer = put(odd.to_owned()).await;
            assert_eq!(answer.expect(422)["fields"], json!({"website": "Please enter a web address such as https://example.org."}), "{odd}");
        }
    }

    /// The largest option there can be is voted for like any other.
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

    /// Usernames, addresses and search terms.
    /// proves: username-form, link-address-form, bound-email, bound-search
    async fn names_addresses_and_terms_have_their_length(server) {
        let ada = server.member("ada").await;
        for (name, sentence) in [
            ("ab", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("a23456789_123456789_1", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("äbc", "A username has 3 to 20 letters a-z, digits or underscores."),
            ("admin", "This username cannot be chosen."),
        ] {
            let answer = ada.json(Method::PUT, "/api/users/username", json!({"username": name})).await;
            assert_eq!(answer.expect(422)["fields"], json!({"username": sentence}), "{name}");
        }
        let longest = "A23456789_123456789_";
        let me = ada.json(Method::PUT, "/api/users/username", json!({"username": longest})).await.expect(200);
        assert_eq!(me["username"], longest.to_lowercase());

        let domain = |length: usize| format!("{}.{}.{}.{}", "a".repeat(60), "b".repeat(60), "c".repeat(60), "d".repeat(length - 183));
        for (local, length, status) in [(64, 189, 200), (65, 188, 422), (64, 190, 422), (7, 246, 200), (7, 247, 422)] {
            let email = format!("{}@{}", "e".repeat(local), domain(length));
            let answer = server.visitor().post("/api/waitlist", json!({"email": email})).await;
            let body = answer.expect(status);
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

    /// A key is as long as a key may be, and of characters that a header may hold.
    /// proves: bound-key
    async fn keys_have_their_length(server) {
        let ada = server.member("ada").await;
        for (key, status) in [("k".to_owned(), 201), ("k".repeat(100), 201), ("k".repeat(101), 400), (String::new(), 400), ("é".to_owned(), 400), ("a b".to_owned(), 400)] {
            let headers = [("content-type", "application/json"), ("idempotency-key", key.as_str())];
            let answer = ada.call("POST", "/api/posts", &headers, r#"{"content": "x"}"#).await;
            answer.expect(status);
            if status == 400 {
                assert_eq!(answer.refusal(400), "bad_idempotency_key");
                assert_eq!(answer.expect(400)["message"], "The Idempotency-Key must be 1 to 100 plain characters.");
            }
        }
    }
}
