//! Builds responses: pages of posts from their ids, and the post that a transaction created or changed.

use crate::features::posts::PostsState;
use crate::features::posts::cache::{PostSet, WrittenPost};
use crate::features::posts::dto::Post;
use crate::features::posts::id_page::PostIdPage;
use crate::features::posts::unknown;
use crate::features::posts::view::{Added, Tombstones, Viewer};
use crate::features::relationships::HiddenMembers;
use crate::http::error::Result;
use crate::http::extract::Page;
use crate::http::pagination::{self, Listing};
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
    for (step, rows) in rows.chunks(count).enumerate() {
        // Later chunks load only the referenced posts: they are read only when the first chunk has hidden rows.
        let shown = if step == 0 { skip } else { rows.len() };
        let shown = rows.iter().skip(shown).map(|(post, _)| *post);
        let on = rows.iter().filter_map(|(_, on)| *on);
        let wanted = shown.chain(on).collect::<Vec<_>>();
        posts.load_more(state, db, viewer, &wanted).await?;
        let is_visible = |row: &&(i64, Option<i64>)| {
            row.1.is_none_or(|on| {
                let on = posts.posts.get(&on);
                on.is_some_and(|post| !post.is_deleted && !hides(post.author))
            })
        };
        let room = count - ids.len();
        let kept = rows.iter().filter(is_visible).map(|(post, _)| *post);
        ids.extend(kept.take(room));
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
    (viewer, unseen): (Id, &HiddenMembers),
    mut posts: PostSet,
    ids: PostIdPage,
    page: Page,
    path: &str,
) -> Result<Listing<Post>> {
    posts.load_more(state, db, viewer, &ids.posts).await?;
    let viewer = Viewer { id: viewer, unseen, posts: &posts };
    let body = viewer.list(&ids.posts);
    Ok(Listing::from_json(body, path, page.limit, ids.next))
}

/// Outcome of a transaction that creates or changes a post.
#[derive(Debug)]
pub(super) struct WriteOutcome {
    pub(super) post: Id,
    /// The post as the transaction wrote it; none when it must be read again.
    pub(super) written: Option<WrittenPost>,
}

impl WriteOutcome {
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
            Some(written) => PostSet::written(state, &db, written).await,
            None => PostSet::load(state, &db, member, &ids).await,
        }
    };
    let (unseen, posts) =
        try_join!(HiddenMembers::load_cached(&state.relationships.visibility, &db, member), posts)?;
    let viewer = Viewer { id: member, unseen: &unseen, posts: &posts };
    let shown = viewer.find(post, Tombstones::Omitted).ok_or_else(unknown)?;
    let mut body = Vec::with_capacity(1_500);
    viewer.write(&mut body, &shown, Added::default());
    Ok(pagination::json_response(body))
}
