import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useCurrentUser } from "@/api/auth";
import type { User } from "@/api/types";
import { RowBoundary } from "@/components/row-boundary";
import { cx } from "@/lib/dom/cx";
import { Avatar } from "@/ui/avatar";

interface Props {
  user: User;
  reason?: string | undefined;
  compact?: boolean;
  /** Renders the button at the end of the row; the viewer's own row has none. */
  renderAction: (user: User) => ReactNode;
}

/** A member in a list of people. The whole row leads to the profile; the button follows. */
export function UserListItem(props: Props) {
  return (
    <RowBoundary as="li">
      <UserRow {...props} />
    </RowBoundary>
  );
}

function UserRow({ user, reason, compact = false, renderAction }: Props) {
  const currentUser = useCurrentUser();
  const { id, username, displayName, bio, followsYou } = user;
  return (
    <li
      tabIndex={-1}
      data-row={id}
      className={cx(
        "relative border-b -outline-offset-2 border-border transition-colors duration-150",
        compact ? "py-3" : "px-4 py-3.5 hover:bg-muted/50 sm:px-5",
      )}
    >
      <div className="flex items-center gap-3">
        <Avatar user={user} size={compact ? "small" : "medium"} />
        <div className="min-w-0 flex-1 leading-5">
          <Link
            href={`/profile/${username}`}
            dir="auto"
            className="block w-fit max-w-full truncate font-semibold after:absolute after:inset-0 hover:underline focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-primary"
          >
            {displayName || username}
          </Link>
          <span className="flex gap-2 text-sm text-muted-foreground">
            <bdi className="min-w-0 truncate">@{username}</bdi>
            {followsYou && reason === undefined && (
              <span className="shrink-0 rounded-full bg-muted px-2">
                <Trans>Follows you</Trans>
              </span>
            )}
          </span>
        </div>
        {id !== currentUser.id && <div className="relative shrink-0">{renderAction(user)}</div>}
      </div>
      <div className={cx("space-y-0.5 empty:hidden", compact ? "ps-12" : "ps-14")}>
        {bio !== "" && !compact && (
          <p
            dir="auto"
            className="mt-1 line-clamp-2 text-left text-body-sm wrap-anywhere in-[[dir=rtl]]:text-right"
          >
            {bio}
          </p>
        )}
        {reason !== undefined && (
          <p className="mt-0.5 line-clamp-2 text-sm text-muted-foreground wrap-anywhere">
            {reason}
          </p>
        )}
      </div>
    </li>
  );
}
