import { t } from "@lingui/core/macro";
import { Search, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { handleSubmit } from "@/lib/dom/handle-submit";
import { IconButton } from "./button";

const MAX_LENGTH = 100;
/** Whether the next search box to appear takes the focus. */
let focusesNextField = false;

/** Moves the focus to the search box in sight. Without one it returns false, and the next to appear takes it. */
export function focusSearch(): boolean {
  const boxes = document.querySelectorAll<HTMLInputElement>("input[type='search']");
  const box = [...boxes].find((found) => found.checkVisibility());
  focusesNextField = !box;
  box?.select();
  box?.focus();
  return box !== undefined;
}

interface Props {
  value: string;
  onChange: (value: string) => void;
  onSubmit: () => void;
}

/** The search field for members. */
export function SearchField({ value, onChange, onSubmit }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusesNextField) input.current?.focus();
    focusesNextField = false;
  }, []);

  function clear() {
    onChange("");
    input.current?.focus();
  }

  return (
    <form role="search" onSubmit={handleSubmit(onSubmit)} className="relative">
      <Search
        size={18}
        aria-hidden
        className="pointer-events-none absolute inset-y-0 start-4 my-auto text-muted-foreground"
      />
      <input
        ref={input}
        type="search"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" && value !== "") {
            event.preventDefault();
            clear();
          }
        }}
        maxLength={MAX_LENGTH}
        dir="auto"
        aria-label={t`Search for users`}
        placeholder={t`Search for users...`}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="search"
        className="h-11 w-full rounded-full border border-border bg-muted/60 pe-11 ps-11 text-base transition-colors outline-none focus:border-primary focus:bg-background focus:ring-3 focus:ring-primary/20 [&::-webkit-search-cancel-button]:hidden"
      />
      {value !== "" && (
        <IconButton
          label={t`Clear search`}
          onClick={clear}
          className="absolute inset-y-0 end-1 my-auto size-9 text-muted-foreground"
        >
          <X size={17} aria-hidden />
        </IconButton>
      )}
    </form>
  );
}
