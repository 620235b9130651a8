import { msg, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { LogOut, Monitor, Moon, Settings, ShieldCheck, Sun } from "lucide-react";
import { useLocation } from "wouter";
import { logout, useCurrentUser } from "@/api/auth";
import { useStore } from "@/lib/state/store";
import { setTheme, theme, type Theme } from "@/components/theme";
import { DropdownMenuContent, DropdownMenuRadioGroup, DropdownMenuItem } from "@/ui/dropdown-menu";
import type { OpenMenuProps } from "@/ui/use-lazy-menu";

const themeOptions = [
  { value: "light", label: msg`Light`, icon: <Sun size={18} aria-hidden /> },
  { value: "dark", label: msg`Dark`, icon: <Moon size={18} aria-hidden /> },
  { value: "system", label: msg`System`, icon: <Monitor size={18} aria-hidden /> },
] as const;

/** The theme, the settings and the way out; for moderators also the way to their pages. */
export default function UserMenuContent(menu: OpenMenuProps) {
  const [, navigate] = useLocation();
  const logoutMutation = useMutation({
    mutationFn: logout,
    meta: { failure: t`Failed to logout` },
  });
  const selectedTheme = useStore(theme);
  const isModerator = useCurrentUser().role !== "member";
  return (
    <DropdownMenuContent menu={menu} side="top">
      <DropdownMenuRadioGroup
        label={t`Theme`}
        value={selectedTheme}
        options={themeOptions.map(({ value, label, icon }) => ({ value, label: t(label), icon }))}
        onChange={(value) => setTheme(value as Theme)}
      />
      {isModerator && (
        <DropdownMenuItem icon={ShieldCheck} onSelect={() => navigate("/admin")}>
          <Trans>Moderation</Trans>
        </DropdownMenuItem>
      )}
      <DropdownMenuItem icon={Settings} onSelect={() => navigate("/settings")}>
        <Trans>Settings</Trans>
      </DropdownMenuItem>
      <DropdownMenuItem icon={LogOut} onSelect={() => logoutMutation.mutate()}>
        <Trans>Logout</Trans>
      </DropdownMenuItem>
    </DropdownMenuContent>
  );
}
