//! Builds responses: pages of posts from their ids, and the post that a transaction created or changed.

use crate::features::posts::PostsState;
use crate::features::posts::cache::{PostSet, WrittenPost};
use crate::features::posts::dto::{ListFields, Post};
use crate::features::posts::id_page::PostIdPage;
use crate::features::posts::post_not_found;
use crate::features::posts::view::{Tombstones, Viewer};
use crate::features::relationships::HiddenMembers;
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::http::pagination::{self, ListResponse};
use crate::platform::ids::Id;
use axum::response::Response;
use futures_util::try_join;
use kith_db::Reader;

/// Context of a query: state, database and viewer.
#[derive(Clone, Copy)]
pub(super) struct ViewerQuery<'a> {
    pub(super) state: &'a PostsState,
    pub(super) db: &'a Reader<'a>,
    pub(super) viewer: Id,
}

/// Returns the first `count` posts of `rows` (post, referenced post) whose referenced post is neither
/// deleted nor by an author that `hides` rejects. Loads the posts from `skip` on into `posts`.
pub(super) async fn retain_visible(
    ViewerQuery { state, db, viewer }: ViewerQuery<'_>,
    rows: &[(i64, Option<i64>)],
    (skip, count): (usize, usize),
    posts: &mut PostSet,
    hides: impl Fn(i64) -> bool,
) -> kith_db::Result<Vec<i64>> {
    let mut ids = Vec::with_capacity(count);
    for (index, chunk) in rows.chunks(count).enumerate() {
        // Later chunks load only the referenced posts: they are read only when the first chunk has hidden rows.
        let skip = if index == 0 { skip } else { chunk.len() };
        let shown = chunk.iter().skip(skip).map(|(post, _)| *post);
        let referenced = chunk.iter().filter_map(|(_, referenced)| *referenced);
        let needed = shown.chain(referenced).collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &needed).await?;
        let is_visible = |(_, referenced): &&(i64, Option<i64>)| {
            referenced.is_none_or(|referenced| {
                let post = posts.posts.get(&referenced);
                post.is_some_and(|post| !post.is_deleted && !hides(post.author))
            })
        };
        let remaining = count - ids.len();
        let visible = chunk.iter().filter(is_visible).map(|(post, _)| *post);
        ids.extend(visible.take(remaining));
        if ids.len() == count {
            break;
        }
    }
    Ok(ids)
}

/// Loads the posts of a page that `posts` does not contain yet, and builds the response. `path` is the
/// list's URL up to its next query parameter.
pub async fn load_listing(
    state: &PostsState,
    db: &Reader<'_>,
    (viewer, hidden): (Id, &HiddenMembers),
    mut posts: PostSet,
    ids: PostIdPage,
    page: Page,
    path: &str,
) -> Result<ListResponse<Post>> {
    posts.load_more(state, db, viewer, &ids.posts).await?;
    let viewer = Viewer { id: viewer, hidden, posts: &posts };
    let body = viewer.to_json_array(&ids.posts);
    Ok(ListResponse::from_json(body, path, page.limit, ids.next))
}

/// Outcome of a transaction that creates or changes a post.
#[derive(Debug)]
pub(super) struct WriteOutcome {
    pub(super) post: Id,
    /// The post as the transaction wrote it; `None` when it must be read again.
    pub(super) written: Option<WrittenPost>,
}

impl WriteOutcome {
    /// Creates the outcome of a transaction whose post must be read again.
    pub(super) const fn reload(post: Id) -> Self {
        Self { post, written: None }
    }
}

/// Responds with the post that a transaction created or changed, as the member sees it.
pub(super) async fn respond_with_post(
    state: &PostsState,
    member: Id,
    outcome: WriteOutcome,
) -> Result<Response> {
    let (db, post) = (state.db.reader(), outcome.post.0);
    let ids = [post];
    let posts = async {
        match outcome.written {
            Some(written) => PostSet::from_written(state, &db, written).await,
            None => PostSet::load(state, &db, member, &ids).await,
        }
    };
    let (hidden, posts) =
        try_join!(HiddenMembers::load_cached(&state.relationships.visibility, &db, member), posts)?;
    let viewer = Viewer { id: member, hidden: &hidden, posts: &posts };
    let shown = viewer.find(post, Tombstones::Omitted).ok_or_else(post_not_found)?;
    let mut body = Vec::with_capacity(1_500);
    viewer.write(&mut body, &shown, &ListFields::default());
    Ok(pagination::json_response(body))
}
