import { Ellipsis } from "lucide-react";
import { useState } from "react";
import type { User } from "@/api/types";
import { BlockDialog } from "@/ui/block-dialog";
import { IconButton } from "@/ui/button";
import { LateReportDialog } from "@/ui/late-report-dialog";
import { useMenuButton } from "@/ui/use-menu-button";

const loadPanel = () => import("./profile-menu-panel");

/** What else can be done with a member: mute, block or report them. */
export function ProfileMenu({ user }: { user: User }) {
  const [asking, setAsking] = useState<"block" | "report" | null>(null);
  const { panel, buttonProps } = useMenuButton(loadPanel);
  return (
    <span className="relative">
      <IconButton {...buttonProps} label="More about this profile" className="text-muted">
        <Ellipsis size={19} aria-hidden />
      </IconButton>
      {panel && (
        <panel.Panel
          menu={panel.menu}
          user={user}
          onBlock={() => setAsking("block")}
          onReport={() => setAsking("report")}
        />
      )}
      {asking === "report" && (
        <LateReportDialog
          kind="member"
          id={user.id}
          username={user.username}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === "block" && (
        <BlockDialog
          member={user}
          onCancel={() => setAsking(null)}
          onBlocked={() => setAsking(null)}
          onGone={() => buttonProps.ref.current?.focus({ preventScroll: true })}
        />
      )}
    </span>
  );
}
