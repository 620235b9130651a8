/**
 * Whether the page expects a member: it then shows the bars of one until the app is there. `start.js`
 * guesses it; the guess ends once the server has said who is logged in.
 */
export function isAuthenticatedShellShown(): boolean {
  return document.documentElement.dataset["first"] !== undefined;
}

/** Shows the first screen of a member, or of a visitor. */
export function showInitialShell(isMember: boolean): void {
  const { dataset } = document.documentElement;
  if (isMember) dataset["first"] = location.pathname === "/" ? "home" : "member";
  else delete dataset["first"];
}
