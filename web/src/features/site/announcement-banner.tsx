import { t } from "@lingui/core/macro";
import { X } from "lucide-react";
import { useCurrentUser } from "@/api/auth";
import { IconButton } from "@/ui/button";
import { useClosedVersion } from "./use-closed-version";

/** Shows the announcement to all members above the feed, until the member closes it. */
export function AnnouncementBanner() {
  const { id, announcement } = useCurrentUser();
  const [closedVersion, close] = useClosedVersion(`kith:announcement-closed:${id}`);
  if (!announcement || announcement.version <= closedVersion) return null;
  return (
    <div className="px-4 pb-5 sm:px-5">
      <section
        aria-label={t`Announcement`}
        className="flex items-start gap-3 rounded-2xl border border-border bg-muted/60 py-3 ps-5 pe-3"
      >
        <p className="min-w-0 flex-1 py-2 whitespace-pre-line wrap-anywhere">
          <bdi>{announcement.text}</bdi>
        </p>
        <IconButton label={t`Close the announcement`} onClick={() => close(announcement.version)}>
          <X size={20} aria-hidden />
        </IconButton>
      </section>
    </div>
  );
}
