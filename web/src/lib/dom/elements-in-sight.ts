import { lazy } from "@/lib/state/lazy";

/** Keeps track of which of some elements the reader sees, by the names they are observed under. */
export function createSightTracker() {
  const names = new Map<Element, string>();
  const inSight = new Set<Element>();
  const listeners = new Set<() => void>();
  const notify = () => listeners.forEach((listener) => listener());
  const observer = lazy(
    () =>
      new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
          if (isIntersecting && names.has(target)) inSight.add(target);
          else inSight.delete(target);
        }
        notify();
      }),
  );
  return {
    /** Observes an element until the returned function is called. */
    observe(element: Element, name: string): () => void {
      names.set(element, name);
      observer().observe(element);
      return () => {
        names.delete(element);
        inSight.delete(element);
        observer().unobserve(element);
        notify();
      };
    },
    /** Calls `listener` when an element comes into sight or leaves it, until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** The names in sight, and all others: those after them first. Both in the order of their observation. */
    getNames(): { visible: string[]; nearby: string[] } {
      const elements = [...names.keys()];
      const lastInSight = elements.findLastIndex((element) => inSight.has(element));
      const others = [
        ...elements.slice(lastInSight + 1),
        ...elements.slice(0, lastInSight + 1).toReversed(),
      ].filter((element) => !inSight.has(element));
      const getName = (element: Element) => names.get(element) ?? "";
      return {
        visible: elements.filter((element) => inSight.has(element)).map(getName),
        nearby: others.map(getName),
      };
    },
  };
}
