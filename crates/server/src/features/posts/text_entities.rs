//! Whom and what a text names: members and tags, found once for a post.

use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use crate::platform::rate_limit::{Act, Limits};
use futures_util::future::try_join_all;
use kith_db::Tx;
use kith_text::{Hashtag, Mention, find_hashtags, find_mentions};

/// What stands in a text.
#[derive(Debug)]
pub(super) struct Named {
    /// Whether or not anybody is called so.
    pub(super) members: Vec<Mention>,
    pub(super) tags: Vec<Hashtag>,
}

impl Named {
    pub(super) fn find(text: &str) -> Self {
        Self {
            members: find_mentions(text),
            tags: find_hashtags(text),
        }
    }

    /// Draws on what an author may name: each name may tell somebody, each tag is a row that is counted.
    pub(super) fn draw(&self, limits: &Limits, author: Id) -> Result<()> {
        limits.acts(Act::Mention, author, self.members.len())?;
        limits.acts(Act::Tag, author, self.tags.len())?;
        Ok(())
    }

    /// The members who are called so, with their places.
    pub(super) async fn members(&self, tx: &Tx) -> Result<Vec<(Id, Mention)>> {
        let found = self.members.iter().map(|mention| async move {
            let member = members::find_by_username_in(tx, &mention.username).await?;
            Ok::<_, ApiError>(member.map(|member| (member, mention.clone())))
        });
        let found = try_join_all(found).await?;
        Ok(found.into_iter().flatten().collect())
    }
}
