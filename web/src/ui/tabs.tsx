import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";

interface Props<Name extends string> {
  /** What the tabs choose between, for screen readers. */
  label: string;
  value: Name;
  onChange: (name: Name) => void;
  tabs: readonly { name: Name; title: string; render: () => ReactNode }[];
}

/** A row of tabs with the chosen one's panel below; arrow keys move between them. */
export function Tabs<Name extends string>({ label, value, onChange, tabs }: Props<Name>) {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(next) => {
        const tab = tabs.find(({ name }) => name === next);
        if (tab) onChange(tab.name);
      }}
    >
      <Primitive.List aria-label={label} className="flex border-b border-line">
        {tabs.map(({ name, title }) => (
          <Primitive.Trigger
            key={name}
            value={name}
            className="group relative flex h-12 flex-1 items-center justify-center text-[15px] font-medium text-muted transition-colors hover:bg-wash data-[state=active]:font-semibold data-[state=active]:text-ink focus-visible:-outline-offset-2"
          >
            {title}
            <span className="absolute bottom-[-1px] h-[3px] w-14 rounded-full bg-transparent group-data-[state=active]:bg-ember" />
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map(({ name, render }) => (
        <Primitive.Content key={name} value={name} className="focus-visible:-outline-offset-2">
          {name === value && render()}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  );
}
