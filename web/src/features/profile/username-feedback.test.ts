import { describe, expect, it } from "vitest";
import { getUsernameFeedback } from "./onboarding-card";

describe("the note under a username", () => {
  it("states the rule until the server was asked", () => {
    expect(getUsernameFeedback("", undefined).hint).toMatch(/3 to 20/);
    expect(getUsernameFeedback("ad", { available: false, message: null }).hint).toMatch(/3 to 20/);
    expect(getUsernameFeedback("ada", undefined)).not.toHaveProperty("error");
  });
  it("shows the server's message", () => {
    expect(getUsernameFeedback("ada", { available: true, message: null })).toEqual({
      hint: "@ada is available.",
    });
    const taken = { available: false, message: "This username is taken." };
    expect(getUsernameFeedback("ada", taken).error).toBe(taken.message);
    expect(getUsernameFeedback("ada", { available: false, message: null }).error).toBeDefined();
  });
});
