import { Flag } from "lucide-react";
import type { User } from "@/api/types";
import { KeepAwayItems } from "@/ui/keep-away-items";
import { MenuItem, MenuPanel } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";

interface Props {
  menu: OpenMenu;
  user: User;
  onBlock: () => void;
  onReport: () => void;
}

/** The rows of the menu beside "Follow". */
export default function ProfileMenuPanel({ menu, user, onBlock, onReport }: Props) {
  return (
    <MenuPanel menu={menu} align="end">
      <KeepAwayItems
        member={user}
        isMuted={user.isMuted}
        isBlocked={user.isBlocked}
        onBlock={onBlock}
      />
      <MenuItem onSelect={onReport}>
        <Flag size={18} aria-hidden />
        Report
      </MenuItem>
    </MenuPanel>
  );
}
