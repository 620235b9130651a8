import { sessionEndReason } from "@/api/session-end";
import { useStore } from "@/lib/state/store";

export function SessionEndNotice({ className }: { className: string }) {
  const reason = useStore(sessionEndReason);
  if (reason === null) return null;
  return (
    <p role="status" className={className}>
      {reason}
    </p>
  );
}
