import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useEffectEvent, useState } from "react";
import { DraftEditor } from "@/features/posts/draft-editor";
import { listPostIdsWithReplyDraft } from "@/lib/storage/draft-storage";
import { Button } from "@/ui/button";
import { Logo } from "@/ui/logo";
import { getSiteName } from "@/lib/site";

interface Props {
  userId: string;
  isRetrying: boolean;
  onRetry: () => Promise<void>;
}

/** Stands in for every screen of a member while Kith can't be reached: drafts can be written meanwhile. */
export default function Offline({ userId, isRetrying, onRetry }: Props) {
  const [replies] = useState(() => listPostIdsWithReplyDraft(userId));
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    const listen = () => void retry();
    addEventListener("online", listen);
    return () => removeEventListener("online", listen);
  }, []);
  const siteName = getSiteName();
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-[620px] flex-col gap-8 px-4 py-10 outline-none sm:px-5 sm:py-16"
    >
      <Logo size={36} markOnly />
      <div role="alert" className="space-y-5">
        <h1 className="font-serif text-5xl leading-tight text-balance">
          {navigator.onLine ? t`${siteName} can't be reached right now.` : t`You are offline`}
        </h1>
        <p className="text-lg text-pretty text-muted-foreground">
          <Trans>
            You can go on writing. Your drafts stay on this device, and you can post them once{" "}
            {siteName} can be reached again.
          </Trans>
        </p>
        <Button size="large" aria-busy={isRetrying} onClick={() => void onRetry()}>
          <Trans>Try again</Trans>
        </Button>
      </div>
      <section className="space-y-4">
        <h2 className="font-serif text-section-title">
          <Trans>Drafts</Trans>
        </h2>
        <DraftEditor userId={userId} />
        {replies.map((id) => (
          <DraftEditor key={id} userId={userId} replyToId={id} />
        ))}
      </section>
    </main>
  );
}
