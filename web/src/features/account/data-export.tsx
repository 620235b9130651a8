import { useMutation, useQuery } from "@tanstack/react-query";
import { api, unwrap, apiQueryOptions } from "@/api/client";
import { queryKeys } from "@/api/query-keys";
import { queryClient } from "@/api/query-client";
import type { DataExport } from "@/api/types";
import { formatBytes } from "@/lib/text/format-bytes";
import { formatDate } from "@/lib/time/format-date";
import { ActionButton } from "@/ui/action-button";
import { buttonClass } from "@/ui/button";
import { QueryView } from "@/components/query-view";
import { Skeleton, SkeletonList } from "@/ui/skeleton";

/** Milliseconds between two looks at an export that is being made. */
const POLL_INTERVAL_MS = 2_000;

const isExportPending = ({ state }: DataExport) => state === "waiting" || state === "running";

export function DataExportSettings() {
  const query = useQuery({
    ...apiQueryOptions(queryKeys.dataExport, () => api.GET("/api/account/export")),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isExportPending(data) && POLL_INTERVAL_MS,
    refetchOnMount: "always",
  });
  const requestExport = useMutation({
    mutationFn: async () => unwrap(await api.POST("/api/account/export")),
    onSuccess: (dataExport) => queryClient.setQueryData(queryKeys.dataExport, dataExport),
    meta: { failure: "Failed to start the export. Please try again." },
  });
  const loading = (
    <SkeletonList className="pt-5">{() => <Skeleton className="h-10 w-40" />}</SkeletonList>
  );
  return (
    <QueryView query={query} loading={loading}>
      {(made) => (
        <>
          <div role="status" className={made.state === "none" ? undefined : "pt-4"}>
            <ExportStatus dataExport={made} />
          </div>
          <div className="flex flex-wrap gap-3 pt-4">
            {made.state === "ready" && (
              <a href="/api/account/export/file" download className={buttonClass("primary")}>
                Download
              </a>
            )}
            {!isExportPending(made) && (
              <ActionButton mutation={requestExport} pending="Starting...">
                {made.state === "ready" ? "Export again" : "Export everything"}
              </ActionButton>
            )}
          </div>
        </>
      )}
    </QueryView>
  );
}

function ExportStatus({ dataExport }: { dataExport: DataExport }) {
  switch (dataExport.state) {
    case "none":
      return null;
    case "waiting":
      return <p className="text-muted-foreground">Your export begins in a moment.</p>;
    case "running":
      return (
        <div className="max-w-md">
          <p className="pb-2 text-muted-foreground">
            Your export is being made: {dataExport.percent} %
          </p>
          <progress
            aria-label="Export"
            value={dataExport.percent}
            max={100}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-border [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-border [&::-webkit-progress-value]:bg-primary"
          />
        </div>
      );
    case "ready":
      return (
        <p className="text-muted-foreground">
          Your export of {formatDate(dataExport.createdAt)} is ready:{" "}
          {formatBytes(dataExport.size ?? 0)}. It can be downloaded until{" "}
          {formatDate(dataExport.expiresAt)}.
        </p>
      );
    case "failed":
      return <p className="text-destructive">Your export could not be made. Please try again.</p>;
  }
}
