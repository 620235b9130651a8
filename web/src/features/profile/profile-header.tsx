import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { CalendarDays, Link2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import type { User } from "@/api/types";
import { formatNumber } from "@/lib/text/format-number";
import { cx } from "@/lib/dom/cx";
import { getImageSources } from "@/lib/images/image-srcset";
import { formatDateTime, formatMonthYear } from "@/lib/time/format-date";
import { Avatar } from "@/ui/avatar";
import { EditImageButton } from "./edit-image-button";

interface Props {
  user: User;
  action: ReactNode;
  isOwn: boolean;
}

export function ProfileHeader({ user, action, isOwn }: Props) {
  const counts = [
    ["following", user.followingCount, t({ message: "Following", context: "count" })],
    [
      "followers",
      user.followerCount,
      plural(user.followerCount, { one: "Follower", other: "Followers" }),
    ],
  ] as const;
  return (
    <section aria-label={t`About`} className="pb-4">
      <div className="relative">
        <HeaderImage key={user.headerImageUrl} url={user.headerImageUrl} />
        {isOwn && <EditImageButton kind="header" className="absolute top-3 end-3" />}
      </div>
      <div className="px-4 sm:px-5">
        <div className="flex items-start justify-between">
          <div className="relative -mt-12 flex shrink-0 flex-col items-center sm:-mt-15">
            <Avatar user={user} size="huge" className="ring-4 ring-background" />
            {isOwn && (
              <EditImageButton
                kind="profile"
                className="absolute -bottom-3 ring-3 ring-background dark:bg-border"
              />
            )}
          </div>
          <div className="pt-3">{action}</div>
        </div>
        {/* A name has its own text direction, and is aligned like its surroundings. */}
        <h1
          className={cx(
            "clip-marks font-serif text-profile-name wrap-anywhere",
            isOwn ? "mt-6" : "mt-4",
          )}
        >
          <bdi>{user.displayName || user.username}</bdi>
        </h1>
        <p className="text-muted-foreground">
          <bdi>@{user.username}</bdi>
          {user.followsYou && (
            <span className="ms-2 rounded-full bg-muted px-2.5 py-0.5 text-sm">
              <Trans>Follows you</Trans>
            </span>
          )}
        </p>
        {user.suspendedAt && (
          <p className="mt-2 text-body-sm text-destructive">
            <Trans>
              Suspended since {formatDateTime(user.suspendedAt)}. Only moderators and admins can see
              this profile.
            </Trans>
          </p>
        )}
        {user.bio && (
          <p className="clip-marks mt-3 whitespace-pre-wrap wrap-anywhere">
            <bdi>{user.bio}</bdi>
          </p>
        )}
        <div className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-body-sm text-muted-foreground">
          {user.website && (
            <span className="inline-flex min-w-0 items-start gap-1.5">
              <Link2 size={17} aria-hidden className="mt-[3px] shrink-0" />
              <a
                href={user.website}
                target="_blank"
                rel="noopener nofollow ugc"
                // Not truncated, because the end of the host identifies its owner.
                className="-my-3 min-w-0 py-3 wrap-anywhere text-primary-strong hover:underline"
              >
                {formatWebsite(user.website)}
              </a>
            </span>
          )}
          <span className="inline-flex items-center gap-1.5">
            <CalendarDays size={17} aria-hidden />
            <Trans>Joined {formatMonthYear(user.createdAt)}</Trans>
          </span>
        </div>
        <div className="mt-3 flex flex-wrap items-center gap-x-5 gap-y-1 text-body-sm">
          {counts.map(([direction, value, label]) => (
            <Link
              key={direction}
              href={`/profile/${user.username}/${direction}`}
              className="text-muted-foreground hover:underline pointer-coarse:py-3"
            >
              <strong className="font-semibold text-foreground tabular-nums">
                {formatNumber(value)}
              </strong>{" "}
              {label}
            </Link>
          ))}
          {user.invitedBy && (
            <span className="text-muted-foreground">
              <Trans>
                Invited by{" "}
                <Link
                  href={`/profile/${user.invitedBy.username}`}
                  dir="auto"
                  className="font-medium text-foreground hover:underline"
                >
                  @{user.invitedBy.username}
                </Link>
              </Trans>
            </span>
          )}
        </div>
      </div>
    </section>
  );
}

function HeaderImage({ url }: { url: string | null | undefined }) {
  const [hasLoadError, setLoadError] = useState(false);
  if (url && !hasLoadError) {
    return (
      <img
        sizes="(min-width: 640px) 618px, 100vw"
        {...getImageSources(url, "header")}
        alt=""
        onError={() => setLoadError(true)}
        className="aspect-[3/1] w-full bg-muted object-cover"
      />
    );
  }
  return (
    <svg
      aria-hidden
      viewBox="0 0 600 200"
      preserveAspectRatio="xMidYMid slice"
      className="aspect-[3/1] w-full bg-muted"
    >
      <circle cx="430" cy="150" r="150" fill="var(--amber)" opacity="0.28" />
      <circle cx="560" cy="70" r="150" fill="var(--primary)" opacity="0.22" />
      <circle cx="90" cy="240" r="170" fill="var(--primary)" opacity="0.1" />
    </svg>
  );
}

/** A website, which the server stores in normal form, as people say it: its host and path. */
function formatWebsite(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.(?=[a-z\d]))?/, "").replace(/\/$/, "");
}
