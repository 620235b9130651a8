import { ArrowLeft } from "lucide-react";
import type { MouseEvent } from "react";
import { Link } from "wouter";
import { cx } from "@/lib/dom/cx";
import { goBack } from "@/lib/navigation/overlay-history";
import { getReferrerPath } from "@/lib/navigation/scroll-restoration";

interface Props {
  /** The parent page. If the viewer came from it, the link goes back and restores the scroll position. */
  back: { href: string; label: string };
  title: string;
  note?: string;
}

/** A sticky header with a Back link and the title. */
export function PageHeader({ back, title, note }: Props) {
  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || getReferrerPath() !== back.href) return;
    event.preventDefault();
    goBack();
  }
  return (
    <header className="sticky top-0 z-10 flex h-16 items-center gap-2 border-b border-border bg-background px-2 max-md:top-14 sm:px-3">
      <Link
        href={back.href}
        onClick={onClick}
        aria-label={back.label}
        title={back.label}
        className="inline-flex size-10 items-center pointer-coarse:size-11 justify-center rounded-full transition-colors hover:bg-muted"
      >
        <ArrowLeft size={20} aria-hidden className="rtl:-scale-x-100" />
      </Link>
      <div className="min-w-0">
        <h1
          dir="auto"
          className={cx("truncate font-serif", note ? "text-2xl leading-7" : "text-heading")}
        >
          {title}
        </h1>
        {note && <p className="truncate text-sm leading-4 text-muted-foreground">{note}</p>}
      </div>
    </header>
  );
}
