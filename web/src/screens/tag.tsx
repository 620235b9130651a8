import { hashtagPostsQuery } from "@/api/posts";
import { openCompose } from "@/features/posts/compose";
import { PostList } from "@/features/posts/post-list";
import { parseHashtagParam } from "@/lib/text/hashtag";
import { Button } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { PageHead } from "@/ui/page-head";
import { Title } from "@/ui/title";

export default function Tag({ tag: param }: { tag: string }) {
  const tag = parseHashtagParam(param);
  return (
    <>
      <Title page={`#${tag}`} />
      <PageHead back={{ href: "/", label: "Back to home" }} title={`#${tag}`} />
      <PostList
        list={hashtagPostsQuery(tag)}
        notFound="That isn't a valid hashtag."
        empty={
          <Notice title={`No posts with #${tag} yet.`}>
            <Button look="outline" onClick={() => openCompose()}>
              Write the first one
            </Button>
          </Notice>
        }
      />
    </>
  );
}
