import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { hashtagPostsQuery } from "@/api/posts";
import { openCompose } from "@/features/posts/compose-dialog-store";
import { PostFeed } from "@/features/posts/post-feed";
import { parseHashtagParam } from "@/lib/text/hashtag";
import { Button } from "@/ui/button";
import { EmptyState } from "@/ui/empty-state";
import { PageHeader } from "@/ui/page-header";
import { PageTitle } from "@/components/page-title";
import { renderPostMenu } from "./more-menu";

export default function Tag({ tag: param }: { tag: string }) {
  const tag = parseHashtagParam(param);
  return (
    <>
      <PageTitle title={`#${tag}`} />
      <PageHeader back={{ href: "/", label: t`Back to home` }} title={`#${tag}`} />
      <PostFeed
        renderMenu={renderPostMenu}
        list={hashtagPostsQuery(tag)}
        notFound={t`That isn't a valid hashtag.`}
        empty={
          <EmptyState title={t`No posts with #${tag} yet.`}>
            <Button variant="outline" onClick={() => openCompose()}>
              <Trans>Write the first one</Trans>
            </Button>
          </EmptyState>
        }
      />
    </>
  );
}
