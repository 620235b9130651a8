import { formatDateTime, formatRelativeShort } from "@/lib/time/format-date";
import { useNow } from "@/lib/time/use-now";

/** How long ago something was, with the exact moment as its tooltip. */
export function RelativeTime({ at }: { at: string | null | undefined }) {
  const now = useNow();
  const text = formatRelativeShort(at, now);
  if (!at) return <span>{text}</span>;
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {text}
    </time>
  );
}
