import type { ReactNode, Ref } from "react";

interface Props {
  title: string;
  text?: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, text, ref, children }: Props) {
  return (
    <section ref={ref} aria-label={title} className="scroll-mt-4 pt-9">
      <h2 className="text-lg font-semibold">{title}</h2>
      {text && <p className="mt-1 text-muted-foreground">{text}</p>}
      {children}
    </section>
  );
}
