import { t } from "@lingui/core/macro";
import { Moon, Sun } from "lucide-react";
import { useStore } from "@/lib/state/store";
import { setTheme, isDark } from "./theme";
import { IconButton } from "@/ui/button";

export function ThemeToggle({ className = "" }: { className?: string }) {
  const isDarkTheme = useStore(isDark);
  return (
    <IconButton
      label={isDarkTheme ? t`Switch to light theme` : t`Switch to dark theme`}
      onClick={() => setTheme(isDarkTheme ? "light" : "dark")}
      className={className}
    >
      <Sun size={20} aria-hidden className="not-dark:hidden" />
      <Moon size={20} aria-hidden className="dark:hidden" />
    </IconButton>
  );
}
