import type {
  AdminUser,
  ModerationNotice,
  Objection,
  RemovedPost,
  SentReport,
  User,
  UserSummary,
} from "@/api/types";
import { hoursAgo, nextId, toSummary } from "./records";

const DAY = 24;

/** Converts a member of the mocked network into a row of moderators' lists. */
export function toAdminUser(user: User): AdminUser {
  const { createdAt, invitedBy, suspendedAt } = user;
  const admin = {
    role: "member",
    createdAt,
    invitedBy,
    suspendedAt,
    invitesFrozenAt: null,
    suspendedUntil: null,
    invitesFrozenUntil: null,
  } as const;
  return { ...toSummary(user), ...admin };
}

/** A post that was removed two days ago. */
export function makeNotice(values: Partial<ModerationNotice> = {}): ModerationNotice {
  return {
    id: nextId(),
    type: "post_removed",
    rule: "2. No advertising, also not in replies.",
    message: "Please don't offer things for sale here. The notice board is the place for that.",
    createdAt: hoursAgo(2 * DAY),
    endsAt: null,
    liftedAt: null,
    post: { id: nextId(), content: "Sourdough starters, 5 each. Write to me!" },
    objection: null,
    ...values,
  };
}

/** An objection without a decision. */
export const makeObjection = (
  values: Partial<NonNullable<ModerationNotice["objection"]>> = {},
): NonNullable<ModerationNotice["objection"]> => ({
  text: "I gave them away for free. The 5 was the number of starters.",
  createdAt: hoursAgo(3),
  outcome: null,
  answer: "",
  decidedAt: null,
  ...values,
});

/** A suspension that began two hours ago and lasts a week. */
export const makeSuspensionNotice = (): ModerationNotice =>
  makeNotice({
    type: "suspended",
    rule: "1. Be kind. No insults and no threats.",
    message: "You have insulted three people since we last wrote to you.",
    createdAt: hoursAgo(2),
    endsAt: hoursAgo(-7 * DAY),
    post: null,
  });

/** Notices of each type and state, newest first. */
export const makeNotices = (): ModerationNotice[] => [
  makeNotice(),
  makeNotice({
    type: "invites_frozen",
    rule: "",
    message: "Several people who joined with your codes sent spam.",
    createdAt: hoursAgo(4 * DAY),
    endsAt: hoursAgo(-10 * DAY),
    post: null,
    objection: makeObjection({ text: "I only know one of them." }),
  }),
  makeNotice({
    message: "",
    createdAt: hoursAgo(40 * DAY),
    post: { id: nextId(), content: null },
    objection: makeObjection({
      outcome: "rejected",
      answer: "It was the third time this week.",
      decidedAt: hoursAgo(38 * DAY),
    }),
  }),
  makeNotice({
    type: "suspended",
    rule: "",
    message: "",
    createdAt: hoursAgo(60 * DAY),
    endsAt: hoursAgo(53 * DAY),
    liftedAt: hoursAgo(53 * DAY),
    post: null,
  }),
];

/** Reports of the viewer, one of each outcome. */
export function makeSentReports(post: UserSummary, member: UserSummary): SentReport[] {
  const report = (values: Partial<SentReport>): SentReport => ({
    id: nextId(),
    kind: "post",
    username: post.username,
    reason: "spam",
    note: "",
    createdAt: hoursAgo(5),
    postId: null,
    userId: null,
    outcome: null,
    resolvedAt: null,
    ...values,
  });
  const resolvedAt = hoursAgo(DAY);
  return [
    report({ note: "The tenth one today" }),
    report({
      kind: "member",
      username: member.username,
      reason: "impersonation",
      createdAt: hoursAgo(2 * DAY),
      outcome: "action_taken",
      resolvedAt,
    }),
    report({
      username: null,
      reason: "harassment",
      createdAt: hoursAgo(3 * DAY),
      outcome: "no_action",
      resolvedAt,
    }),
  ];
}

/** An objection of a member to each type of decision. */
export function makeObjections(user: User, moderator: UserSummary): Objection[] {
  const member = toAdminUser(user);
  const by = toSummary(moderator);
  const notices = [
    makeNotice({ objection: makeObjection() }),
    makeNotice({
      type: "suspended",
      rule: "1. Be kind.",
      message: "",
      endsAt: hoursAgo(-5 * DAY),
      post: null,
      objection: makeObjection({ text: "We are old friends and talk like this." }),
    }),
    makeNotice({
      type: "invites_frozen",
      rule: "",
      message: "Several people who joined with your codes sent spam.",
      post: null,
      objection: makeObjection({ text: "I only know one of them." }),
    }),
  ];
  return notices.map((notice, index) => ({
    id: notice.id,
    notice,
    member,
    by: index === 2 ? null : by,
  }));
}

/** Posts of a member that can be restored. */
export function makeRemovedPosts(user: User): RemovedPost[] {
  const author = toAdminUser(user);
  const times = { removedAt: hoursAgo(2 * DAY), restorableUntil: hoursAgo(-28 * DAY) };
  const post = { author, ...times };
  return [
    { id: nextId(), content: "Sourdough starters, 5 each. Write to me!", imageUrls: [], ...post },
    { id: nextId(), content: "", imageUrls: ["/favicon.svg", "/icon-192.png"], ...post },
  ];
}
