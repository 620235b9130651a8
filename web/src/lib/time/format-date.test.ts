import { describe, expect, it } from "vitest";
import {
  formatDateTime,
  formatMonthYear,
  formatRelative,
  formatRelativeShort,
} from "./format-date";

const now = Date.parse("2026-11-21T12:00:00.000Z");

describe("shortAge", () => {
  // proves: card-age
  it.each([
    [undefined, "just now"],
    [null, "just now"],
    ["not a date", "just now"],
    ["2026-11-21T11:59:30.000Z", "just now"],
    ["2026-11-21T12:00:05.000Z", "just now"],
    ["2026-11-21T11:59:00.000Z", "1m"],
    ["2026-11-21T09:30:00.000Z", "2h"],
    ["2026-11-18T12:00:00.000Z", "3d"],
    ["2026-11-14T11:00:00.000Z", "Nov 14"],
    ["2024-02-03T12:00:00.000Z", "Feb 3, 2024"],
  ])("%s is %s", (iso, text) => {
    expect(formatRelativeShort(iso, now)).toBe(text);
  });
});

describe("relativeTime", () => {
  it.each([
    ["2026-11-22T12:00:00.000Z", "in 1 day"],
    ["2026-11-22T11:59:50.000Z", "in 1 day"],
    ["2026-11-21T12:59:50.000Z", "in 1 hour"],
    ["2026-11-21T12:58:50.000Z", "in 59 minutes"],
    ["2026-11-21T17:10:00.000Z", "in 5 hours"],
    ["2026-11-21T12:00:20.000Z", "in less than a minute"],
    ["2026-11-21T11:59:50.000Z", "just now"],
    ["2026-11-19T12:00:00.000Z", "2 days ago"],
  ])("%s is %s", (iso, text) => {
    expect(formatRelative(iso, now)).toBe(text);
  });
});

describe("absolute times", () => {
  it("are empty for a missing or malformed time", () => {
    expect(formatDateTime(undefined)).toBe("");
    expect(formatMonthYear("soon")).toBe("");
  });
  it("are written as the platform would", () => {
    const format = new Intl.DateTimeFormat("en", { dateStyle: "full", timeStyle: "short" });
    for (let hours = 0; hours < 24 * 400; hours += 5) {
      const time = now + hours * 3_599_000;
      const platform = format.format(time).replace("\u202f", " ");
      expect(formatDateTime(new Date(time).toISOString())).toBe(platform);
    }
  });
  // proves: profile-joined
  it("name the month of joining", () => {
    expect(formatMonthYear("2026-11-15T12:00:00.000Z")).toBe("November 2026");
  });
});
