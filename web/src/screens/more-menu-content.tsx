import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Ban, Flag, Link2, ShieldX, Trash2, Volume2, VolumeX } from "lucide-react";
import { ConversationMuteItem } from "@/features/notifications/conversation-mute-item";
import { useMuteBlock } from "@/features/safety/use-mute-block";
import { useCurrentUser } from "@/api/auth";
import type { Post, User } from "@/api/types";
import { DropdownMenuContent, DropdownMenuItem } from "@/ui/dropdown-menu";
import type { OpenMenuProps } from "@/ui/use-lazy-menu";
import { copyLink } from "@/features/posts/share";

export type MenuDialog = "delete" | "block" | "report" | "remove";

interface Props extends OpenMenuProps {
  target: Post | User;
  onOpenDialog: (question: MenuDialog) => void;
}

export default function MoreMenuContent({ target, onOpenDialog, ...menu }: Props) {
  const currentUser = useCurrentUser();
  const post = "author" in target ? target : null;
  const user = "author" in target ? target.author : target;
  const { isMuted } = target;
  const isBlocked = "isBlocked" in target && target.isBlocked;
  const mute = useMuteBlock("mutes", user);
  const block = useMuteBlock("blocks", user);
  const name = `@${user.username}`;
  return (
    <DropdownMenuContent menu={menu} align="end">
      {post && (
        <DropdownMenuItem icon={Link2} onSelect={() => void copyLink(post.id)}>
          <Trans>Copy link</Trans>
        </DropdownMenuItem>
      )}
      {post && <ConversationMuteItem postId={post.id} />}
      {user.id === currentUser.id ? (
        <DropdownMenuItem icon={Trash2} destructive onSelect={() => onOpenDialog("delete")}>
          <Trans>Delete</Trans>
        </DropdownMenuItem>
      ) : (
        <>
          <DropdownMenuItem
            icon={isMuted ? Volume2 : VolumeX}
            onSelect={() => mute.mutate(!isMuted)}
          >
            {isMuted ? t`Unmute ${name}` : t`Mute ${name}`}
          </DropdownMenuItem>
          <DropdownMenuItem
            icon={Ban}
            destructive={!isBlocked}
            onSelect={() => (isBlocked ? block.mutate(false) : onOpenDialog("block"))}
          >
            {isBlocked ? t`Unblock ${name}` : t`Block ${name}`}
          </DropdownMenuItem>
          <DropdownMenuItem icon={Flag} onSelect={() => onOpenDialog("report")}>
            <Trans>Report</Trans>
          </DropdownMenuItem>
          {post && currentUser.role !== "member" && (
            <DropdownMenuItem icon={ShieldX} destructive onSelect={() => onOpenDialog("remove")}>
              <Trans>Remove post</Trans>
            </DropdownMenuItem>
          )}
        </>
      )}
    </DropdownMenuContent>
  );
}
