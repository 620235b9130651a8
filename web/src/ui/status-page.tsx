import type { ReactNode } from "react";
import { Logo } from "./logo";

interface Props {
  busy: boolean;
  title: string;
  text: string;
  children?: ReactNode;
}

/** A page for a link in an email: the status, and actions. */
export function StatusPage({ busy, title, text, children }: Props) {
  return (
    <main
      tabIndex={-1}
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-8 px-6 py-16 text-center outline-none"
    >
      <span className={busy ? "animate-breathe" : undefined}>
        <Logo size={40} markOnly />
      </span>
      <div role="status" className="space-y-2">
        <h1 className="font-serif text-5xl leading-tight text-balance">{title}</h1>
        <p className="text-lg text-balance text-muted-foreground">{text}</p>
      </div>
      {children}
    </main>
  );
}
