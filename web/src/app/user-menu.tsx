import { Trans } from "@lingui/react/macro";
import { ChevronsUpDown } from "lucide-react";
import { useCurrentUser } from "@/api/auth";
import { cx } from "@/lib/dom/cx";
import { Avatar } from "@/ui/avatar";
import { lazyOverlay } from "@/ui/lazy-overlay";
import { useLazyMenu } from "@/ui/use-lazy-menu";

const UserMenuContent = lazyOverlay(() => import("./user-menu-content"));

/** The account menu; a compact one shows the picture alone, with the name as its tooltip. */
export function UserMenu({ isCompact = false }: { isCompact?: boolean }) {
  const currentUser = useCurrentUser();
  const { menu, buttonProps } = useLazyMenu(UserMenuContent);
  return (
    <div className="relative">
      <button
        {...buttonProps}
        type="button"
        {...(isCompact && { title: `${currentUser.displayName} @${currentUser.username}` })}
        className={cx(
          "flex w-full items-center gap-3 rounded-full p-2 text-start transition-colors hover:bg-muted",
          !isCompact && "pe-4",
        )}
      >
        <Avatar user={currentUser} />
        {/* The name holds all that is seen, so that voice control finds the button by it. */}
        <span className="sr-only">
          <Trans>Account menu of</Trans>{" "}
        </span>
        <span className={cx(isCompact ? "sr-only" : "min-w-0 flex-1 leading-5")}>
          <span dir="auto" className="block w-fit max-w-full truncate font-semibold">
            {currentUser.displayName}
          </span>
          <span className="block truncate text-sm text-muted-foreground">
            <bdi>@{currentUser.username}</bdi>
          </span>
        </span>
        {!isCompact && (
          <ChevronsUpDown size={18} aria-hidden className="shrink-0 text-muted-foreground" />
        )}
      </button>
      {menu && <UserMenuContent {...menu} />}
    </div>
  );
}
