import { dropEarly } from "@/api/early";
import { friendsFeed, threadQuery, userPosts } from "@/api/posts";
import { queryClient } from "@/api/query-client";
import { userQuery } from "@/api/users";
import { wasMember } from "@/lib/member-hint";

/**
 * Asks for what the screen of this address shows first, while it is still asked who is logged in.
 * The screen finds the answer, or waits for it; if there is none, it asks itself. `start.js` has
 * sent the same calls already.
 */
export async function fetchFirstData(): Promise<void> {
  const { pathname, search } = location;
  // Another tab than the first asks for itself; and by now it may be known that nobody is there.
  if (!search && wasMember()) {
    const [place = "", name = ""] = pathname.split("/").slice(1).map(decodeURIComponent);
    if (place === "") await queryClient.prefetchInfiniteQuery(friendsFeed);
    if (place === "post") await queryClient.prefetchQuery(threadQuery(name));
    if (place === "profile") {
      const member = queryClient.prefetchQuery(userQuery(name));
      await queryClient.prefetchInfiniteQuery(userPosts(name, "posts"));
      await member;
    }
  }
  dropEarly();
}
