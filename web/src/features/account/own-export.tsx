import { useMutation, useQuery } from "@tanstack/react-query";
import { exportFile, exportQuery, isUnderWay, startExport } from "@/api/account";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import type { Export } from "@/api/types";
import { fileSize } from "@/lib/file-size";
import { longDate } from "@/lib/time";
import { Button, buttonClass } from "@/ui/button";
import { FailureNotice } from "@/ui/notice";
import { Bone } from "@/ui/skeleton";
import { StaleNotice } from "@/ui/stale-notice";

const failure = "Failed to start the export. Please try again.";

/** A copy of everything: asking for it, how far it is, downloading it. */
export function OwnExport() {
  const query = useQuery({ ...exportQuery, refetchOnMount: "always" });
  const { data, error } = query;
  if (!data) {
    if (error) return <FailureNotice error={error} onRetry={() => void query.refetch()} />;
    return (
      <div role="status" className="pt-5">
        <span className="sr-only">Loading...</span>
        <Bone className="h-10 w-40" />
      </div>
    );
  }
  return (
    <>
      <StaleNotice query={query} />
      <div role="status" className={data.state === "none" ? undefined : "pt-4"}>
        <State made={data} />
      </div>
      <div className="flex flex-wrap gap-3 pt-4">
        {data.state === "ready" && (
          <a href={exportFile} download className={buttonClass("primary")}>
            Download
          </a>
        )}
        {!isUnderWay(data) && <Start isAgain={data.state === "ready"} />}
      </div>
    </>
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

function Start({ isAgain }: { isAgain: boolean }) {
  const start = useMutation({
    mutationFn: startExport,
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
  const words = isAgain ? "Export again" : "Export everything";
  return (
    <Button
      look="outline"
      aria-disabled={start.isPending}
      onClick={() => !start.isPending && start.mutate()}
    >
      {start.isPending ? "Starting..." : words}
    </Button>
  );
}
