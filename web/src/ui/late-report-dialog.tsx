import type { ComponentProps } from "react";
import { dialogCode } from "./dialog-code";
import type ReportDialog from "./report-dialog";
import { Late } from "./late";

/** The dialog for reports; its code is fetched when it is first opened. */
export function LateReportDialog(props: ComponentProps<typeof ReportDialog>) {
  return (
    <Late code={dialogCode.report} wanted onMissing={props.onClose}>
      {(code) => <code.default {...props} />}
    </Late>
  );
}
