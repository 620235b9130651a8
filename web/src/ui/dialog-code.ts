import { codeOf } from "@/lib/code";

/** The code of everything that opens above a page; no page needs it to be shown. */
export const dialogCode = {
  panel: codeOf(() => import("./dialog-panel")),
  drawer: codeOf(() => import("./drawer-panel")),
  confirm: codeOf(() => import("./confirm-dialog-panel")),
  report: codeOf(() => import("./report-dialog")),
};

/** Fetches it before it is wanted. Whoever wants it then will say that it cannot be reached. */
export function fetchDialogs(): void {
  for (const part of Object.values(dialogCode)) part.load().catch(() => undefined);
}
