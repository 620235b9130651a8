import { useQuery } from "@tanstack/react-query";
import { currentUserQuery } from "@/api/auth";
import { formatBadgeCount } from "@/lib/text/format-number";
import { site } from "@/lib/site";
import { useStore } from "@/lib/state/store";

/** Names the page in the browser's tab and history, after the number of things to read. */
export function PageTitle({ title }: { title: string }) {
  const { data: currentUser } = useQuery({ ...currentUserQuery, enabled: false });
  const unread = currentUser?.unreadNotificationCount ?? 0;
  const { name: siteName } = useStore(site);
  const name = title === "" ? siteName : `${title} · ${siteName}`;
  return <title>{unread > 0 ? `(${formatBadgeCount(unread)}) ${name}` : name}</title>;
}
