import { type ComponentProps, useEffect, useEffectEvent, useState } from "react";
import { toastError } from "@/lib/toast";
import type ReportDialog from "./report-dialog";

type Props = ComponentProps<typeof ReportDialog>;

let here: typeof ReportDialog | undefined;

/** The dialog for reports; its code is fetched when it is first opened, and after a failure anew. */
export function LateReportDialog(props: Props) {
  const [Dialog, setDialog] = useState<typeof ReportDialog | undefined>(() => here);
  const giveUp = useEffectEvent(() => {
    toastError("Kith can't be reached right now.");
    props.onClose();
  });
  useEffect(() => {
    if (here) return;
    let isGone = false;
    import("./report-dialog").then(
      (code) => {
        here = code.default;
        if (!isGone) setDialog(() => code.default);
      },
      () => {
        if (!isGone) giveUp();
      },
    );
    return () => {
      isGone = true;
    };
  }, []);
  return Dialog ? <Dialog {...props} /> : null;
}
