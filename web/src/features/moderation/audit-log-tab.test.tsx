import { beforeAll, expect, test } from "vitest";
import type { AuditEntry } from "@/api/types";
import { loadMemberCatalog } from "@/lib/i18n/catalogs";
import { formatDateTime } from "@/lib/time/format-date";
import { toAdminUser } from "@/test/mock-api/notice-records";
import { network } from "@/test/mock-api/network";
import { toSummary } from "@/test/mock-api/records";
import { http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { renderInApp } from "@/test/render";
import { AdminUserSummary } from "./admin-user-summary";
import { AuditLogTab } from "./audit-log-tab";

const END = "2026-12-05T09:30:00.000Z";

beforeAll(() => loadMemberCatalog());

function getUser() {
  const [user] = network.users;
  if (!user) throw new Error("The network has no members.");
  return user;
}

// proves: sanction-dialog
test("the log shows the end of a suspension, and that the server lifted it", async () => {
  const user = getUser();
  const entry = (id: string, more: Partial<AuditEntry>): AuditEntry => ({
    id,
    createdAt: END,
    actor: null,
    action: null,
    postId: null,
    hasPost: false,
    member: toSummary(user),
    detail: "",
    note: "",
    hash: "x".repeat(43),
    ...more,
  });
  worker.use(
    http.get("/api/admin/audit", ({ response }) =>
      response(200).json([
        entry("3", { action: "unsuspend", detail: "expired" }),
        entry("2", { action: "suspend", detail: END }),
        entry("1", { action: "freeze_invites" }),
      ]),
    ),
  );
  const screen = await renderInApp(<AuditLogTab />);
  const rows = screen.getByRole("list", { name: "Audit log" }).getByRole("listitem");
  const name = `@${user.username}`;
  await expect
    .element(rows.first())
    .toHaveTextContent(`The server lifted the suspension of ${name}, which had ended`);
  await expect
    .element(rows.nth(1))
    .toHaveTextContent(`The operator suspended ${name} until ${formatDateTime(END)}`);
  await expect.element(rows.nth(2)).toHaveTextContent(`The operator froze the invites of ${name}`);
});

// proves: sanction-dialog
test("a member's sanctions are shown with their ends", async () => {
  const user = {
    ...toAdminUser(getUser()),
    suspendedAt: END,
    suspendedUntil: END,
    invitesFrozenAt: END,
  };
  const screen = await renderInApp(<AdminUserSummary user={user} />);
  await expect.element(screen.getByText(`Suspended until ${formatDateTime(END)}`)).toBeVisible();
  await expect.element(screen.getByText("Invites frozen", { exact: true })).toBeVisible();
});
