import { queryOptions } from "@tanstack/react-query";
import { api, bodyOf } from "./client";
import { keys } from "./keys";

const LIMIT = 50;

/** How many topics are the house's; they come first. */
export const HOUSE_TOPICS = 6;

/** The house's topics, then the tags that most people use, each with its posts of the last 7 days. */
export const trendingQuery = queryOptions({
  queryKey: keys.trending,
  queryFn: async () =>
    bodyOf(await api.GET("/api/trending", { params: { query: { limit: LIMIT } } })),
});
