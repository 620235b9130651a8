import { DropdownMenuContent } from "@/ui/dropdown-menu";
import type { OpenMenuProps } from "@/ui/use-lazy-menu";
import { ConversationMuteItem } from "./conversation-mute-item";

/** The menu of a notification about a post. */
export default function NotificationMenuContent({
  postId,
  ...menu
}: OpenMenuProps & { postId: string }) {
  return (
    <DropdownMenuContent menu={menu} align="end">
      <ConversationMuteItem postId={postId} />
    </DropdownMenuContent>
  );
}
