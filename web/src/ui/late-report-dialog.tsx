import type { ComponentProps } from "react";
import { dialogCode } from "./dialog-code";
import type ReportDialog from "./report-dialog";
import { useLate } from "./use-late";

/** The dialog for reports; its code is fetched when it is first opened. */
export function LateReportDialog(props: ComponentProps<typeof ReportDialog>) {
  const code = useLate(dialogCode.report, true, props.onClose);
  return code && <code.default {...props} />;
}
