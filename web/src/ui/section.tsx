import type { ReactNode } from "react";

interface Props {
  title: string;
  text?: string;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, text, children }: Props) {
  return (
    <section aria-label={title} className="pt-9">
      <h2 className="text-lg font-semibold">{title}</h2>
      {text && <p className="mt-1 text-muted-foreground">{text}</p>}
      {children}
    </section>
  );
}
