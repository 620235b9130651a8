import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { User } from "@/api/types";
import { ProfileHeader } from "./profile-header";

beforeEach(() => {
  vi.stubGlobal("location", { pathname: "/profile/ada", search: "" });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

// proves: profile-website-whole
it("a website breaks where it is too long, and is never cut", () => {
  const host = `accounts.kith.example.${"long.".repeat(20)}terms.example`;
  const user: User = {
    id: "7",
    username: "ada",
    displayName: "Ada",
    bio: "",
    website: `https://${host}/`,
    profileImageUrl: null,
    headerImageUrl: null,
    createdAt: "2026-03-01T00:00:00Z",
    followerCount: 0,
    followingCount: 0,
    postCount: 0,
    followsYou: false,
    isFollowing: false,
    invitedBy: null,
    suspendedAt: null,
    isMuted: false,
    isBlocked: false,
    blocksMe: false,
  };
  const header = createElement(ProfileHeader, { user, action: null, isOwn: false });
  const page = renderToStaticMarkup(header);
  const link = page.match(/<a href="https:[^>]*>[^<]*/)?.[0];
  expect(link).toContain(`>${host}`);
  expect(link).toContain("wrap-anywhere");
  expect(link).not.toMatch(/truncate|line-clamp|text-ellipsis|overflow-hidden|whitespace-nowrap/);
});
