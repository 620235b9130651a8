import { type PointerEvent, type RefObject, useEffect, useRef } from "react";

interface Point {
  x: number;
  y: number;
}

interface Moves {
  /** By parts of the element's width and height. */
  onPan: (right: number, down: number) => void;
  /** How many times closer, and around which point of the element (0 to 1). */
  onZoom: (factor: number, at: Point) => void;
}

/** Pixels of a wheel that make something twice as large. */
const WHEEL = 400;

/** Lets pointers drag what is in an element, and two fingers or the wheel zoom it. */
export function usePanZoom(
  element: RefObject<HTMLElement | null>,
  disabled: boolean,
  moves: Moves,
) {
  const latest = useRef(moves);
  const pointers = useRef(new Map<number, Point>());
  useEffect(() => {
    latest.current = moves;
  });

  useEffect(() => {
    const target = element.current;
    if (!target || disabled) return;
    const onWheel = (event: WheelEvent) => {
      // React listens passively, and the page would scroll.
      event.preventDefault();
      const at = placeIn(target, event.clientX, event.clientY);
      latest.current.onZoom(2 ** (-event.deltaY / WHEEL), at);
    };
    target.addEventListener("wheel", onWheel, { passive: false });
    return () => target.removeEventListener("wheel", onWheel);
  }, [element, disabled]);

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const before = pointers.current.get(event.pointerId);
    if (!before || disabled) return;
    const frame = event.currentTarget;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    // Of two fingers each moves the middle by half.
    const share = other ? 2 : 1;
    latest.current.onPan(
      (now.x - before.x) / frame.clientWidth / share,
      (now.y - before.y) / frame.clientHeight / share,
    );
    if (!other) return;
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    const at = placeIn(frame, (now.x + other.x) / 2, (now.y + other.y) / 2);
    latest.current.onZoom(factor, at);
  }

  const forget = (event: PointerEvent) => void pointers.current.delete(event.pointerId);
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (disabled || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
    },
    onPointerMove,
    onPointerUp: forget,
    onPointerCancel: forget,
  };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

function placeIn(element: HTMLElement, x: number, y: number): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: (x - left) / width, y: (y - top) / height };
}
