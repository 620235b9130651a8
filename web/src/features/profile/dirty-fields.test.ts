import { expect, it } from "vitest";
import { omitFields, getDirtyFields } from "./dirty-fields";

const initial = { displayName: "Ada", bio: "First of all.", website: "https://ada.example/" };

// proves: edit-changed-only
it("only changed fields are sent", () => {
  expect(getDirtyFields(initial, initial)).toEqual({});
  expect(getDirtyFields(initial, { ...initial, website: "" })).toEqual({ website: "" });
  const typed = { ...initial, displayName: "Ada L.", bio: "Second of all." };
  expect(getDirtyFields(initial, typed)).toEqual({ displayName: "Ada L.", bio: "Second of all." });
});

// proves: edit-changed-only
it("fields sent without a response are sent again, even with their former values", () => {
  const known = omitFields(initial, { bio: "Second of all." });
  expect(getDirtyFields(known, initial)).toEqual({ bio: "First of all." });
});
