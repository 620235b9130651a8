import { useEffect, useState } from "react";
import { Link, useLocation, useRoute } from "wouter";
import { renewSuggestions } from "@/api/users";
import { WhoToFollow } from "@/features/follows/who-to-follow";
import { Trending } from "@/features/tags/trending";
import { isBlank } from "@/lib/post-text";
import { SearchField } from "@/ui/search-field";
import { useAfterScreen } from "./after-screen";

const SUGGESTIONS = 3;

/** The short form of Discover in the right column. Discover itself leaves only its topics to it. */
export function RailDiscover() {
  const ready = useAfterScreen();
  const [path] = useLocation();
  const [onDiscover] = useRoute("/discover");
  // Whom one has followed meanwhile leaves the list on the way to another page, not under the hand.
  useEffect(renewSuggestions, [path]);
  if (onDiscover) return <Trending waiting={!ready} />;
  return (
    <>
      <RailSearch />
      <Trending waiting={!ready} />
      <WhoToFollow
        narrow
        waiting={!ready}
        most={SUGGESTIONS}
        except={/^\/profile\/([^/]+)/.exec(path)?.[1]?.toLowerCase()}
        more={
          <Link
            href="/discover"
            className="mt-2 -ml-3 inline-flex h-9 items-center pointer-coarse:h-11 rounded-full px-3 text-[15px] font-semibold text-ember-deep hover:bg-wash"
          >
            Discover more people
          </Link>
        }
      />
    </>
  );
}

function RailSearch() {
  const [typed, setTyped] = useState("");
  const [, navigate] = useLocation();
  function search() {
    if (isBlank(typed)) return;
    navigate(`/discover?${new URLSearchParams({ q: typed.trim() }).toString()}`);
  }
  return <SearchField value={typed} onChange={setTyped} onSubmit={search} />;
}
