import { plural, t } from "@lingui/core/macro";
import type { FeedReason } from "@/api/types";
import { getSiteName } from "@/lib/site";

/** Why a post or a member is recommended, in the active language; in English it is the server's sentence. */
export function getReasonText({ code, message, name, others }: FeedReason): string {
  switch (code) {
    case "own":
      return t`Your own post`;
    case "following":
      return name ? t`You follow ${name}` : message;
    case "followed_by":
      if (!name) return message;
      if (others === null) return t`Followed by ${name}, who you follow`;
      return plural(others, {
        0: `Followed by ${name}`,
        one: `Followed by ${name} and # other you follow`,
        other: `Followed by ${name} and # others you follow`,
      });
    case "follows_you":
      return name ? t`${name} follows you` : t`Follows you`;
    case "popular":
      return t`Popular on ${{ siteName: getSiteName() }}`;
    case "new":
      return t`New on ${{ siteName: getSiteName() }}`;
    default:
      return message;
  }
}
