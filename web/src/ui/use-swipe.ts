import { type PointerEvent, useRef, useState } from "react";

/** A swipe of this many pixels counts. */
const THRESHOLD = 56;

type Direction = "onLeft" | "onRight" | "onDown";

/** Detects swipes of a pointer on an element, and calls the handler of the direction. */
export function useSwipe({ onLeft, onRight, onDown }: Record<Direction, () => void>) {
  const start = useRef<{ id: number; x: number; y: number } | null>(null);
  const [offset, setOffset] = useState({ x: 0, y: 0 });

  function end(event: PointerEvent, counts: boolean) {
    if (start.current?.id !== event.pointerId) return;
    const x = event.clientX - start.current.x;
    const y = event.clientY - start.current.y;
    start.current = null;
    setOffset({ x: 0, y: 0 });
    if (!counts) return;
    if (Math.abs(x) > Math.abs(y)) {
      if (x < -THRESHOLD) onLeft();
      if (x > THRESHOLD) onRight();
    } else if (y > THRESHOLD * 2) onDown();
  }

  return {
    offset,
    handlers: {
      onPointerDown(event: PointerEvent) {
        // Two fingers zoom, and one moves what is zoomed.
        const zoomed = (visualViewport?.scale ?? 1) > 1.05;
        if (event.pointerType === "mouse" || !event.isPrimary || zoomed) return;
        start.current = { id: event.pointerId, x: event.clientX, y: event.clientY };
      },
      onPointerMove(event: PointerEvent) {
        if (start.current?.id !== event.pointerId) return;
        const { x, y } = start.current;
        setOffset({ x: event.clientX - x, y: Math.max(0, event.clientY - y) });
      },
      onPointerUp: (event: PointerEvent) => end(event, true),
      onPointerCancel: (event: PointerEvent) => end(event, false),
    },
  };
}
