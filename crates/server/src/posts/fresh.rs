//! A post as the write that made or changed it left it. The answer shows what was read inside the write, where
//! the pages of its rows are at hand, and need not ask the database once more.

use crate::ids::Id;
use crate::posts::deeds::{self, Deed};
use crate::posts::hydrate::{self, Stored};
use crate::posts::reposts::Meant;
use crate::users::{self, MemberRef};
use futures_util::try_join;
use kith_db::{Result, Tx};
use std::collections::HashMap;

/// A post that reposts nothing and has no votes.
#[derive(Debug)]
pub(super) struct Fresh {
    pub(super) stored: Stored,
    /// Who is named beside it, those of [`asked`](Self::asked) who are here.
    pub(super) members: HashMap<i64, MemberRef>,
    /// Who wrote it, and whom it answers.
    pub(super) asked: Vec<i64>,
    /// What the member who is answered did to it.
    pub(super) deed: Deed,
}

impl Fresh {
    /// A post that this member has just liked. None of one with a poll: its votes are read the usual way.
    pub(super) async fn liked(tx: &Tx, meant: Meant, member: Id) -> Result<Option<Self>> {
        let asked = std::iter::once(meant.author()).chain(meant.answers);
        let asked = asked.map(|id| id.0).collect::<Vec<_>>();
        let (stored, members, is_reposted) = try_join!(
            hydrate::row_in(tx, meant.post),
            users::refs_in(tx, &asked),
            deeds::is_reposted(tx, member, meant.post),
        )?;
        let stored = stored.filter(|stored| stored.options.is_none());
        Ok(stored.map(|stored| Self {
            stored,
            members,
            asked,
            deed: Deed {
                is_liked: true,
                is_reposted,
                choice: None,
            },
        }))
    }
}
