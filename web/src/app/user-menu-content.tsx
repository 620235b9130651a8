import { useMutation } from "@tanstack/react-query";
import { LogOut, Monitor, Moon, Settings, ShieldCheck, Sun } from "lucide-react";
import { useLocation } from "wouter";
import { logout, useCurrentUser } from "@/api/auth";
import { useStore } from "@/lib/state/store";
import { setTheme, theme, type Theme } from "@/components/theme";
import { DropdownMenuContent, DropdownMenuRadioGroup, DropdownMenuItem } from "@/ui/dropdown-menu";
import type { OpenMenuProps } from "@/ui/use-lazy-menu";

const themeOptions = [
  { value: "light", label: "Light", icon: <Sun size={18} aria-hidden /> },
  { value: "dark", label: "Dark", icon: <Moon size={18} aria-hidden /> },
  { value: "system", label: "System", icon: <Monitor size={18} aria-hidden /> },
] as const;

/** The theme, the settings and the way out; for moderators also the way to their pages. */
export default function UserMenuContent(menu: OpenMenuProps) {
  const [, navigate] = useLocation();
  const logoutMutation = useMutation({ mutationFn: logout, meta: { failure: "Failed to logout" } });
  const selectedTheme = useStore(theme);
  const isModerator = useCurrentUser().role !== "member";
  return (
    <DropdownMenuContent menu={menu} side="top">
      <DropdownMenuRadioGroup
        label="Theme"
        value={selectedTheme}
        options={themeOptions}
        onChange={(value) => setTheme(value as Theme)}
      />
      {isModerator && (
        <DropdownMenuItem icon={ShieldCheck} onSelect={() => navigate("/admin")}>
          Moderation
        </DropdownMenuItem>
      )}
      <DropdownMenuItem icon={Settings} onSelect={() => navigate("/settings")}>
        Settings
      </DropdownMenuItem>
      <DropdownMenuItem icon={LogOut} onSelect={() => logoutMutation.mutate()}>
        Logout
      </DropdownMenuItem>
    </DropdownMenuContent>
  );
}
