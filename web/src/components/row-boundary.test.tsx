import { useState } from "react";
import { afterEach, expect, test, vi } from "vitest";
import type { components } from "@/api/schema.gen";
import { http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { renderInApp } from "@/test/render";
import { RowBoundary } from "./row-boundary";

afterEach(() => vi.restoreAllMocks());

let isBroken = true;

function Row({ name }: { name: string }) {
  const [wasBroken] = useState(isBroken);
  if (wasBroken && name === "Bob") throw new TypeError("Bob wrote: secret");
  return <li>{name}</li>;
}

// proves: error-row, error-report
test("a row that throws is replaced and reported without its message, and can be tried again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const reports: components["schemas"]["ClientError"][] = [];
  worker.use(
    http.post("/api/client-errors", async ({ request, response }) => {
      reports.push(await request.json());
      return response(204).empty();
    }),
  );
  isBroken = true;
  const screen = await renderInApp(
    <ul>
      {["Ada", "Bob", "Cleo"].map((name) => (
        <RowBoundary key={name} as="li">
          <Row name={name} />
        </RowBoundary>
      ))}
    </ul>,
  );
  await expect.element(screen.getByText("This can't be shown.")).toBeVisible();
  await expect.element(screen.getByText("Ada")).toBeVisible();
  await expect.element(screen.getByText("Cleo")).toBeVisible();
  await expect.poll(() => reports).toHaveLength(1);
  expect(reports[0]).toMatchObject({ source: "row", name: "TypeError" });
  expect(JSON.stringify(reports)).not.toContain("secret");

  isBroken = false;
  await screen.getByRole("button", { name: "Try again" }).click();
  await expect.element(screen.getByText("Bob", { exact: true })).toBeVisible();
});
