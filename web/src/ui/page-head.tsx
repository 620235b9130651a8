import type { ReactNode } from "react";
import { cx } from "@/lib/cx";
import { BackLink } from "./back-link";

interface Props {
  /** Where the way back leads, and how it is called. */
  back: { href: string; label: string };
  title: ReactNode;
  /** A line under the title. */
  note?: ReactNode;
}

/** The head of a page that one comes to from another: the way back and the title, always in sight. */
export function PageHead({ back, title, note }: Props) {
  return (
    <header className="sticky top-0 z-10 flex h-16 items-center gap-2 border-b border-line bg-paper/95 px-2 backdrop-blur-md max-md:top-14 sm:px-3">
      <BackLink {...back} />
      <div className="min-w-0">
        <h1
          dir="auto"
          className={cx(
            "truncate font-serif",
            note ? "text-2xl leading-7" : "text-[28px] leading-8",
          )}
        >
          {title}
        </h1>
        {note && <p className="truncate text-sm leading-4 text-muted">{note}</p>}
      </div>
    </header>
  );
}
