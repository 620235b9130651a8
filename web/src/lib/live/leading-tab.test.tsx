import { afterEach, expect, test, vi } from "vitest";
import { randomId } from "@/lib/text/random-id";
import { joinTabs, type Leadership } from "./leading-tab";

type Tab = ReturnType<typeof joinTabs<string, string>>;

const openTabs: Tab[] = [];
const closeAll = () => openTabs.splice(0).forEach((tab) => tab.leave());
afterEach(closeAll);

/** A group of tabs; each shows one text, and records the events that it receives. */
function makeGroup() {
  const name = randomId();
  const leaders: {
    shows: string;
    getInterests: () => string[];
    publish: (text: string) => void;
  }[] = [];
  const ended: string[] = [];
  const received: string[] = [];
  const repeat = vi.fn();
  function open(shows: string) {
    const lead = (getInterests: () => string[], publish: (text: string) => void): Leadership => {
      leaders.push({ shows, getInterests, publish });
      return { update: vi.fn(), repeat, stop: () => ended.push(shows) };
    };
    const onEvent = (text: string) => void received.push(`${shows}: ${text}`);
    const tab = joinTabs({ name, getInterest: () => shows, lead, onEvent });
    openTabs.push(tab);
    return tab;
  }
  return { open, leaders, ended, received, repeat, names: () => leaders.map(({ shows }) => shows) };
}

test("one of several tabs leads, and gets the interests of all", async () => {
  const { open, leaders, names, repeat } = makeGroup();
  open("feed");
  await expect.poll(names).toEqual(["feed"]);
  open("thread");
  await expect.poll(() => leaders[0]?.getInterests()).toEqual(["thread", "feed"]);
  expect(names()).toEqual(["feed"]);
  await expect.poll(() => repeat).toHaveBeenCalledOnce();
});

test("events of the leading tab reach every tab", async () => {
  const { open, leaders, received } = makeGroup();
  open("feed");
  open("thread");
  await expect.poll(() => leaders.length).toBe(1);
  leaders[0]?.publish("3 unread");
  await expect.poll(() => received.toSorted()).toEqual(["feed: 3 unread", "thread: 3 unread"]);
});

// proves: live-stream-tab
test("when the leading tab closes, another one leads with the interests of the others", async () => {
  const { open, leaders, names, ended } = makeGroup();
  const first = open("feed");
  await expect.poll(names).toEqual(["feed"]);
  open("thread");
  open("profile");
  first.leave();
  await expect.poll(names).toEqual(["feed", "thread"]);
  expect(ended).toEqual(["feed"]);
  await expect.poll(() => leaders[1]?.getInterests().toSorted()).toEqual(["profile", "thread"]);
});

test("a tab that closes while it waits never leads", async () => {
  const { open, names } = makeGroup();
  const first = open("feed");
  await expect.poll(names).toEqual(["feed"]);
  const waiting = open("thread");
  waiting.leave();
  first.leave();
  open("profile");
  await expect.poll(names).toEqual(["feed", "profile"]);
});
