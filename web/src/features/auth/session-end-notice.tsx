import { sessionEnd } from "@/lib/session-end";
import { useStore } from "@/lib/store";

export function SessionEndNotice({ className }: { className: string }) {
  const reason = useStore(sessionEnd);
  if (reason === null) return null;
  return (
    <p role="status" className={className}>
      {reason}
    </p>
  );
}
