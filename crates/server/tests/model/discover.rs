//! Looks at what is found without knowing whom to ask for: For You, suggestions, names and tags.

use crate::actions::Sizes;
use crate::words::{ASKED_TAGS, TERMS};
use crate::world::World;
use serde_json::Value;

/// Terms and tags that one look asks for.
const ASKED: usize = 5;

impl World {
    /// Everything that is for `reader` in particular, and what is talked about.
    pub(crate) async fn discover(
        &mut self,
        reader: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        self.model.look_near(reader);
        self.look_at_for_you(reader, posts, sizes).await?;
        self.look_at_suggestions(reader, sizes).await?;
        self.search(reader, sizes).await?;
        self.look_at_tags(reader, posts, sizes).await
    }

    async fn look_at_for_you(
        &mut self,
        reader: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        let list = self.model.for_you(reader).into_iter().map(|post| {
            let mut shown = posts[post].clone();
            shown["reason"] = self.model.why_for_you(reader, post);
            shown
        });
        let list = list.collect::<Vec<_>>();
        self.look_at_list(reader, "/api/posts/for-you?", &list, Some(sizes))
            .await
    }

    async fn look_at_suggestions(&mut self, reader: usize, sizes: Sizes) -> Result<(), String> {
        let list = self.model.suggested(reader).into_iter().map(|member| {
            let mut shown = self.model.show_user(reader, member);
            shown["reason"] = self.model.why_suggested(reader, member);
            shown
        });
        let list = list.collect::<Vec<_>>();
        self.look_at_slices(reader, "/api/users/suggested?", &list, Some(sizes))
            .await
    }

    /// Looks for some of the terms, and for a part of somebody's name.
    async fn search(&mut self, reader: usize, sizes: Sizes) -> Result<(), String> {
        let number = sizes.2;
        let mut terms = (0..ASKED)
            .map(|nth| TERMS[(number + nth) % TERMS.len()].to_owned())
            .collect::<Vec<_>>();
        let member = &self.model.members[number % self.model.members.len()];
        let name = member.names.last().unwrap();
        terms.push(name.chars().skip(number % name.len()).collect());
        for (nth, term) in terms.iter().enumerate() {
            let found = self.model.search(reader, term).into_iter();
            let found = found.map(|member| self.model.show_user(reader, member));
            let found = found.collect::<Vec<_>>();
            let term = url::form_urlencoded::byte_serialize(term.as_bytes()).collect::<String>();
            let path = format!("/api/users/search?q={term}&");
            let sizes = Some(sizes).filter(|_| nth == 0);
            self.look_at_slices(reader, &path, &found, sizes).await?;
        }
        Ok(())
    }

    /// Posts with some of the tags, and which tags trend.
    async fn look_at_tags(
        &mut self,
        reader: usize,
        posts: &[Value],
        sizes: Sizes,
    ) -> Result<(), String> {
        for nth in 0..ASKED {
            let (asked, tag) = ASKED_TAGS[(sizes.2 + nth) % ASKED_TAGS.len()];
            let list = self.model.tagged(reader, tag).into_iter();
            let list = list.map(|post| posts[post].clone()).collect::<Vec<_>>();
            let path = format!("/api/hashtags/{asked}/posts?");
            let sizes = Some(sizes).filter(|_| nth == 0);
            self.look_at_list(reader, &path, &list, sizes).await?;
        }
        let topics = self.model.trending();
        self.look_at_slices(reader, "/api/trending?", &topics, Some(sizes))
            .await
    }
}
