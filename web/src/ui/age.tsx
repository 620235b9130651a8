import { exactTime, shortAge } from "@/lib/time";
import { useNow } from "@/lib/use-now";

/** How long ago something was, with the exact moment as its tooltip. */
export function Age({ at }: { at: string | null | undefined }) {
  const now = useNow();
  const text = shortAge(at, now);
  if (!at) return <span>{text}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {text}
    </time>
  );
}
