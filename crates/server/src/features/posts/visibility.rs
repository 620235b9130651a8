//! Leaving out what points at a deleted post, or at one whose author the reader does not see.
//!
//! Deleting a post removes its own row from its author's list at once. The lists of those
//! who reposted or liked it can be many; they are read past it instead.

use crate::features::posts::id_page::Ids;
use crate::features::relationships::HiddenMembers;
use crate::http::error;
use crate::http::extract::Page;
use crate::http::pagination::{Steps, beyond};
use kith_db::{Param, Reader, Result, Row, Sql, SqlIn, params, sql_in};
use std::collections::HashSet;

static POINTED_AT: SqlIn =
    sql_in!("select id, author_id, deleted_at from posts where id in ($ids)");

/// Those of `posts` that were deleted, or whose author `hides` hides.
pub(super) async fn gone(
    db: &Reader<'_>,
    posts: &[i64],
    hides: impl Fn(i64) -> bool,
) -> Result<HashSet<i64>> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?.is_some()));
    let rows = db.all_in(&POINTED_AT, &[], posts, read).await?.into_iter();
    let gone = rows.filter(|(_, author, is_deleted)| *is_deleted || hides(*author));
    Ok(gone.map(|(post, _, _)| post).collect())
}

/// A page of a list, whole although some of its rows point at what is gone, unless very many do.
///
/// `list` answers (post, place, the post it depends on) below a place, newest first; its
/// parameters are `owner`, the place, and how many rows. Refused when the page is far down a long list.
pub(super) async fn page(
    db: &Reader<'_>,
    unseen: &HiddenMembers,
    list: &Sql,
    owner: Param<'_>,
    page: Page,
) -> error::Result<Ids> {
    let mut skip = page.offset;
    let mut before = page.before;
    let mut shown = before;
    let mut found = Ids::default();
    let mut steps = Steps::default();
    while found.posts.len() < page.limit {
        let step = steps.next(skip + page.limit - found.posts.len());
        let bound = &[owner, params![before][0], params![step][0]];
        let rows = db
            .all(list, bound, |row| {
                Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?))
            })
            .await?;
        let Some((_, last, _)) = rows.last() else {
            break;
        };
        before = *last;
        let depends = rows.iter().filter_map(|row| row.2).collect::<Vec<_>>();
        let gone = gone(db, &depends, |author| unseen.is_hidden_everywhere(author)).await?;
        for (post, place, on) in &rows {
            if on.is_some_and(|on| gone.contains(&on)) || found.posts.len() == page.limit {
                continue;
            }
            shown = *place;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            found.posts.push(*post);
            if found.posts.len() == page.limit {
                found.next = Some(*place);
            }
        }
        if rows.len() < step || found.next.is_some() {
            break;
        }
        if steps.are_enough(skip)? {
            found.next = Some(beyond(before, shown));
            break;
        }
        // A deep page takes many steps, none of which waits for anything.
        tokio::task::yield_now().await;
    }
    Ok(found)
}
