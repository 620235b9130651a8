import { Moon, Sun } from "lucide-react";
import { useStore } from "@/lib/state/store";
import { setTheme, isDark } from "@/components/theme";
import { IconButton } from "./button";

export function ThemeToggle({ className = "" }: { className?: string }) {
  const dark = useStore(isDark);
  return (
    <IconButton
      label={dark ? "Switch to light theme" : "Switch to dark theme"}
      onClick={() => setTheme(dark ? "light" : "dark")}
      className={className}
    >
      <Sun size={20} aria-hidden className="not-dark:hidden" />
      <Moon size={20} aria-hidden className="dark:hidden" />
    </IconButton>
  );
}
