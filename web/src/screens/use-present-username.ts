import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useSearch } from "wouter/use-browser-location";
import { userQuery } from "@/api/users";

/**
 * The member with a username. An earlier username still finds its owner; the URL then shows the present
 * one, in the same history entry and with what follows it.
 */
export function usePresentUsername(username: string, rest = "") {
  const query = useQuery(userQuery(username));
  const [, navigate] = useLocation();
  const search = useSearch();
  const present = query.data?.username;
  useEffect(() => {
    if (present === undefined || present.toLowerCase() === username.toLowerCase()) return;
    const url = `/profile/${present}${rest}${search}`;
    navigate(url, { replace: true, state: history.state as unknown });
  }, [present, username, rest, search, navigate]);
  return query;
}
