import { startAnew } from "@/api/session";
import { isMemberGone, MEMBER } from "@/lib/member-hint";

/** Keeps a tab from showing a member who logged out in another one. */
export function followMember(): void {
  addEventListener("storage", ({ key }) => {
    if (key === MEMBER || key === null) check();
  });
  // Whoever slept has heard of nothing.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) check();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) check();
  });
}

function check(): void {
  if (isMemberGone()) startAnew();
}
