import { describe, expect, it } from "vitest";
import {
  addOption,
  editOption,
  type PollDraft,
  pollOptions,
  pollProblem,
  removeOption,
  togglePoll,
} from "./poll-draft";

describe("the poll editor", () => {
  // proves: composer-poll-two, composer-poll-forgets
  it("starts with two empty options and deletes them when switched off", () => {
    expect(togglePoll(null)).toEqual(["", ""]);
    expect(togglePoll(["tea", "coffee"])).toBeNull();
  });
  // proves: composer-poll-add
  it("grows to four options and no further", () => {
    let poll: PollDraft = togglePoll(null);
    for (let round = 0; round < 5; round += 1) poll = addOption(poll);
    expect(poll).toHaveLength(4);
    expect(addOption(null)).toBeNull();
  });
  // proves: composer-poll-remove
  it("removes options, and hides itself with the last one", () => {
    const one = removeOption(["tea", "coffee"], 0);
    expect(one).toEqual(["coffee"]);
    expect(removeOption(one, 0)).toBeNull();
  });
  it("edits one option", () => {
    expect(editOption(["a", "b"], 1, "c")).toEqual(["a", "c"]);
    expect(editOption(null, 0, "c")).toBeNull();
  });
});

describe("publishing a poll", () => {
  // proves: composer-poll-blank
  it("drops blank options", () => {
    expect(pollOptions([" tea ", "", "  ", "coffee"])).toEqual(["tea", "coffee"]);
    expect(pollOptions(null)).toEqual([]);
  });
  it.each([
    [null, null],
    [["", ""], null],
    [["tea", "coffee"], null],
    [["tea", ""], "A poll needs at least two options."],
    [["Tea", "tea "], "Each option must be different."],
    [["x".repeat(51), "b"], "An option can have at most 50 characters."],
    [["👍🏽".repeat(50), "b"], null],
  ])("%j: %j", (poll, problem) => {
    expect(pollProblem(poll)).toBe(problem);
  });
});
