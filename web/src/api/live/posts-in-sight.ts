import { createSightTracker } from "@/lib/dom/elements-in-sight";

/** The posts on screen, whose counts are kept up to date. */
export const postsInSight = createSightTracker();
