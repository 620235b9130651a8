//! The web app's index page and manifest, which present the network.

use crate::features::settings::{SettingsState, Site, StoredSettings, load_cached};
use crate::http::static_assets::{self, Asset};
use crate::http::{cookies, error::ApiError, fallback};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{PreEscaped, html};
use serde_json::{Value, json};
use std::sync::Arc;

/// Index page of the web app, served for every path that is not a file.
const INDEX: &str = "index.html";
const MANIFEST: &str = "manifest.webmanifest";
/// Limits of the part of `web/index.html` that presents the network.
const HEAD: [&str; 2] = ["<!-- site -->", "<!-- /site -->"];

/// Path to which an installed app shares, as in `web/public/manifest.webmanifest`.
const SHARE_TARGET: &str = "share";

/// Response header of a page that the scripts of the page can read.
const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The files that present the network; `None` for a file that is not part of this build.
#[derive(Debug)]
pub(super) struct AppPages {
    index: Option<Asset>,
    manifest: Option<Asset>,
}

impl AppPages {
    fn new(site: &Site) -> Self {
        let index = static_assets::find_text(INDEX).and_then(|page| write_index(&page, site));
        let manifest =
            static_assets::find_text(MANIFEST).and_then(|text| write_manifest(&text, site));
        Self {
            index: index.map(|text| Asset::new("text/html; charset=utf-8", text)),
            manifest: manifest.map(|text| Asset::new("application/manifest+json", text)),
        }
    }
}

/// Returns the files for these settings. They are written and compressed once per change.
fn app_pages(state: &SettingsState, stored: &StoredSettings) -> Arc<AppPages> {
    let mut written = state.app_pages.lock();
    match &*written {
        Some((version, pages)) if *version == stored.version() => Arc::clone(pages),
        _ => {
            let pages = Arc::new(AppPages::new(&Site::new(stored)));
            *written = Some((stored.version(), Arc::clone(&pages)));
            pages
        }
    }
}

/// Puts the network's title, description and icons into the page, and what `GET /api/site` returns for the app.
fn write_index(page: &str, site: &Site) -> Option<String> {
    let (start, rest) = page.split_once(HEAD[0])?;
    let (_, end) = rest.split_once(HEAD[1])?;
    // Nothing in the text can end the element.
    let json = serde_json::to_string(site).ok()?.replace('<', "\\u003c");
    let head = html! {
        title { (site.name) }
        meta name="description" content=(site.description);
        @if let Some(url) = &site.icon_url {
            link rel="icon" href=(url);
            link rel="apple-touch-icon" href=(url);
        } @else {
            link rel="icon" href="/favicon.svg" type="image/svg+xml";
            link rel="apple-touch-icon" href="/apple-touch-icon.png";
        }
        script type="application/json" id="site" { (PreEscaped(json)) }
    };
    Some(format!("{start}{}{end}", head.into_string()))
}

/// Puts the network's name, description and icon into the manifest.
fn write_manifest(text: &str, site: &Site) -> Option<String> {
    let mut manifest: Value = serde_json::from_str(text).ok()?;
    manifest["name"] = json!(site.name);
    manifest["short_name"] = json!(site.name);
    manifest["description"] = json!(site.description);
    if let Some(url) = &site.icon_url {
        manifest["icons"] = json!([{"src": url, "sizes": "any", "type": "image/webp"}]);
    }
    Some(manifest.to_string())
}

/// Serves a file of the web app, or its index page, which routes on the client.
pub async fn serve_app(
    State(state): State<Arc<SettingsState>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return fallback::route_not_found().into_response();
    }
    // The app's service worker keeps what is shared. Without one, the page asks to share it again.
    if path == SHARE_TARGET && method == Method::POST {
        return Redirect::to("/?share=failed").into_response();
    }
    if !matches!(method, Method::GET | Method::HEAD) {
        return ApiError::method_not_allowed("Pages can only be read.", "GET,HEAD").into_response();
    }
    if path != INDEX
        && path != MANIFEST
        && let Some(file) = static_assets::find(path)
    {
        return file.respond(&method, &headers);
    }
    // Do not serve the index page here: the images' CSP blocks its scripts.
    if ["assets/", "images/", "media/"].iter().any(|files| path.starts_with(files)) {
        return (StatusCode::NOT_FOUND, "There is no such file.").into_response();
    }
    // The app explains what it cannot load; without the settings, it has the default name.
    let pages = match load_cached(&state).await {
        Ok(stored) => app_pages(&state, &stored),
        Err(_) => Arc::new(AppPages::new(&Site::new(&StoredSettings::default()))),
    };
    let file = if path == MANIFEST { &pages.manifest } else { &pages.index };
    let Some(file) = file else {
        let text = "The web app is not part of this build: run `cargo xtask run`.";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    let mut response = file.respond(&method, &headers);
    // Scripts cannot read the cookie, so this header announces a session. Its validity is not checked.
    if cookies::value(&headers, cookies::session_name(&state)).is_some() {
        let entry = HeaderValue::from_static("session");
        response.headers_mut().insert(SERVER_TIMING, entry);
    }
    response
}
