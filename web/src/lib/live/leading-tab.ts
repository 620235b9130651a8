import { randomId } from "@/lib/text/random-id";

/** The task of the leading tab for all tabs. */
export interface Leadership {
  /** The interests of the tabs have changed. */
  update: () => void;
  /** Publishes all that is known again, for a tab that has just joined. */
  repeat: () => void;
  stop: () => void;
}

interface TabGroup<Interest, Event> {
  /** The tabs of one origin with this name are one group. */
  name: string;
  /** This tab's request to the leading tab; must be cloneable. */
  getInterest: () => Interest;
  /** Starts what one tab runs for all; `getInterests` has this tab's interest, too, the latest report first. */
  lead: (getInterests: () => Interest[], publish: (event: Event) => void) => Leadership;
  /** Called in every tab for what the leading one publishes. */
  onEvent: (event: Event) => void;
}

type Message<Interest, Event> =
  | { type: "interest"; tab: string; interest: Interest }
  | { type: "leave"; tab: string }
  | { type: "ask" }
  | { type: "event"; event: Event };

/**
 * Makes this page one of a group of tabs, of which one leads: the holder of a Web Lock. When it leaves or
 * crashes, another one follows. `report` passes this tab's interest on to the leading tab.
 */
export function joinTabs<Interest, Event>(group: TabGroup<Interest, Event>) {
  const { name, getInterest, lead, onEvent } = group;
  const tab = randomId();
  const channel = new BroadcastChannel(name);
  const controller = new AbortController();
  const { signal } = controller;
  const interests = new Map<string, Interest>();
  let leadership: Leadership | undefined;

  const post = (message: Message<Interest, Event>) =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
    signal.aborted || channel.postMessage(message);

  function record(from: string, interest: Interest) {
    // Taken out first, so that the latest report is the last entry.
    const isKnown = interests.delete(from);
    interests.set(from, interest);
    leadership?.update();
    if (!isKnown) leadership?.repeat();
  }

  function report() {
    const interest = getInterest();
    post({ type: "interest", tab, interest });
    record(tab, interest);
  }

  function publish(event: Event) {
    if (signal.aborted) return;
    post({ type: "event", event });
    onEvent(event);
  }

  channel.addEventListener("message", ({ data }) => {
    const message = data as Message<Interest, Event>;
    if (signal.aborted) return;
    if (message.type === "event") onEvent(message.event);
    if (message.type === "ask") report();
    if (message.type === "interest") record(message.tab, message.interest);
    if (message.type === "leave") interests.delete(message.tab);
  });

  function startLeading() {
    report();
    leadership = lead(() => [...interests.values()].toReversed(), publish);
    post({ type: "ask" });
  }

  void holdLock(name, signal, startLeading);
  report();

  return {
    report,
    leave() {
      if (signal.aborted) return;
      post({ type: "leave", tab });
      leadership?.stop();
      controller.abort();
      channel.close();
    },
  };
}

/** Calls `onHeld` once this page has the lock, which it keeps until `signal` aborts. */
async function holdLock(name: string, signal: AbortSignal, onHeld: () => void): Promise<void> {
  // Pages that are not served securely have no locks: there each tab leads itself.
  const locks = (navigator as { locks?: LockManager }).locks;
  if (!locks) return onHeld();
  const isAborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  await locks
    .request(name, { signal }, () => {
      if (signal.aborted) return undefined;
      onHeld();
      return isAborted;
    })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
}
