import { expect, test } from "vitest";
import { mutedOrBlockedQuery } from "@/api/mutes-blocks";
import type { PaginatedQuery } from "@/api/paginated-query";
import type { User } from "@/api/types";
import { network } from "@/test/mock-api/network";
import { makeUser } from "@/test/mock-api/records";
import { errorBody, http } from "@/test/mock-api/typed-http";
import { worker } from "@/test/mock-api/worker";
import { renderInApp } from "@/test/render";
import { PaginatedList } from "./paginated-list";

const PAGE_SIZE = 20;

/** Renders a list of `count` members, in pages of twenty. */
async function renderList(count: number) {
  network.users = Array.from({ length: count }, (_, index) =>
    makeUser({ username: `user_${index + 1}`, isBlocked: true }),
  );
  const list: PaginatedQuery<User> = mutedOrBlockedQuery("blocks");
  const screen = await renderInApp(
    <PaginatedList list={list} loading={<p>Loading the list</p>} empty={<p>No rows</p>}>
      {(rows) => (
        <ul>
          {rows.map(({ id, username }) => (
            <li key={id}>
              <a href={`/profile/${username}`} data-row>
                {username}
              </a>
            </li>
          ))}
        </ul>
      )}
    </PaginatedList>,
  );
  const rows = screen.getByRole("link");
  const more = screen.getByRole("button", { name: /^Load/ });
  return { screen, rows, more };
}

/** Fails the next request for a page. */
function failOnce(): void {
  worker.use(
    http.get(
      "/api/blocks",
      ({ response }) =>
        response(503).json(errorBody("Kith is busy. Please wait a moment and try again.")),
      { once: true },
    ),
  );
}

test("load more appends a page, and the focus goes on at its first row", async () => {
  const { rows, more } = await renderList(2 * PAGE_SIZE + 1);
  await expect.element(rows).toHaveLength(PAGE_SIZE);
  await more.click();
  await expect.element(rows).toHaveLength(2 * PAGE_SIZE);
  await expect.element(rows.nth(PAGE_SIZE)).toHaveFocus();
  await expect.element(rows.nth(PAGE_SIZE)).toHaveTextContent("user_21");
  await more.click();
  await expect.element(rows).toHaveLength(2 * PAGE_SIZE + 1);
  await expect.element(more).not.toBeInTheDocument();
});

test("a page that fails keeps the loaded rows, and can be retried", async () => {
  const { screen, rows, more } = await renderList(PAGE_SIZE + 3);
  await expect.element(rows).toHaveLength(PAGE_SIZE);
  failOnce();
  await more.click();
  await expect.element(screen.getByRole("alert")).toHaveTextContent(/^Kith is busy/);
  await expect.element(rows).toHaveLength(PAGE_SIZE);
  const retry = screen.getByRole("button", { name: "Retry" });
  await expect.element(retry).toHaveFocus();
  await retry.click();
  await expect.element(rows).toHaveLength(PAGE_SIZE + 3);
  await expect.element(screen.getByRole("alert")).not.toBeInTheDocument();
});

test("a list that fails at first can be fetched again", async () => {
  failOnce();
  const { screen, rows } = await renderList(3);
  await expect.element(screen.getByText("503: Service Unavailable")).toBeVisible();
  await screen.getByRole("button", { name: "Retry" }).click();
  await expect.element(rows).toHaveLength(3);
});

test("a row that moved to the next page meanwhile is shown once", async () => {
  const { rows, more } = await renderList(PAGE_SIZE + 1);
  await expect.element(rows).toHaveLength(PAGE_SIZE);
  network.users.unshift(makeUser({ username: "new", isBlocked: true }));
  await more.click();
  await expect.element(rows).toHaveLength(PAGE_SIZE + 1);
  const names = rows.elements().map(({ textContent }) => textContent);
  expect(new Set(names).size).toBe(names.length);
});

test("an empty list has a message once it is loaded", async () => {
  const { screen } = await renderList(0);
  await expect.element(screen.getByText("No rows")).toBeVisible();
  await expect.element(screen.getByText("Loading the list")).not.toBeInTheDocument();
});
