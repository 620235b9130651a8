import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "@/api/auth";
import { formatBadgeCount } from "@/lib/text/format-number";

/** Names the page in the browser's tab and history, after the number of things to read. */
export function PageTitle({ title }: { title: string }) {
  const { data: currentUser } = useQuery({ ...currentUserQuery, enabled: false });
  const unread = currentUser?.unreadNotificationCount ?? 0;
  const name = title === "" ? "Kith" : `${title} · Kith`;
  return <title>{unread > 0 ? `(${formatBadgeCount(unread)}) ${name}` : name}</title>;
}
