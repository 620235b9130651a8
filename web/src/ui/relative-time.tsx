import { useState } from "react";
import { formatDateTime, formatRelativeShort } from "@/lib/time/format-date";
import { useNow } from "@/lib/time/use-now";

/** How long ago something was, with the exact moment as its tooltip. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const now = useNow();
  // A feed has many, and a phone shows no tooltips: the moment is formatted once a pointer comes near.
  const [title, setTitle] = useState<string>();
  const text = formatRelativeShort(at, now);
  if (!at) return <span>{text}</span>;
  return (
    <time dateTime={at} title={title} onPointerEnter={() => setTitle(formatDateTime(at))}>
      {text}
    </time>
  );
}
