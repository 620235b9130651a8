//! The network's name, texts and pages.

use crate::harness::{Browser, Options, Server, on_both_engines};
use crate::media;
use axum::http::Method;
use kith::features::announcements;
use kith::features::members::{Role, SanctionKind};
use kith::features::settings::InitialSettings;
use kith::ops::consistency;
use kith::platform::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

const PATH: &str = "/api/admin/settings";
const MAILS: &str = "/api/admin/settings/announcement/mails";
const ICON: &str = "/api/admin/settings/icon";

/// Replaces all settings.
async fn set(admin: &Browser, body: Value) -> Value {
    admin.json(Method::PUT, PATH, body).await.expect(200)
}

async fn site(browser: &Browser) -> Value {
    browser.get("/api/site").await.expect(200)
}

/// Returns the body of a page or file.
async fn text(browser: &Browser, path: &str) -> String {
    String::from_utf8(browser.get(path).await.bytes).unwrap()
}

on_both_engines! {
    /// proves: identity-defaults, call-site
    async fn a_network_has_the_default_texts(server) {
        assert_eq!(site(&server.visitor()).await, json!({
            "name": "Kith",
            "description": "The human network. Real voices. Real connections. No bots. Kith is an invite-only social network for short posts.",
            "contact": null,
            "iconUrl": null,
            "accentColor": null,
            "headline": "The human network",
            "tagline": "Real voices. Real connections. No bots.",
            "defaultLanguage": null,
            "rulesVersion": 0,
            "pages": [],
            "registration": "open",
            "invitesPerMonth": 3,
            "inviteDays": 7,
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
            "contact": "crow@example.org", "iconUrl": null, "accentColor": "#c2410c", "headline": "Caw", "tagline": "Black feathers",
            "defaultLanguage": "de", "rulesVersion": 1, "pages": ["rules", "imprint"],
            "registration": "open", "invitesPerMonth": 3, "inviteDays": 7,
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

    /// proves: identity-pages
    async fn four_pages_of_the_largest_size_fit(server) {
        let page = "\u{1f426}".repeat(20_000);
        let pages = json!({"rules": page, "terms": page, "privacy": page, "imprint": page});
        let saved = set(&server.admin("kim").await, pages).await;
        assert_eq!(saved["imprint"], page);
        assert_eq!(server.visitor().get("/api/site/pages/terms").await.expect(200)["markdown"], page);
    }

    /// proves: identity-shown
    async fn the_page_and_the_manifest_present_the_network(server) {
        let (kim, visitor) = (server.admin("kim").await, server.visitor());
        let name = r#"</script><b>&"Rook"#;
        let page = async |path| text(&visitor, path).await;
        let old = visitor.get("/").await.headers["etag"].clone();
        set(&kim, json!({"name": name, "description": "Caw \"caw\" <x>", "defaultLanguage": "de"})).await;
        for path in ["/", "/index.html", "/profile/ada"] {
            let html = page(path).await;
            assert!(html.contains("<title>&lt;/script&gt;&lt;b&gt;&amp;&quot;Rook</title>"), "{path}");
            assert!(html.contains(r#"content="Caw &quot;caw&quot; &lt;x&gt;""#), "{path}");
            let (_, json) = html.split_once(r#"<script type="application/json" id="site">"#).unwrap();
            let (json, rest) = json.split_once("</script>").unwrap();
            assert_eq!(serde_json::from_str::<Value>(json).unwrap(), site(&visitor).await);
            assert!(rest.contains("/start.js"), "start.js reads the settings: {path}");
        }
        assert_ne!(visitor.get("/").await.headers["etag"], old);
        let manifest: Value = serde_json::from_str(&page("/manifest.webmanifest").await).unwrap();
        assert_eq!((&manifest["name"], &manifest["description"]), (&json!(name), &json!("Caw \"caw\" <x>")));
        assert_eq!(visitor.get("/api/openapi.json").await.expect(200)["info"]["title"], name);
    }

    /// proves: identity-icon, call-icon
    async fn an_admin_sets_and_removes_the_icon(server) {
        let (kim, visitor) = (server.admin("kim").await, server.visitor());
        let put = async |bytes| {
            let image = media::upload(&kim, bytes).await;
            kim.json(Method::PUT, ICON, json!({"imageURL": image})).await
        };
        put(media::small(1)).await.error_code(422);
        let first = put(media::icon(1)).await.expect(200)["iconUrl"].as_str().unwrap().to_owned();
        let second = put(media::icon(2)).await.expect(200)["iconUrl"].as_str().unwrap().to_owned();
        assert_ne!(first, second);
        assert_eq!(site(&visitor).await["iconUrl"], second);
        assert!(text(&visitor, "/").await.contains(&format!(r#"<link rel="icon" href="{second}">"#)));
        assert_eq!(visitor.get(&second).await.status, 200);
        // Other settings keep it, and so does the sweeper. The first icon is deleted.
        assert_eq!(set(&kim, json!({"name": "Rookery"})).await["iconUrl"], second);
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
        server.advance_clock(2 * DAY);
        for _ in 0..2 {
            kith::features::media::sweep(&server.state.media).await.unwrap();
            server.advance_clock(2 * HOUR);
        }
        assert_eq!(visitor.get(&first).await.status, 404);
        assert_eq!(visitor.get(&second).await.status, 200);
        assert_eq!(kim.delete(ICON).await.expect(200)["iconUrl"], Value::Null);
        kim.delete(ICON).await.expect(200);
        assert_eq!(consistency::find_count_mismatches(&server.state.db).await.unwrap(), []);
        let ada = server.member("ada").await;
        ada.delete(ICON).await.error_code(404);
        ada.json(Method::PUT, ICON, json!({"imageURL": first})).await.error_code(404);
    }

    /// proves: identity-mails
    async fn mails_name_the_network(server) {
        let kim = server.admin("kim").await;
        set(&kim, json!({"name": "Rookery", "headline": "Caw", "defaultLanguage": "de"})).await;
        server.member("ada").await;
        server.advance_clock(2 * MINUTE);
        let email = json!({"email": "ada@example.org"});
        server.visitor().post("/api/auth/request-login-link", email).await.expect(200);
        let mail = server.mail_to("ada@example.org").await.replace("=C2=B7", "·");
        assert!(mail.contains("Subject: Dein Link zur Anmeldung bei Rookery"), "{mail}");
        assert!(mail.contains("Rookery · Caw"), "{mail}");
        assert!(!mail.replace("From: Kith", "").contains("Kith"), "{mail}");
    }

    /// proves: identity-agreement, call-accept-rules
    async fn members_agree_to_a_version_of_the_rules(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let accept = async |version: i64| ada.post("/api/rules/acceptance", json!({"version": version})).await;
        let accepted = async || ada.get("/api/auth/me").await.expect(200)["acceptedRulesVersion"].clone();
        accept(1).await.error_code(422);
        set(&kim, json!({"rules": "Be kind."})).await;
        assert_eq!(accepted().await, 0);
        accept(1).await.expect(204);
        set(&kim, json!({"rules": "Be very kind."})).await;
        assert_eq!(accepted().await, 1);
        accept(2).await.expect(204);
        accept(1).await.expect(204);
        for version in [-1, 0, 3] {
            accept(version).await.error_code(422);
        }
        assert_eq!(accepted().await, 2);
        server.visitor().post("/api/rules/acceptance", json!({"version": 2})).await.error_code(401);
    }

    /// proves: announcement-banner, announcement-mails, call-mail-announcement
    async fn an_announcement_is_shown_and_mailed_once(server) {
        let (kim, ada) = (server.admin("kim").await, server.member("ada").await);
        let bob = server.member("bob").await;
        let shown = async || ada.get("/api/auth/me").await.expect(200)["announcement"].clone();
        assert_eq!(shown().await, Value::Null);
        let saved = set(&kim, json!({"announcement": " We meet on Friday.\r\n\r\nBring cake. "})).await;
        let text = "We meet on Friday.\n\nBring cake.";
        assert_eq!(shown().await, json!({"text": text, "version": 1}));
        assert_eq!((&saved["announcementVersion"], &saved["announcementIsMailed"]), (&json!(1), &json!(false)));
        server.apply_sanction(&bob.name().await, SanctionKind::Suspend).await.unwrap();
        let send = async |version: i64| kim.post(MAILS, json!({"version": version})).await;
        assert_eq!(send(2).await.error_code(409), "announcement_changed");
        send(1).await.expect(204);
        assert_eq!(send(1).await.error_code(409), "announcement_mailed");
        announcements::enqueue_mails(&server.state).await.unwrap();
        announcements::enqueue_mails(&server.state).await.unwrap();
        server.wait_for_mail_queue().await;
        let mails = server.mails().into_iter().filter(|(_, mail)| mail.contains("Subject: Announcement from Kith"));
        let mails = mails.map(|(_, mail)| mail).collect::<Vec<_>>();
        let to = |name: &str| mails.iter().filter(|mail| mail.contains(&format!("To: {name}@example.org"))).count();
        assert_eq!((to("ada"), to("kim"), to("bob")), (1, 1, 0));
        assert!(mails[0].contains("Bring cake."), "{}", mails[0]);
        assert_eq!(kim.get(PATH).await.expect(200)["announcementIsMailed"], true);
        // A new text is a new announcement, and an empty one is none.
        assert_eq!(set(&kim, json!({"announcement": "On Saturday."})).await["announcementIsMailed"], false);
        assert_eq!(shown().await["version"], 2);
        set(&kim, json!({})).await;
        assert_eq!(shown().await, Value::Null);
        assert_eq!(send(2).await.error_code(409), "announcement_changed");
        ada.post(MAILS, json!({"version": 2})).await.error_code(404);
    }

    /// proves: announcement-mails
    async fn a_changed_announcement_is_mailed_to_no_one_else(server) {
        let kim = server.admin("kim").await;
        set(&kim, json!({"announcement": "We meet on Friday."})).await;
        kim.post(MAILS, json!({"version": 1})).await.expect(204);
        set(&kim, json!({"announcement": "We meet on Saturday."})).await;
        announcements::enqueue_mails(&server.state).await.unwrap();
        server.wait_for_mail_queue().await;
        assert!(!server.mails().iter().any(|(_, mail)| mail.contains("Subject: Announcement from")));
    }

    /// proves: identity-limits, identity-accent
    async fn invalid_settings_name_their_field(server) {
        let kim = server.admin("kim").await;
        for (field, value) in [
            ("name", "a".repeat(51)), ("description", "a".repeat(301)), ("contact", "http://example.org".into()),
            ("accentColor", "#777777".into()), ("accentColor", "red".into()), ("headline", "a".repeat(301)),
            ("tagline", "a".repeat(301)), ("announcement", "a".repeat(501)), ("privacy", "a".repeat(20_001)),
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
        Server::start(Options {
            network_name: name.to_owned(),
            network_contact: contact.to_owned(),
            ..Options::on(String::new())
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
