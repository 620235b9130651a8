import { t } from "@lingui/core/macro";
import { useIsMutating, useMutation } from "@tanstack/react-query";
import { hasStatus } from "@/api/api-error";
import { queryKeys } from "@/api/query-keys";
import { type InfinitePages, invalidateLists } from "@/api/paginated-query";
import { deferCounts } from "@/api/live/live-counts";
import { updatePostInCache, type PostRow, upsertPosts } from "@/api/post-cache";
import { createPost } from "@/api/posts";
import { queryClient, invalidate } from "@/api/query-client";
import type { CreatePostInput, Post } from "@/api/types";
import { toast, toastError } from "@/lib/state/toast";
import { clearDraftIfUnchanged, resetIdempotencyKey, type DraftHandle } from "./draft";
import { releaseLocalFile } from "./local-files";

interface CreatePostVariables {
  body: CreatePostInput;
  key: string;
}

/** Publishes a draft. It is pending in every composer that shows the draft, and needs none to end. */
export function useCreatePost(draft: DraftHandle) {
  const mutationKey = ["create-post", draft.name];
  const isPending = useIsMutating({ mutationKey }) > 0;
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: ({ body, key }: CreatePostVariables) => createPost(body, key),
    onMutate: ({ body }) => (body.replyToId ? deferCounts(body.replyToId) : undefined),
    onSettled: (_post, _error, _variables, releaseCounts) => releaseCounts?.(),
    onSuccess(post, { body, key }) {
      for (const { id } of clearDraftIfUnchanged(draft, body, key)) releaseLocalFile(id);
      toast({ title: t`Post created`, description: t`Your post has been shared successfully.` });
      addPostToCache(post);
    },
    meta: {
      failure: (error: Error, { body }: CreatePostVariables) =>
        isPostNotFound(error) && body.replyToId
          ? null
          : t`Failed to create post. Please try again.`,
    },
    onError(error, { body, key }) {
      if (!isPostNotFound(error)) return;
      resetIdempotencyKey(draft, key);
      // The server's sentence does not say which post it means.
      if (body.replyToId)
        toastError(t`The post that you reply to may be gone. Your text stays here.`);
    },
  });
  return { mutate, isPending };
}

function isPostNotFound(error: Error): boolean {
  return hasStatus(error, 404) && error.code === "post_not_found";
}

function addPostToCache(post: Post): void {
  const [row] = upsertPosts([post]);
  if (post.replyToId) {
    updatePostInCache(post.replyToId, (parent) => ({
      ...parent,
      replyCount: parent.replyCount + 1,
    }));
    void invalidate(queryKeys.threads);
  } else {
    queryClient.setQueryData<InfinitePages<PostRow>>(queryKeys.feed("friends"), (feed) => {
      const [first, ...others] = feed?.pages ?? [];
      if (!row || !first || first.rows.some(({ id }) => id === row.id)) return feed;
      return (
        feed && {
          ...feed,
          pages: [{ ...first, rows: [{ ...row, isAddedHere: true }, ...first.rows] }, ...others],
        }
      );
    });
  }
  invalidateLists(queryKeys.postLists, queryKeys.users);
}
