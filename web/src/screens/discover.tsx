import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { trendingQuery } from "@/api/trending";
import { searchQuery, suggestionsQuery } from "@/api/users";
import { SearchResults } from "@/features/follows/search-results";
import { WhoToFollow } from "@/features/follows/who-to-follow";
import { Trending } from "@/features/tags/trending";
import { useSearchTerm } from "@/lib/use-search-term";
import { useTitle } from "@/lib/use-title";
import { buttonClass } from "@/ui/button";
import { Notice } from "@/ui/notice";
import { SearchField } from "@/ui/search-field";

const SUGGESTIONS = 10;

/** Finding people by name, and what and who is talked about. */
export default function Discover() {
  useTitle("Discover");
  const { typed, term, isPending, type, submit } = useSearchTerm();
  return (
    <>
      <header className="px-4 pt-5 pb-5 sm:px-5">
        <h1 className="mb-5 font-serif text-[32px] leading-none">Discover</h1>
        <SearchField value={typed} onChange={type} onSubmit={submit} />
      </header>
      {term === "" ? <Unasked /> : <Search term={term} isTyping={isPending} />}
    </>
  );
}

function Unasked() {
  // Coming here is asking what is new; what is known already stays in sight meanwhile.
  const topics = useQuery({ ...trendingQuery, refetchOnMount: "always" });
  const people = useQuery({ ...suggestionsQuery, refetchOnMount: "always" });
  if (hasStatus(topics.error, 401) || hasStatus(people.error, 401)) return <LoggedOut />;
  return (
    <>
      <div className="px-4 pb-8 sm:px-5">
        <Trending paired />
      </div>
      <WhoToFollow most={SUGGESTIONS} />
    </>
  );
}

function Search({ term, isTyping }: { term: string; isTyping: boolean }) {
  const query = useQuery({ ...searchQuery(term), placeholderData: keepPreviousData });
  if (hasStatus(query.error, 401)) return <LoggedOut />;
  return <SearchResults term={term} query={query} isTyping={isTyping} />;
}

function LoggedOut() {
  return (
    <Notice title="Please log in to discover users.">
      <a href="/api/login" className={buttonClass("outline")}>
        Login
      </a>
    </Notice>
  );
}
