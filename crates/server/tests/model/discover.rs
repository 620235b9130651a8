//! Compares discovery: For You, suggestions, member search and tags.

use crate::actions::Sizes;
use crate::words::{ASKED_TAGS, TERMS};
use crate::world::World;
use serde_json::Value;

/// Terms and tags per comparison.
const ASKED: usize = 5;

impl World {
    /// Compares feeds and suggestions for the viewer, search and trends.
    pub(crate) async fn compare_discovery(
        &mut self,
        viewer: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        self.model.refresh_circle(viewer);
        self.compare_for_you(viewer, posts, sizes).await?;
        self.compare_suggestions(viewer, sizes).await?;
        self.search(viewer, sizes).await?;
        self.compare_tags(viewer, posts, sizes).await
    }

    async fn compare_for_you(
        &mut self,
        viewer: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        let list = self.model.for_you(viewer).into_iter().map(|post| {
            let mut shown = posts[post].clone();
            shown["reason"] = self.model.why_for_you(viewer, post);
            shown
        });
        let list = list.collect::<Vec<_>>();
        self.compare_list(viewer, "/api/posts/for-you?", &list, Some(sizes)).await
    }

    async fn compare_suggestions(&mut self, viewer: usize, sizes: Sizes) -> Result<(), String> {
        let list = self.model.suggested(viewer).into_iter().map(|member| {
            let mut shown = self.model.show_user(viewer, member);
            shown["reason"] = self.model.why_suggested(viewer, member);
            shown
        });
        let list = list.collect::<Vec<_>>();
        self.compare_offset_list(viewer, "/api/users/suggested?", &list, Some(sizes)).await
    }

    /// Searches for some of the terms, and for a part of a member's name.
    async fn search(&mut self, viewer: usize, sizes: Sizes) -> Result<(), String> {
        let number = sizes.2;
        let mut terms = (0..ASKED)
            .map(|nth| TERMS[(number + nth) % TERMS.len()].to_owned())
            .collect::<Vec<_>>();
        let member = &self.model.members[number % self.model.members.len()];
        let name = member.names.last().unwrap();
        terms.push(name.chars().skip(number % name.len()).collect());
        for (nth, term) in terms.iter().enumerate() {
            let found = self.model.search(viewer, term).into_iter();
            let found = found.map(|member| self.model.show_user(viewer, member));
            let found = found.collect::<Vec<_>>();
            let term = url::form_urlencoded::byte_serialize(term.as_bytes()).collect::<String>();
            let path = format!("/api/users/search?q={term}&");
            let sizes = Some(sizes).filter(|_| nth == 0);
            self.compare_offset_list(viewer, &path, &found, sizes).await?;
        }
        Ok(())
    }

    /// Compares the lists of some tags, and the trending tags.
    async fn compare_tags(
        &mut self,
        viewer: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        for nth in 0..ASKED {
            let (asked, tag) = ASKED_TAGS[(sizes.2 + nth) % ASKED_TAGS.len()];
            let list = self.model.tagged(viewer, tag).into_iter();
            let list = list.map(|post| posts[post].clone()).collect::<Vec<_>>();
            let path = format!("/api/hashtags/{asked}/posts?");
            let sizes = Some(sizes).filter(|_| nth == 0);
            self.compare_list(viewer, &path, &list, sizes).await?;
        }
        let topics = self.model.trending();
        self.compare_offset_list(viewer, "/api/trending?", &topics, Some(sizes)).await
    }
}
