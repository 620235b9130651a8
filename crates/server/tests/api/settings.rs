//! The network's name, texts and pages.

use crate::harness::{Browser, Server, on_both_engines};
use axum::http::Method;
use kith::features::members::Role;
use kith::features::settings::InitialSettings;
use serde_json::{Value, json};

const PATH: &str = "/api/admin/settings";

/// Replaces all settings.
async fn set(admin: &Browser, body: Value) -> Value {
    admin.json(Method::PUT, PATH, body).await.expect(200)
}

async fn site(browser: &Browser) -> Value {
    browser.get("/api/site").await.expect(200)
}

on_both_engines! {
    /// proves: identity-defaults, call-site
    async fn a_network_has_the_default_texts(server) {
        assert_eq!(site(&server.visitor()).await, json!({
            "name": "Kith",
            "description": "The human network. Real voices. Real connections. No bots. Kith is an invite-only social network for short posts.",
            "contact": null,
            "accentColor": null,
            "headline": "The human network",
            "tagline": "Real voices. Real connections. No bots.",
            "defaultLanguage": null,
            "rulesVersion": 0,
            "pages": [],
        }));
        for page in ["rules", "terms", "privacy", "imprint", "name", "version", "x"] {
            let response = server.visitor().get(&format!("/api/site/pages/{page}")).await;
            assert_eq!(response.error_code(404), "page_not_found");
        }
    }

    /// proves: identity-set, identity-pages, identity-reset, call-settings, call-site-page
    async fn an_admin_sets_names_and_pages(server) {
        let (kim, visitor) = (server.admin("kim").await, server.visitor());
        // Fills the cache, which must not outlive the change.
        site(&visitor).await;
        let saved = set(&kim, json!({
            "name": "  Rookery ", "contact": "Crow@Example.org", "accentColor": "#C2410C", "headline": "Caw",
            "tagline": "Black feathers", "defaultLanguage": "de", "rules": "# Rules\r\n\nBe kind.", "imprint": "Crow",
        })).await;
        let expected = json!({
            "name": "Rookery", "description": "The human network. Real voices. Real connections. No bots. Rookery is an invite-only social network for short posts.",
            "contact": "crow@example.org", "accentColor": "#c2410c", "headline": "Caw", "tagline": "Black feathers",
            "defaultLanguage": "de", "rulesVersion": 1, "pages": ["rules", "imprint"],
        });
        assert_eq!(site(&visitor).await, expected);
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(saved[name], *value);
        }
        assert_eq!((&saved["rules"], &saved["terms"], &saved["version"]), (&json!("# Rules\n\nBe kind."), &Value::Null, &json!(1)));
        assert_eq!(kim.get(PATH).await.expect(200), saved);
        let page = visitor.get("/api/site/pages/rules").await.expect(200);
        assert_eq!((&page["page"], &page["markdown"]), (&json!("rules"), &json!("# Rules\n\nBe kind.")));
        visitor.get("/api/site/pages/terms").await.error_code(404);

        let reset = set(&kim, json!({"name": " \u{200b}", "rules": null})).await;
        assert_eq!((&reset["name"], &reset["contact"], &reset["rulesVersion"], &reset["pages"]), (&json!("Kith"), &Value::Null, &json!(0), &json!([])));
        assert_eq!(site(&visitor).await["name"], "Kith");
        visitor.get("/api/site/pages/rules").await.error_code(404);
        // New rules have a new version, although there were none in between.
        assert_eq!(set(&kim, json!({"rules": "Be nice."})).await["rulesVersion"], 2);
    }

    /// proves: identity-conflict, identity-audit
    async fn a_change_is_audited_and_never_overwrites_an_unseen_one(server) {
        let (kim, max) = (server.admin("kim").await, server.admin("max").await);
        set(&kim, json!({"name": "Rookery", "rules": "Be kind."})).await;
        let lost = max.json(Method::PUT, PATH, json!({"name": "Raven", "version": 0})).await;
        assert_eq!(lost.error_code(409), "settings_changed");
        let seen = set(&max, json!({"name": "Raven", "rules": "Be kind.", "version": 1})).await;
        assert_eq!((&seen["name"], &seen["version"], &seen["rulesVersion"]), (&json!("Raven"), &json!(2), &json!(1)));
        // The same values again are no change.
        assert_eq!(set(&max, json!({"name": "Raven", "rules": "Be kind."})).await, seen);
        let log = kim.get("/api/admin/audit").await.expect(200);
        let rows = log.as_array().unwrap().iter().filter(|row| row["action"] == "change_settings");
        let rows = rows.map(|row| (row["actor"]["username"].as_str().unwrap(), row["detail"].as_str().unwrap()));
        let (kims, maxs) = (kim.name().await, max.name().await);
        assert_eq!(rows.collect::<Vec<_>>(), [(maxs.as_str(), "name"), (kims.as_str(), "name, rules")]);
    }

    /// proves: identity-limits, identity-accent
    async fn invalid_settings_name_their_field(server) {
        let kim = server.admin("kim").await;
        for (field, value) in [
            ("name", "a".repeat(51)), ("description", "a".repeat(301)), ("contact", "http://example.org".into()),
            ("accentColor", "#777777".into()), ("accentColor", "red".into()), ("headline", "a".repeat(301)),
            ("tagline", "a".repeat(301)), ("privacy", "a".repeat(20_001)),
        ] {
            let response = kim.json(Method::PUT, PATH, json!({field: value})).await;
            assert_eq!(response.error_code(422), "invalid");
            assert!(response.expect(422)["fields"][field].is_string(), "{field}");
        }
        assert_eq!(kim.get(PATH).await.expect(200)["version"], 0);
        let mia = server.with_role("mia", Role::Moderator).await;
        mia.json(Method::PUT, PATH, json!({"name": "Raven"})).await.error_code(404);
    }
}

/// proves: identity-nodes
#[tokio::test]
async fn every_node_shows_a_change() {
    let server = Server::postgres().await;
    let other = server.start_second_node().await;
    let kim = server.admin("kim").await;
    assert_eq!(site(&other.visitor()).await["name"], "Kith");
    set(&kim, json!({"name": "Rookery"})).await;
    assert_eq!(site(&other.adopt(&kim)).await["name"], "Rookery");
}

/// proves: identity-initial
#[tokio::test]
async fn a_new_network_takes_its_name_from_the_environment() {
    let named = |name: &str, contact: &str| {
        let (name, contact) = (name.to_owned(), contact.to_owned());
        Server::with(move |options| {
            (options.network_name, options.network_contact) = (name, contact)
        })
    };
    let server = named("Rookery", "crow@example.org").await;
    let shown = site(&server.visitor()).await;
    assert_eq!(
        (&shown["name"], &shown["contact"]),
        (&json!("Rookery"), &json!("crow@example.org"))
    );
    // A later start does not change them.
    let kim = server.admin("kim").await;
    set(&kim, json!({"name": "Raven"})).await;
    kith::ops::first_run::seed_founder(&server.state).await.unwrap();
    assert_eq!(site(&server.visitor()).await["name"], "Raven");
    let mut settings = server.state.settings.clone();
    settings.network_contact = "unknown".into();
    let error = InitialSettings::check(&settings).unwrap_err();
    assert!(error.message().starts_with("Please enter an email address"), "{error:?}");
}
