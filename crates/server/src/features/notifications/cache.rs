//! The first page of a member's notifications, remembered as it was sent.
//!
//! Clients ask for it again and again, and what is on it changes with few things: what the member was
//! told and has read, whom they do not see, the names of those who did it, and the posts it is about.

use crate::features::notifications::NotificationsState;
use crate::features::notifications::list::{rows, shown};
use crate::features::relationships::HiddenMembers;
use crate::http::error::{ApiError, Result};
use crate::http::extract::Page;
use crate::platform::cache::{Remembered, Slot, Topic};
use crate::platform::ids::Id;
use kith_db::{Error, Reader};
use std::sync::Arc;

/// The first page of a member's notifications.
#[derive(Debug)]
pub struct Told {
    limit: usize,
    pub(super) json: Vec<u8>,
    pub(super) next: Option<i64>,
    slots: Vec<Slot>,
}

impl Remembered for Told {
    fn slots(&self) -> &[Slot] {
        &self.slots
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.json.capacity() + self.slots.capacity() * size_of::<Slot>()
    }
}

/// A member's first page.
pub(super) async fn told(
    app: &NotificationsState,
    db: &Reader<'_>,
    member: Id,
    page: Page,
) -> Result<Arc<Told>> {
    let told = app.told.get(&member.0);
    if let Some(told) = told.filter(|told| told.limit == page.limit) {
        return Ok(told);
    }
    let mut slots = vec![
        Slot::of(Topic::Told, member.0),
        Slot::of(Topic::Ties, member.0),
        Slot::of(Topic::Suspended, 0),
    ];
    let stamp = app.memory.stamp(&slots);
    let unseen = HiddenMembers::load_cached(&app.relationships.visibility, db, member).await?;
    let (rows, next) = rows(db, &unseen, member, page).await?;
    // Who and what is named is known only now that the rows were read; it is read after this.
    let actors = rows.iter().map(|row| Slot::of(Topic::Member, row.actor));
    let posts = rows.iter().filter_map(|row| row.post);
    let around = actors.chain(posts.map(|post| Slot::of(Topic::Post, post)));
    let mut around = around.collect::<Vec<_>>();
    around.sort_unstable();
    around.dedup();
    let stamp = stamp.and(app.memory.stamp(&around));
    slots.extend(around);
    let shown = shown(db, rows).await?;
    let unwritten = |_| ApiError::from(Error::Decode("a notification has an unknown shape".into()));
    let mut json = serde_json::to_vec(&shown).map_err(unwritten)?;
    json.shrink_to_fit();
    slots.shrink_to_fit();
    let told = Arc::new(Told {
        limit: page.limit,
        json,
        next,
        slots,
    });
    app.told.put(member.0, stamp, &told);
    Ok(told)
}
