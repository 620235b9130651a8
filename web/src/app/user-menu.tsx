import { ChevronsUpDown } from "lucide-react";
import { useMember } from "@/api/session";
import { Avatar } from "@/ui/avatar";
import { useMenuButton } from "@/ui/use-menu-button";
import { loadUserMenu } from "./screen-code";

interface Props {
  /** What happens once the menu has led to another page. */
  onNavigate?: () => void;
}

/** Who is logged in, and behind it the theme, the settings and the way out. */
export function UserMenu({ onNavigate }: Props) {
  const me = useMember();
  const { panel, buttonProps } = useMenuButton(loadUserMenu);
  return (
    <div className="relative">
      <button
        {...buttonProps}
        type="button"
        aria-label={`Account menu of ${me.displayName}`}
        className="flex w-full items-center gap-3 rounded-full p-2 pr-4 text-left transition-colors hover:bg-wash"
      >
        <Avatar member={me} />
        <span className="min-w-0 flex-1 leading-5">
          <span dir="auto" className="block truncate font-semibold">
            {me.displayName}
          </span>
          <span className="block truncate text-sm text-muted">@{me.username}</span>
        </span>
        <ChevronsUpDown size={18} aria-hidden className="shrink-0 text-muted" />
      </button>
      {panel && <panel.Panel menu={panel.menu} {...(onNavigate && { onNavigate })} />}
    </div>
  );
}
