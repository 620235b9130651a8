import { expect, it } from "vitest";
import { omitFields, getDirtyFields } from "./dirty-fields";

const initial = { displayName: "Ada", bio: "First of all.", website: "https://ada.example/" };

// proves: edit-changed-only
it("only what was changed is sent", () => {
  expect(getDirtyFields(initial, initial)).toEqual({});
  expect(getDirtyFields(initial, { ...initial, website: "" })).toEqual({ website: "" });
  const typed = { ...initial, displayName: "Ada L.", bio: "Second of all." };
  expect(getDirtyFields(initial, typed)).toEqual({ displayName: "Ada L.", bio: "Second of all." });
});

// proves: edit-changed-only
it("what was sent without an answer is sent again, also as it was before", () => {
  const known = omitFields(initial, { bio: "Second of all." });
  expect(getDirtyFields(known, initial)).toEqual({ bio: "First of all." });
});
