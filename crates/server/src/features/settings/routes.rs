//! `/api/site`: the network as it presents itself to visitors.

use crate::features::settings::{PageName, SettingsState, Site, load_cached};
use crate::http::error::{ApiError, Result};
use crate::http::extract::Path;
use crate::http::openapi::documented_errors;
use crate::platform::clock::rfc3339;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// A page that the operator wrote.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SitePage {
    /// Which page it is.
    pub page: PageName,
    /// Text of the page, in Markdown.
    #[schema(min_length = 1, max_length = 20000, example = "# Rules")]
    pub markdown: String,
    /// Time of the last change.
    pub updated_at: String,
}

/// Returns the name and texts of the network, with defaults for what the operator has not set.
#[utoipa::path(get, path = "/api/site", operation_id = "getSite", tag = "site", security(()),
    responses((status = 200, body = Site)))]
pub async fn get_site(State(state): State<Arc<SettingsState>>) -> Result<Json<Site>> {
    let stored = load_cached(&state).await?;
    Ok(Json(Site::new(&stored)))
}

documented_errors!(PageErrors: page_not_found());

fn page_not_found() -> ApiError {
    ApiError::not_found("page_not_found", "This network has no such page.")
}

/// Returns the rules, terms, privacy notice or imprint in Markdown. 404 if the operator has not written it.
#[utoipa::path(get, path = "/api/site/pages/{page}", operation_id = "getSitePage", tag = "site", security(()),
    params(("page" = String, Path, description = "`rules`, `terms`, `privacy` or `imprint`.", min_length = 1, max_length = 500, example = "rules")),
    responses((status = 200, body = SitePage), PageErrors))]
pub async fn get_site_page(
    State(state): State<Arc<SettingsState>>,
    Path(name): Path<String>,
) -> Result<Json<SitePage>> {
    let has_name = |page: &PageName| page.field().name() == name;
    let page = PageName::ALL.into_iter().find(has_name).ok_or_else(page_not_found)?;
    let stored = load_cached(&state).await?;
    let found = stored.get(page.field()).zip(stored.changed_at(page.field()));
    let (markdown, changed_at) = found.ok_or_else(page_not_found)?;
    let (markdown, updated_at) = (markdown.to_owned(), rfc3339(changed_at));
    Ok(Json(SitePage { page, markdown, updated_at }))
}
