import type { ReactNode } from "react";

/** A sentence in the middle of an otherwise empty place, with at most one thing to do. */
export function EmptyState({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-5 px-8 py-16 text-center">
      <p className="max-w-md font-serif text-section-title text-balance wrap-anywhere">{title}</p>
      {children}
    </div>
  );
}
