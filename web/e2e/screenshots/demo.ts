import type { Scene } from "./scene";

/** Scenes of the community of `kith demo`, with its founder as the viewer. */
export const demo: Scene[] = [
  { name: "demo-home", as: "demo", path: "/", shows: "Friends" },
  { name: "demo-for-you", as: "demo", path: "/?tab=for-you", shows: /Followed by|You follow/ },
  { name: "demo-whole", as: "demo", path: "/?tab=for-you", shows: "Load more posts", whole: true },
  { name: "demo-profile", as: "demo", path: "/profile/mara", shows: "Mara Lindqvist" },
  {
    name: "demo-thread",
    as: "demo",
    path: "/?tab=for-you",
    prepare: async (page) => {
      const replies = page.getByRole("button", { name: /^Reply.*[1-9]/ });
      const card = page.getByRole("article").filter({ has: replies }).first();
      await card.locator("time").click();
      await page.waitForURL("**/post/*");
    },
    shows: "Thread",
  },
  { name: "demo-discover", as: "demo", path: "/discover", shows: "Who to follow" },
  { name: "demo-notifications", as: "demo", path: "/notifications", shows: /liked your post/ },
  { name: "demo-invites", as: "demo", path: "/invites", shows: "Claimed" },
];
