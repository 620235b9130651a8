//! Mentions and hashtags in the text of a post.

use crate::features::members;
use crate::http::error::{ApiError, Result};
use crate::platform::ids::Id;
use crate::platform::rate_limit::{MemberAction, RateLimiter};
use futures_util::future::try_join_all;
use kith_db::Tx;
use kith_text::{Hashtag, Mention, find_hashtags, find_mentions};

/// Mentions and hashtags of a text.
#[derive(Debug)]
pub(super) struct TextEntities {
    /// Mentions, also of usernames that do not exist.
    pub(super) mentions: Vec<Mention>,
    pub(super) tags: Vec<Hashtag>,
}

impl TextEntities {
    /// Finds the mentions and hashtags of a text.
    pub(super) fn find(text: &str) -> Self {
        Self { mentions: find_mentions(text), tags: find_hashtags(text) }
    }

    /// Charges the author's rate limits: each mention can notify a member, and each tag adds a counted row. Errors
    /// when a limit is exceeded.
    pub(super) fn charge_limits(&self, rate_limiter: &RateLimiter, author: Id) -> Result<()> {
        rate_limiter.check_member_n(MemberAction::Mention, author, self.mentions.len())?;
        rate_limiter.check_member_n(MemberAction::Tag, author, self.tags.len())?;
        Ok(())
    }

    /// Resolves mentions to members, and drops unknown usernames.
    pub(super) async fn resolve_members(&self, tx: &Tx) -> Result<Vec<(Id, Mention)>> {
        let found = self.mentions.iter().map(|mention| async move {
            let member = members::find_by_username(&tx.reader(), &mention.username).await?;
            Ok::<_, ApiError>(member.map(|member| (member, mention.clone())))
        });
        let found = try_join_all(found).await?;
        Ok(found.into_iter().flatten().collect())
    }
}
