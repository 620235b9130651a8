import { t } from "@lingui/core/macro";
import { Ellipsis } from "lucide-react";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useLazyMenu } from "@/ui/use-lazy-menu";

const NotificationMenuContent = lazyOverlay(() => import("./notification-menu-content"));

/** Further actions with a notification about a post. */
export function NotificationMenu({ postId }: { postId: string }) {
  const { menu, buttonProps } = useLazyMenu(NotificationMenuContent);
  return (
    <span className="absolute end-1.5 bottom-1 sm:end-2.5">
      <IconButton {...buttonProps} label={t`More`} className="text-muted-foreground">
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {menu && <NotificationMenuContent {...menu} postId={postId} />}
    </span>
  );
}
