import { expect, it } from "vitest";
import { withoutParts, changedParts } from "./profile-change";

const initial = { displayName: "Ada", bio: "First of all.", website: "https://ada.example/" };

// proves: edit-changed-only
it("only what was changed is sent", () => {
  expect(changedParts(initial, initial)).toEqual({});
  expect(changedParts(initial, { ...initial, website: "" })).toEqual({ website: "" });
  const typed = { ...initial, displayName: "Ada L.", bio: "Second of all." };
  expect(changedParts(initial, typed)).toEqual({ displayName: "Ada L.", bio: "Second of all." });
});

// proves: edit-changed-only
it("what was sent without an answer is sent again, also as it was before", () => {
  const known = withoutParts(initial, { bio: "Second of all." });
  expect(changedParts(known, initial)).toEqual({ bio: "First of all." });
});
