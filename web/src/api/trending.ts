import { api, bodyQuery } from "./client";
import { keys } from "./keys";

const LIMIT = 50;

/** How many topics are pinned; they come first. */
export const PINNED_TOPICS = 6;

/** The pinned topics, then the tags that most people use, each with its posts of the last 7 days. */
export const trendingQuery = bodyQuery(keys.trending, () =>
  api.GET("/api/trending", { params: { query: { limit: LIMIT } } }),
);
