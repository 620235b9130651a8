import { useState } from "react";
import { type CaseState, casesQuery } from "@/api/moderation";
import { buttonClass } from "@/ui/button";
import { CaseCard } from "./case-card";
import { RowList } from "./row-list";

const states = [
  { state: "open", title: "Open", empty: "No open reports" },
  { state: "resolved", title: "Resolved", empty: "Nothing was decided yet" },
] as const;

/** What members reported, and what became of it. */
export function ReportsTab() {
  const [shown, setShown] = useState<CaseState>("open");
  const empty = states.find(({ state }) => state === shown)?.empty ?? "";
  return (
    <>
      <div role="group" aria-label="Which reports" className="flex gap-2 px-4 pt-4 sm:px-5">
        {states.map(({ state, title }) => (
          <button
            key={state}
            type="button"
            aria-pressed={state === shown}
            onClick={() => setShown(state)}
            className={buttonClass(state === shown ? "ink" : "outline", "small")}
          >
            {title}
          </button>
        ))}
      </div>
      <RowList
        key={shown}
        query={casesQuery(shown)}
        label="Reports"
        empty={empty}
        item={CaseCard}
      />
    </>
  );
}
