import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
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

/** Interval in milliseconds of polling a pending export. */
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
    meta: { failure: t`Failed to start the export. Please try again.` },
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
                <Trans>Download</Trans>
              </a>
            )}
            {!isExportPending(made) && (
              <ActionButton mutation={requestExport} pending={t`Starting...`}>
                {made.state === "ready" ? t`Export again` : t`Export everything`}
              </ActionButton>
            )}
          </div>
        </>
      )}
    </QueryView>
  );
}

function ExportStatus({ dataExport }: { dataExport: DataExport }) {
  const { percent } = dataExport;
  const size = formatBytes(dataExport.size ?? 0);
  const creationDate = formatDate(dataExport.createdAt);
  const expiryDate = formatDate(dataExport.expiresAt);
  switch (dataExport.state) {
    case "none":
      return null;
    case "waiting":
      return (
        <p className="text-muted-foreground">
          <Trans>Your export begins in a moment.</Trans>
        </p>
      );
    case "running":
      return (
        <div className="max-w-md">
          <p className="pb-2 text-muted-foreground">
            <Trans>Your export is being made: {percent} %</Trans>
          </p>
          <progress
            aria-label={t`Export`}
            value={dataExport.percent}
            max={100}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-border [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-border [&::-webkit-progress-value]:bg-primary"
          />
        </div>
      );
    case "ready":
      return (
        <p className="text-muted-foreground">
          <Trans>
            Your export of {creationDate} is ready: {size}. It can be downloaded until {expiryDate}.
          </Trans>
        </p>
      );
    case "failed":
      return (
        <p className="text-destructive">
          <Trans>Your export could not be made. Please try again.</Trans>
        </p>
      );
  }
}
