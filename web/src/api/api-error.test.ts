import { describe, expect, it } from "vitest";
import { addTranslations, clearTranslations } from "@/lib/i18n/message";
import { messages } from "@/lib/i18n/locales/de/server.po";
import { formatDateTime } from "@/lib/time/format-date";
import { ApiError, hasStatus, getErrorMessage, getLoginErrorMessage } from "./api-error";

describe("ApiError", () => {
  // proves: error-message
  it("has status and body as its message, and the parsed parts", () => {
    const body = '{"message":"No invites left.","code":"no_invites","fields":{"email":"Odd."}}';
    const error = new ApiError(409, "Conflict", body);
    expect(error.message).toBe(`409: ${body}`);
    expect(error.serverMessage).toBe("No invites left.");
    expect(error.code).toBe("no_invites");
    expect(error.fieldErrors).toEqual({ email: "Odd." });
  });
  // proves: error-translated
  it("has the server's sentences in the active language, and unknown ones as they are", () => {
    addTranslations(messages);
    const body =
      '{"message":"Post not found","fields":{"email":"Please choose a role.","x":"Odd."}}';
    const error = new ApiError(404, "", body);
    clearTranslations(null);
    expect(error.serverMessage).toBe("Beitrag nicht gefunden");
    expect(error.fieldErrors).toEqual({ email: "Bitte wähle eine Rolle.", x: "Odd." });
  });
  // proves: suspended-mail-hint
  it("says where the reason for a suspension is, and nothing else about other errors", () => {
    const suspended = new ApiError(403, "", '{"message":"Suspended.","code":"suspended"}');
    expect(getLoginErrorMessage(suspended, "")).toBe(
      "Suspended. Our email about it says why, and how to object.",
    );
    const expired = new ApiError(410, "", '{"message":"Expired.","code":"link_expired"}');
    expect(getLoginErrorMessage(expired, "")).toBe("Expired.");
    expect(getLoginErrorMessage(null, "It failed.")).toBe("It failed.");
  });
  // proves: suspended-login
  it("shows the end of a suspension in the member's time zone", () => {
    const body =
      '{"message":"Your account is suspended.","code":"suspended","until":"2026-12-05T09:30:00.000Z"}';
    const end = formatDateTime("2026-12-05T09:30:00.000Z");
    expect(new ApiError(403, "", body).serverMessage).toBe(
      `Your account is suspended until ${end}, so you can't log in before then.`,
    );
  });
  it("survives a message that is no text", () => {
    expect(new ApiError(500, "", '{"message":5}').serverMessage).toBe(5);
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
  it("is distinguished from other errors by its status", () => {
    expect(hasStatus(new ApiError(401, "", ""), 401)).toBe(true);
    expect(hasStatus(new TypeError("offline"), 401)).toBe(false);
  });
});
