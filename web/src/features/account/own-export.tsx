import { useMutation, useQuery } from "@tanstack/react-query";
import { exportFile, exportQuery, isUnderWay, startExport } from "@/api/account";
import type { Export } from "@/api/types";
import { fileSize } from "@/lib/file-size";
import { longDate } from "@/lib/time";
import { ActionButton } from "@/ui/action-button";
import { buttonClass } from "@/ui/button";
import { QueryView } from "@/ui/query-view";
import { Bone, Loading } from "@/ui/skeleton";

export function OwnExport() {
  const query = useQuery({ ...exportQuery, refetchOnMount: "always" });
  const start = useMutation({
    mutationFn: startExport,
    meta: { failure: "Failed to start the export. Please try again." },
  });
  const loading = <Loading className="pt-5">{() => <Bone className="h-10 w-40" />}</Loading>;
  return (
    <QueryView query={query} loading={loading}>
      {(made) => (
        <>
          <div role="status" className={made.state === "none" ? undefined : "pt-4"}>
            <State made={made} />
          </div>
          <div className="flex flex-wrap gap-3 pt-4">
            {made.state === "ready" && (
              <a href={exportFile} download className={buttonClass("primary")}>
                Download
              </a>
            )}
            {!isUnderWay(made) && (
              <ActionButton mutation={start} pending="Starting...">
                {made.state === "ready" ? "Export again" : "Export everything"}
              </ActionButton>
            )}
          </div>
        </>
      )}
    </QueryView>
  );
}

function State({ made }: { made: Export }) {
  switch (made.state) {
    case "none":
      return null;
    case "waiting":
      return <p className="text-muted">Your export begins in a moment.</p>;
    case "running":
      return (
        <div className="max-w-md">
          <p className="pb-2 text-muted">Your export is being made: {made.percent} %</p>
          <progress
            aria-label="Export"
            value={made.percent}
            max={100}
            className="h-2 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-ember [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-ember"
          />
        </div>
      );
    case "ready":
      return (
        <p className="text-muted">
          Your export of {longDate(made.createdAt)} is ready: {fileSize(made.size ?? 0)}. It can be
          downloaded until {longDate(made.expiresAt)}.
        </p>
      );
    case "failed":
      return <p className="text-danger">Your export could not be made. Please try again.</p>;
  }
}
