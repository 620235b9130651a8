import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Post } from "@/api/types";
import { Avatar } from "@/ui/avatar";
import Dialog from "@/ui/dialog";
import { ProgressiveImage } from "@/components/progressive-image";
import { Composer } from "./composer";
import { RichText } from "./rich-text";

interface Props {
  replyTo: Post | null;
  onClose: () => void;
}

export default function ComposeDialog({ replyTo, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title={t`Create Post`} width="wide">
      <div className="px-6 pt-4 pb-5">
        {replyTo && (
          <div className="mb-4 flex gap-3 border-b border-border pb-4">
            <Avatar user={replyTo.author} size="small" />
            <div className="min-w-0">
              <p className="text-sm text-muted-foreground">
                <Trans>
                  Replying to{" "}
                  <span dir="auto" className="font-medium text-foreground">
                    @{replyTo.author.username}
                  </span>
                </Trans>
              </p>
              <div className="mt-1 line-clamp-3 text-body-sm">
                <RichText post={replyTo} inert />
              </div>
              {replyTo.images.length > 0 && (
                <div className="mt-2 flex gap-1.5">
                  {replyTo.images.map((image, index) => (
                    <ProgressiveImage
                      // oxlint-disable-next-line react/no-array-index-key -- the same one may be there twice
                      key={`${index} ${image.url}`}
                      image={image}
                      sizes="56px"
                      className="size-14 shrink-0 rounded-lg"
                    />
                  ))}
                </div>
              )}
            </div>
          </div>
        )}
        <Composer
          rows={6}
          autoFocus
          onPosted={onClose}
          {...(replyTo && { replyToId: replyTo.id })}
        />
      </div>
    </Dialog>
  );
}
