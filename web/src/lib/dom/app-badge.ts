/** Shows a number on the icon of the installed app, where the system can; none for 0. */
export function setAppBadge(count: number): void {
  // Without an installed app browsers lack it or reject it.
  void navigator.setAppBadge?.(count).catch(() => undefined);
}
