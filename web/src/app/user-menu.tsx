import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useMember } from "@/api/session";
import { useLogout } from "@/features/auth/use-logout";
import { useStore } from "@/lib/store";
import { chooseTheme, theme, type Theme } from "@/lib/theme";
import { Avatar } from "@/ui/avatar";
import { Menu, MenuChoice, MenuItem, MenuLine } from "@/ui/menu";

const themes = [
  { value: "light", label: "Light", icon: <Sun size={18} aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon size={18} aria-hidden /> },
  { value: "system", label: "System", icon: <Monitor size={18} aria-hidden /> },
] as const;

/** Who is logged in, and behind it the theme and the way out. */
export function UserMenu() {
  const me = useMember();
  const logout = useLogout();
  const chosen = useStore(theme);
  return (
    <Menu
      side="top"
      trigger={
        <button
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
      }
    >
      <MenuChoice
        label="Theme"
        value={chosen}
        options={themes}
        onChange={(value) => chooseTheme(value as Theme)}
      />
      <MenuLine />
      <MenuItem onSelect={logout}>
        <LogOut size={18} aria-hidden />
        Logout
      </MenuItem>
    </Menu>
  );
}
