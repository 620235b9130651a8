/** Media queries for the layouts of a member's pages, as `md:` and `xl:` in the styles. */
export const layouts = {
  /** A left column instead of the bars above and below. */
  columns: "(min-width: 43.75rem)",
  /** A right column beside the feed. */
  rail: "(min-width: 64rem)",
  /** Words beside the icons of the left column. */
  labels: "(min-width: 80rem)",
} as const;
