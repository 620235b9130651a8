import { type InfiniteData, useIsMutating, useMutation } from "@tanstack/react-query";
import { ApiError } from "@/api/error";
import { showFailure } from "@/api/failure";
import { keys } from "@/api/keys";
import { patchPost, type PostPage, storePosts } from "@/api/post-cache";
import { createPost, type NewPost } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import type { Post } from "@/api/types";
import type { PageStart } from "@/lib/link-header";
import { toast } from "@/lib/toast";
import { clearPosted, dropAttempt, type OpenDraft } from "./draft";
import { dropSource } from "./uploads";

interface Sent {
  body: NewPost;
  key: string;
}

/**
 * Publishes a draft and brings every list up to date. It is pending in every composer that shows
 * the draft, and comes to its end without any.
 */
export function useCreatePost(draft: OpenDraft) {
  const mutationKey = ["create-post", draft.name];
  const isPending = useIsMutating({ mutationKey }) > 0;
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: ({ body, key }: Sent) => createPost(body, key),
    onSuccess(post, { body, key }) {
      for (const { id } of clearPosted(draft, body, key)) dropSource(id);
      toast({ title: "Post created", description: "Your post has been shared successfully." });
      showPost(post);
    },
    onError(error, { body, key }) {
      const isGone = error instanceof ApiError && error.code === "post_not_found";
      if (isGone) dropAttempt(draft, key);
      const isUnanswerable = isGone && body.replyToId !== undefined;
      showFailure(
        error,
        isUnanswerable
          ? "The post that you reply to may be gone. Your text stays here."
          : "Failed to create post. Please try again.",
      );
    },
  });
  return { mutate, isPending };
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
