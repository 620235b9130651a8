import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { User } from "@/api/types";
import { IconButton } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useMenuButton } from "@/ui/use-menu-button";

const ProfileMenuItems = lazyOverlay(() => import("./profile-menu-items"));
const BlockDialog = lazyOverlay(() => import("@/ui/block-dialog"));
const ReportDialog = lazyOverlay(() => import("@/ui/report-dialog"));

/** What else can be done with a member: mute, block or report them. */
export function ProfileMenu({ user }: { user: User }) {
  const [asking, setAsking] = useState<"block" | "report" | null>(null);
  const { menu, buttonProps } = useMenuButton(ProfileMenuItems);
  const onClose = () => setAsking(null);
  return (
    <span className="relative">
      <IconButton {...buttonProps} label="More about this profile" className="text-muted">
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {menu && <ProfileMenuItems {...menu} user={user} onAsk={setAsking} />}
      {asking === "report" && (
        <ReportDialog kind="member" id={user.id} username={user.username} onClose={onClose} />
      )}
      {asking === "block" && <BlockDialog member={user} onClose={onClose} />}
    </span>
  );
}
