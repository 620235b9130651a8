//! Filters rows that refer to a deleted post, or to one whose author is hidden from the viewer.
//!
//! Deleting a post removes its row from its author's list in the same transaction. It may be in the lists of
//! many members who reposted or liked it, so those lists skip it when they are read.

use crate::features::posts::id_page::PostIdPage;
use crate::features::relationships::HiddenMembers;
use crate::http::error;
use crate::http::extract::Page;
use crate::http::pagination::{ScanSteps, cursor_after_scan};
use kith_db::{Param, Reader, Result, Row, Sql, SqlIn, params, sql_in};
use std::collections::HashSet;

static REFERENCED: SqlIn =
    sql_in!("select id, author_id, deleted_at from posts where id in ($ids)");

/// Returns the posts of `posts` that are deleted or whose author `hides` rejects.
pub(super) async fn find_invisible(
    db: &Reader<'_>,
    posts: &[i64],
    hides: impl Fn(i64) -> bool,
) -> Result<HashSet<i64>> {
    let read = |row: &Row<'_>| Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?.is_some()));
    let rows = db.all_in(&REFERENCED, &[], posts, read).await?.into_iter();
    let invisible = rows.filter(|(_, author, is_deleted)| *is_deleted || hides(*author));
    Ok(invisible.map(|(post, _, _)| post).collect())
}

/// Loads a full page of a list, reading on past rows that refer to deleted or hidden posts, up to a limit.
///
/// `list` selects (post, cursor, referenced post), newest first; its parameters are `owner`, the cursor to
/// start below, and the row limit. Errors when the offset is too deep.
pub(super) async fn load_visible_page(
    db: &Reader<'_>,
    hidden: &HiddenMembers,
    list: &Sql,
    owner: Param<'_>,
    page: Page,
) -> error::Result<PostIdPage> {
    let mut skip = page.offset;
    let mut before = page.before;
    let mut last_visible = before;
    let mut found = PostIdPage::default();
    let mut steps = ScanSteps::default();
    while found.posts.len() < page.limit {
        let step = steps.next_size(skip + page.limit - found.posts.len());
        let bound = &[owner, params![before][0], params![step][0]];
        let rows =
            db.all(list, bound, |row| Ok((row.int(0)?, row.int(1)?, row.opt_int(2)?))).await?;
        let Some((_, last, _)) = rows.last() else {
            break;
        };
        before = *last;
        let referenced = rows.iter().filter_map(|row| row.2).collect::<Vec<_>>();
        let invisible =
            find_invisible(db, &referenced, |author| hidden.is_hidden_everywhere(author)).await?;
        for (post, cursor, referenced) in &rows {
            let is_invisible = referenced.is_some_and(|post| invisible.contains(&post));
            if is_invisible || found.posts.len() == page.limit {
                continue;
            }
            last_visible = *cursor;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            found.posts.push(*post);
            if found.posts.len() == page.limit {
                found.next = Some(*cursor);
            }
        }
        if rows.len() < step || found.next.is_some() {
            break;
        }
        if steps.is_exhausted(skip)? {
            found.next = Some(cursor_after_scan(before, last_visible));
            break;
        }
        // On SQLite a deep page never awaits anything else, so it yields between batches.
        tokio::task::yield_now().await;
    }
    Ok(found)
}
