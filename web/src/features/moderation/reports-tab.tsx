import { msg, t } from "@lingui/core/macro";
import { useState } from "react";
import { paginatedQuery } from "@/api/paginated-query";
import { queryKeys } from "@/api/query-keys";
import { buttonClass } from "@/ui/button";
import { ModerationList } from "./moderation-list";
import { ObjectionList } from "./objection-list";
import { RemovedPostList } from "./removed-post-list";
import { ReportCard } from "./report-card";

const emptyTexts = {
  open: msg`No open reports`,
  resolved: msg`No resolved reports`,
} as const;

const reportsQuery = (state: keyof typeof emptyTexts) =>
  paginatedQuery("/api/admin/reports", {
    queryKey: [...queryKeys.moderation, "cases", state],
    pageSize: 20,
    query: { state },
  });

const filters = [
  { label: msg`Open`, render: () => <ReportList state="open" /> },
  { label: msg`Resolved`, render: () => <ReportList state="resolved" /> },
  { label: msg`Objections`, render: () => <ObjectionList /> },
  { label: msg`Removed posts`, render: () => <RemovedPostList /> },
] as const;

export function ReportsTab() {
  const [selected, setSelected] = useState<(typeof filters)[number]>(filters[0]);
  return (
    <>
      <div
        role="group"
        aria-label={t`Which reports`}
        className="flex flex-wrap gap-2 px-4 pt-4 sm:px-5"
      >
        {filters.map((filter) => (
          <button
            key={filter.label.id}
            type="button"
            aria-pressed={filter === selected}
            onClick={() => setSelected(filter)}
            className={buttonClass(filter === selected ? "inverted" : "outline", "small")}
          >
            {t(filter.label)}
          </button>
        ))}
      </div>
      {selected.render()}
    </>
  );
}

function ReportList({ state }: { state: keyof typeof emptyTexts }) {
  return (
    <ModerationList
      key={state}
      list={reportsQuery(state)}
      label={t`Reports`}
      empty={t(emptyTexts[state])}
      className="space-y-3 py-5"
    >
      {(reported) => <ReportCard reportCase={reported} />}
    </ModerationList>
  );
}
