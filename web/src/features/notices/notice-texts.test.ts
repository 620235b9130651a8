import { describe, expect, it } from "vitest";
import { formatDate, formatDateTime } from "@/lib/time/format-date";
import { makeNotice, makeObjection, makeSuspensionNotice } from "@/test/mock-api/notice-records";
import { describeNoticeEnd, describeObjection } from "./notice-texts";

const END = "2026-12-05T09:30:00.000Z";
const BEFORE = "2026-12-01T09:30:00.000Z";

const suspension = (endsAt: string | null, liftedAt: string | null = null) =>
  describeNoticeEnd({ ...makeSuspensionNotice(), endsAt, liftedAt });

describe("the end of a decision", () => {
  // proves: notices-list
  it("of a suspension is its date, that it was reached, or that it was lifted before", () => {
    expect(suspension(END)).toBe(`Until ${formatDateTime(END)}`);
    expect(suspension(null)).toBe("Until the moderators lift it");
    expect(suspension(END, END)).toBe(`Ended on ${formatDate(END)}`);
    expect(suspension(END, BEFORE)).toBe(`Lifted on ${formatDate(BEFORE)}`);
    expect(suspension(null, BEFORE)).toBe(`Lifted on ${formatDate(BEFORE)}`);
  });
  // proves: notices-list
  it("of a removal is that the post was restored", () => {
    expect(describeNoticeEnd(makeNotice())).toBe("Only moderators can see it");
    expect(describeNoticeEnd(makeNotice({ liftedAt: END }))).toBe(`Restored on ${formatDate(END)}`);
    expect(describeNoticeEnd(makeNotice({ post: { id: "1", content: null } }))).toBeNull();
  });
});

describe("the state of an objection", () => {
  // proves: notices-objection-state
  it("is that it is reviewed, accepted or rejected", () => {
    expect(describeObjection(makeObjection())).toContain("is being reviewed");
    expect(describeObjection(makeObjection({ outcome: "accepted" }))).toContain("was accepted");
    expect(describeObjection(makeObjection({ outcome: "rejected" }))).toContain("was rejected");
  });
});
