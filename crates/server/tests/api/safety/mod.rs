//! Blocks, mutes and suspensions.

mod blocks;
mod lists;
mod mutes;

use crate::harness::{Browser, Server};
use kith::features::members::SanctionKind;

impl Browser {
    /// Blocks another member.
    pub(crate) async fn block(&self, other: &Self) {
        let path = format!("/api/blocks/{}", other.id().await);
        self.post_empty(&path).await.expect(200);
    }

    /// Mutes another member.
    pub(crate) async fn mute(&self, other: &Self) {
        let path = format!("/api/mutes/{}", other.id().await);
        self.post_empty(&path).await.expect(200);
    }
}

/// Suspends or restores a member.
async fn operate(server: &Server, username: &str, action: SanctionKind) {
    server.apply_sanction(username, action).await.unwrap();
}
