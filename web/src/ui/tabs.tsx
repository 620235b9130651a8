import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

interface Props<Name extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string;
  value: Name;
  onChange: (name: Name) => void;
  tabs: readonly { name: Name; title: string; render: () => ReactNode }[];
}

/** Where a key leads from one of `count` tabs. */
function target(key: string, from: number, count: number): number | undefined {
  if (key === "ArrowRight") return (from + 1) % count;
  if (key === "ArrowLeft") return (from + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}

/** A row of tabs with the chosen one's panel below; arrow keys move between them. */
export function Tabs<Name extends string>({ label, value, onChange, tabs }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabs.find(({ name }) => name === value);

  function follow(event: KeyboardEvent) {
    const from = tabs.findIndex(({ name }) => name === value);
    const to = target(event.key, from, tabs.length);
    const next = to === undefined ? undefined : tabs[to];
    const { ctrlKey, altKey, metaKey } = event;
    if (to === undefined || !next || ctrlKey || altKey || metaKey) return;
    event.preventDefault();
    onChange(next.name);
    const buttons = list.current?.querySelectorAll<HTMLElement>("[role=tab]");
    buttons?.[to]?.focus();
  }

  return (
    <>
      <div ref={list} role="tablist" aria-label={label} className="flex border-b border-line">
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === value}
            aria-controls={name === value ? `${id}-panel` : undefined}
            tabIndex={name === value ? 0 : -1}
            onClick={() => onChange(name)}
            onKeyDown={follow}
            className="group relative flex h-12 flex-1 items-center justify-center text-[15px] font-medium text-muted transition-colors hover:bg-wash aria-selected:font-semibold aria-selected:text-ink focus-visible:-outline-offset-2"
          >
            {title}
            <span className="absolute bottom-[-1px] h-[3px] w-14 rounded-full bg-transparent group-aria-selected:bg-ember" />
          </button>
        ))}
      </div>
      <div
        key={value}
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
