import { queryOptions } from "@tanstack/react-query";
import { queryClient } from "@/api/query-client";
import { queryKeys } from "@/api/query-keys";
import { sitePageQuery } from "@/api/site";

/** How many characters of a rule a notice can have. */
export const MAX_RULE_LENGTH = 300;

/** The items of the lists in the network's rules. Fetched again with the rules. */
export const ruleListQuery = queryOptions({
  queryKey: [...queryKeys.sitePage("rules"), "list"],
  queryFn: async () => {
    const [{ listRules }, { markdown }] = await Promise.all([
      import("./list-rules"),
      queryClient.fetchQuery(sitePageQuery("rules")),
    ]);
    return listRules(markdown, MAX_RULE_LENGTH);
  },
});
