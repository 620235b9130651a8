import { Flag } from "lucide-react";
import type { User } from "@/api/types";
import { KeepAwayItems } from "@/ui/keep-away-items";
import { Menu, MenuItem } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";

interface Props extends OpenMenu {
  user: User;
  /** Opens a dialog. */
  onAsk: (about: "block" | "report") => void;
}

/** The rows of the menu beside "Follow". */
export default function ProfileMenuItems({ user, onAsk, ...menu }: Props) {
  return (
    <Menu menu={menu} align="end">
      <KeepAwayItems
        member={user}
        isMuted={user.isMuted}
        isBlocked={user.isBlocked}
        onBlock={() => onAsk("block")}
      />
      <MenuItem onSelect={() => onAsk("report")}>
        <Flag size={18} aria-hidden />
        Report
      </MenuItem>
    </Menu>
  );
}
