import { LogOut, Monitor, Moon, Settings, ShieldCheck, Sun } from "lucide-react";
import { useLocation } from "wouter";
import { useMember } from "@/api/session";
import { useLogout } from "@/features/auth/use-logout";
import { useStore } from "@/lib/store";
import { chooseTheme, theme, type Theme } from "@/lib/theme";
import { MenuChoice, MenuItem, MenuLine, MenuPanel } from "@/ui/menu";
import type { OpenMenu } from "@/ui/use-menu-button";

const themes = [
  { value: "light", label: "Light", icon: <Sun size={18} aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon size={18} aria-hidden /> },
  { value: "system", label: "System", icon: <Monitor size={18} aria-hidden /> },
] as const;

interface Props {
  menu: OpenMenu;
  /** What happens once a row has led to another page. */
  onNavigate?: () => void;
}

/** The theme, the settings and the way out; for moderators also the way to their pages. */
export default function UserMenuPanel({ menu, onNavigate }: Props) {
  const [, navigate] = useLocation();
  const logout = useLogout();
  const chosen = useStore(theme);
  const isModerator = useMember().role !== "member";
  const go = (address: string) => {
    navigate(address);
    onNavigate?.();
  };
  return (
    <MenuPanel menu={menu} side="top">
      <MenuChoice
        label="Theme"
        value={chosen}
        options={themes}
        onChange={(value) => chooseTheme(value as Theme)}
      />
      <MenuLine />
      {isModerator && (
        <MenuItem onSelect={() => go("/admin")}>
          <ShieldCheck size={18} aria-hidden />
          Moderation
        </MenuItem>
      )}
      <MenuItem onSelect={() => go("/settings")}>
        <Settings size={18} aria-hidden />
        Settings
      </MenuItem>
      <MenuItem onSelect={logout}>
        <LogOut size={18} aria-hidden />
        Logout
      </MenuItem>
    </MenuPanel>
  );
}
