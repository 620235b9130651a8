import { api } from "./client";
import type { ReportReason } from "./types";

/** What is reported. */
export interface ReportTarget {
  kind: "post" | "member";
  id: string;
}

/** Reports a post or a member to the moderators; again changes the first report. */
export async function sendReport(
  { kind, id }: ReportTarget,
  reason: ReportReason,
  note: string,
): Promise<void> {
  const target = kind === "post" ? { postId: id } : { userId: id };
  await api.POST("/api/reports", { body: { ...target, reason, note } });
}
