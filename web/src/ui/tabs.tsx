import type { MessageDescriptor } from "@lingui/core";
import { t } from "@lingui/core/macro";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { flushSync } from "react-dom";
import { useTabParam } from "@/lib/hooks/use-tab-param";

interface Props {
  /** The accessible name of the tabs. */
  label: string;
  tabs: readonly { name: string; title: MessageDescriptor; render: () => ReactNode }[];
}

/**
 * A row of tabs with the chosen one's panel below; arrow keys move between them, and the URL names the
 * chosen one. The row stays below the bars, and a panel that is chosen further down begins there. Where the row is
 * wider than the screen, it scrolls.
 */
export function Tabs({ label, tabs }: Props) {
  const [value, onChange] = useTabParam(tabs.map(({ name }) => name));
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const chosen = tabs.find(({ name }) => name === value);

  useEffect(() => {
    const row = list.current;
    const tab = document.getElementById(`${id}-${value}`);
    if (!row || !tab) return;
    row.scrollTo({ left: tab.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2 });
  }, [id, value]);

  /** By how many pixels the panel begins above the end of the row of tabs. */
  function getPanelOverlap(): number {
    const top = panel.current?.getBoundingClientRect().top ?? 0;
    return (list.current?.getBoundingClientRect().bottom ?? 0) - top;
  }

  function choose(name: string) {
    const isBelow = getPanelOverlap() > 0;
    flushSync(() => onChange(name));
    if (name === value || !isBelow || !panel.current) return;
    // However little it shows at first: on a page that shrinks and grows, browsers return to the old place.
    panel.current.style.minHeight = "100dvh";
    scrollBy(0, -getPanelOverlap());
  }

  function onKeyDown(event: KeyboardEvent) {
    const from = tabs.findIndex(({ name }) => name === value);
    const targets = { ArrowRight: from + 1, ArrowLeft: from - 1, Home: 0, End: -1 };
    const { key, ctrlKey, altKey, metaKey } = event;
    if (!(key in targets) || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    const to = targets[key as keyof typeof targets] % tabs.length;
    choose(tabs.at(to)?.name ?? value);
    [...(list.current?.querySelectorAll<HTMLElement>("[role=tab]") ?? [])].at(to)?.focus();
  }

  return (
    <>
      {/* The tabs lie on the line below them, and the mark of the chosen one covers it. */}
      <div className="sticky top-0 z-10 border-b border-border bg-background max-md:top-14">
        <div
          ref={list}
          role="tablist"
          aria-label={label}
          className="relative -mb-px flex overflow-x-auto pb-px [scrollbar-width:none]"
        >
          {tabs.map(({ name, title }) => (
            <button
              key={name}
              type="button"
              role="tab"
              id={`${id}-${name}`}
              aria-selected={name === value}
              aria-controls={name === value ? `${id}-panel` : undefined}
              tabIndex={name === value ? 0 : -1}
              onClick={() => choose(name)}
              onKeyDown={onKeyDown}
              className="group relative flex h-12 flex-1 shrink-0 items-center justify-center px-2 text-body-sm whitespace-nowrap font-medium text-muted-foreground transition-colors hover:bg-muted aria-selected:font-semibold aria-selected:text-foreground focus-visible:-outline-offset-2"
            >
              {t(title)}
              <span className="absolute -bottom-px h-[3px] w-14 rounded-full bg-transparent group-aria-selected:bg-primary forced-colors:group-aria-selected:bg-highlight" />
            </button>
          ))}
        </div>
      </div>
      <div
        key={value}
        ref={panel}
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={0}
        className="focus-visible:-outline-offset-2"
      >
        {chosen?.render()}
      </div>
    </>
  );
}
