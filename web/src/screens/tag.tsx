import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { hasStatus } from "@/api/error";
import { tagPosts } from "@/api/posts";
import { openCompose } from "@/features/posts/compose";
import { PostList } from "@/features/posts/post-list";
import { useTitle } from "@/lib/use-title";
import { Button, buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-head";

/** The posts and replies that carry a tag. */
export default function Tag({ tag }: { tag: string }) {
  useTitle(`#${tag}`);
  return (
    <>
      <PageHead back={{ href: "/", label: "Back to home" }} title={`#${tag}`} />
      <Posts tag={tag} />
    </>
  );
}

function Posts({ tag }: { tag: string }) {
  const query = useInfiniteQuery(tagPosts(tag));
  if (hasStatus(query.error, 404) || hasStatus(query.error, 400)) {
    return (
      <Notice title="There cannot be such a hashtag.">
        <Link href="/" className={buttonClass("outline")}>
          Back to home
        </Link>
      </Notice>
    );
  }
  return (
    <PostList
      query={query}
      empty={
        <Notice title={`No posts with #${tag} yet.`}>
          <Button look="outline" onClick={() => openCompose()}>
            Write the first one
          </Button>
        </Notice>
      }
    />
  );
}
