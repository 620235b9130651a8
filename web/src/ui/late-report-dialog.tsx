import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import { toastError } from "@/lib/toast";
import type ReportDialog from "./report-dialog";

type Props = ComponentProps<typeof ReportDialog>;

const Late = lazy<ComponentType<Props>>(() =>
  import("./report-dialog").catch(() => ({ default: Missing })),
);

/** The dialog for reports; its code is fetched when it is first opened. */
export function LateReportDialog(props: Props) {
  return (
    <Suspense>
      <Late {...props} />
    </Suspense>
  );
}

/** Says that the code could not be fetched. The next page asks for it anew. */
function Missing({ onClose }: Props) {
  queueMicrotask(() => {
    toastError("Kith can't be reached right now.");
    onClose();
  });
  return null;
}
