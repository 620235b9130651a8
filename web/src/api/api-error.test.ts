import { describe, expect, it } from "vitest";
import { ApiError, hasStatus, getErrorMessage } from "./api-error";

describe("ApiError", () => {
  // proves: error-message
  it("says status and body, and keeps the parsed parts", () => {
    const body = '{"message":"No invites left.","code":"no_invites","fields":{"email":"Odd."}}';
    const error = new ApiError(409, "Conflict", body);
    expect(error.message).toBe(`409: ${body}`);
    expect(error.serverMessage).toBe("No invites left.");
    expect(error.code).toBe("no_invites");
    expect(error.fieldErrors).toEqual({ email: "Odd." });
  });
  // proves: error-message
  it("falls back to the status text for an empty body", () => {
    expect(new ApiError(502, "Bad Gateway", "").message).toBe("502: Bad Gateway");
  });
  it.each(["<html>", "null", '"text"', "[1"])("survives the body %j", (body) => {
    const error = new ApiError(500, "Oops", body);
    expect(error.message).toBe(`500: ${body}`);
    expect(getErrorMessage(error, "fallback")).toBe("fallback");
  });
  it("is told apart from other errors by its status", () => {
    expect(hasStatus(new ApiError(401, "", ""), 401)).toBe(true);
    expect(hasStatus(new TypeError("offline"), 401)).toBe(false);
  });
});
