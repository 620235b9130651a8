import { expect, it } from "vitest";
import { beganBut, changedParts } from "./profile-change";

const began = { displayName: "Ada", bio: "First of all.", website: "https://ada.example/" };

// proves: edit-changed-only
it("only what was changed is sent", () => {
  expect(changedParts(began, began)).toEqual({});
  expect(changedParts(began, { ...began, website: "" })).toEqual({ website: "" });
  const typed = { ...began, displayName: "Ada L.", bio: "Second of all." };
  expect(changedParts(began, typed)).toEqual({ displayName: "Ada L.", bio: "Second of all." });
});

// proves: edit-changed-only
it("what was sent without an answer is sent again, also as it was before", () => {
  const known = beganBut(began, { bio: "Second of all." });
  expect(changedParts(known, began)).toEqual({ bio: "First of all." });
});
