import { describe, expect, it } from "vitest";
import { usernameNote } from "./welcome-card";

describe("the note under a username", () => {
  it("states the rule until the server was asked", () => {
    expect(usernameNote("", undefined).hint).toMatch(/3 to 20/);
    expect(usernameNote("ad", { available: false, message: null }).hint).toMatch(/3 to 20/);
    expect(usernameNote("ada", undefined)).not.toHaveProperty("error");
  });
  it("says what the server said", () => {
    expect(usernameNote("ada", { available: true, message: null })).toEqual({
      hint: "@ada is available.",
    });
    const taken = { available: false, message: "This username is taken." };
    expect(usernameNote("ada", taken).error).toBe(taken.message);
    expect(usernameNote("ada", { available: false, message: null }).error).toBeDefined();
  });
});
