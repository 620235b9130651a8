const MOST = 99;

/** A count where there is little room: "99+" stands for all above. */
export function countLabel(count: number): string {
  return count > MOST ? `${MOST}+` : String(count);
}
