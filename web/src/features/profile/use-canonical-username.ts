import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { userQuery } from "@/api/users";

/**
 * The member with a username. An earlier username still finds its owner; the URL then shows the present
 * one, in the same history entry and with what follows it.
 */
export function useCanonicalUsername(username: string, pathSuffix = "") {
  const query = useQuery(userQuery(username));
  const [, navigate] = useLocation();
  const search = useSearch();
  const canonicalUsername = query.data?.username;
  useEffect(() => {
    if (
      canonicalUsername === undefined ||
      canonicalUsername.toLowerCase() === username.toLowerCase()
    )
      return;
    const url = `/profile/${canonicalUsername}${pathSuffix}${search}`;
    navigate(url, { replace: true, state: history.state as unknown });
  }, [canonicalUsername, username, pathSuffix, search, navigate]);
  return query;
}
