import { t } from "@lingui/core/macro";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Bell, BellOff } from "lucide-react";
import { conversationMuteQuery, setConversationMuted } from "@/api/notification-settings";
import { DropdownMenuItem } from "@/ui/dropdown-menu";

/** A menu's row that mutes the conversation of a post, or unmutes it. */
export function ConversationMuteItem({ postId }: { postId: string }) {
  const isMuted = useQuery(conversationMuteQuery(postId)).data?.isMuted ?? false;
  const mute = useMutation({
    mutationFn: (on: boolean) => setConversationMuted(postId, on),
    meta: {
      success: (_: void, on: boolean) => ({
        title: on
          ? t`You won't be notified about this conversation`
          : t`You'll be notified about this conversation again`,
      }),
      failure: (_: Error, on: boolean) =>
        on
          ? t`Failed to mute the conversation. Please try again.`
          : t`Failed to unmute the conversation. Please try again.`,
    },
  });
  return (
    <DropdownMenuItem icon={isMuted ? Bell : BellOff} onSelect={() => mute.mutate(!isMuted)}>
      {isMuted ? t`Unmute conversation` : t`Mute conversation`}
    </DropdownMenuItem>
  );
}
