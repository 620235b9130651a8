import { expect, test, vi } from "vitest";
import { renderInApp } from "@/test/render";
import { ErrorBoundary } from "./error-boundary";

function BrokenScreen(): never {
  throw new Error("a defect");
}

// proves: error-page
test("a screen that throws is replaced by a page with a button to reload", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const screen = await renderInApp(
    <ErrorBoundary>
      <BrokenScreen />
    </ErrorBoundary>,
  );
  await expect.element(screen.getByRole("heading", { name: "Something broke" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "Reload" })).toBeVisible();
  expect(log).toHaveBeenCalled();
  log.mockRestore();
});
