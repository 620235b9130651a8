//! Compares every stored count with the rows that it counts.

use crate::features::media::ReferenceCounts;
use crate::features::relationships::follows;
use crate::features::{members, moderation, posts, settings};
use crate::platform::ids::Id;
use kith_db::{Db, Reader};

/// Returns the number of rows with a wrong count, by the label of the count. Correct counts are omitted.
pub async fn find_count_mismatches(db: &Db) -> kith_db::Result<Vec<(&'static str, i64)>> {
    let reader = db.reader();
    let mut wrong = posts::find_wrong_counts(&reader).await?;
    let mut wrong_members =
        [("followers of a member", 0), ("members that one follows", 0), ("posts of a member", 0)];
    let mut after = Id::NONE;
    loop {
        let page = members::load_admin_rows(&reader, after).await?;
        let Some(last) = page.last() else { break };
        after = last.id;
        let ids = page.iter().map(|member| member.id.0).collect::<Vec<_>>();
        let (following, followers) = follows::count_edges(&reader, &ids).await?;
        let written = posts::count_written_posts(&reader, &ids).await?;
        for member in &page {
            for (index, counted) in [&followers, &following, &written].into_iter().enumerate() {
                let actual = counted.get(&member.id.0).copied().unwrap_or(0);
                wrong_members[index].1 += i64::from(member.counts[index] != actual);
            }
        }
    }
    wrong.extend(wrong_members);
    wrong.push(("uses of an image", count_wrong_references(&reader).await?));
    wrong.retain(|(_, rows)| *rows > 0);
    Ok(wrong)
}

/// Counts the images whose reference count differs from their uses in posts, profiles, open cases and removed posts, and as icon.
async fn count_wrong_references(db: &Reader<'_>) -> kith_db::Result<i64> {
    let mut references = ReferenceCounts::default();
    let mut after = Id::NONE;
    while let Some((urls, last)) = posts::list_shown_images(db, after).await? {
        for url in &urls {
            references.add(url, false);
        }
        after = last;
    }
    after = Id::NONE;
    while let Some((urls, last)) = members::load_picture_urls(db, after).await? {
        for url in &urls {
            references.add(url, false);
        }
        after = last;
    }
    after = Id::NONE;
    while let Some((urls, last)) = moderation::load_pinned_images(db, after).await? {
        for url in &urls {
            references.add(url, true);
        }
        after = last;
    }
    after = Id::NONE;
    while let Some((urls, last)) = posts::list_removed_images(db, after).await? {
        for url in &urls {
            references.add(url, true);
        }
        after = last;
    }
    if let Some(url) = settings::load(db).await?.icon_url() {
        references.add(url, false);
    }
    references.count_differences(db).await
}
