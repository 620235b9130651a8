import { LogOut, Monitor, Moon, Sun } from "lucide-react";
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

/** The theme and the way out. */
export default function UserMenuPanel({ menu }: { menu: OpenMenu }) {
  const logout = useLogout();
  const chosen = useStore(theme);
  return (
    <MenuPanel menu={menu} side="top">
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
    </MenuPanel>
  );
}
