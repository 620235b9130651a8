import { type InfiniteData, useMutation } from "@tanstack/react-query";
import { showFailure } from "@/api/failure";
import { keys } from "@/api/keys";
import { patchPost, type PostPage, storePosts } from "@/api/post-cache";
import { createPost, type NewPost } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import type { Post } from "@/api/types";
import type { PageStart } from "@/lib/link-header";
import { toast } from "@/lib/toast";

/** Publishes a post and brings every list up to date. */
export function useCreatePost() {
  return useMutation({
    mutationFn: ({ body, key }: { body: NewPost; key: string }) => createPost(body, key),
    onSuccess(post) {
      toast({ title: "Post created", description: "Your post has been shared successfully." });
      showPost(post);
    },
    onError: (error) => showFailure(error, "Failed to create post. Please try again."),
  });
}

function showPost(post: Post): void {
  storePosts([post]);
  if (post.replyToId) {
    patchPost(post.replyToId, (parent) => ({ ...parent, replyCount: parent.replyCount + 1 }));
    void queryClient.invalidateQueries({ queryKey: keys.threads });
  } else {
    queryClient.setQueryData<InfiniteData<PostPage<PageStart>>>(
      keys.feed("friends"),
      (feed) => feed && prepend(feed, post.id),
    );
  }
  void queryClient.invalidateQueries({ queryKey: keys.feeds });
  void queryClient.invalidateQueries({ queryKey: keys.tags });
  void queryClient.invalidateQueries({ queryKey: keys.users });
}

function prepend(
  feed: InfiniteData<PostPage<PageStart>>,
  id: string,
): InfiniteData<PostPage<PageStart>> {
  const [first, ...others] = feed.pages;
  if (!first || first.ids.includes(id)) return feed;
  return { ...feed, pages: [{ ...first, ids: [id, ...first.ids] }, ...others] };
}
