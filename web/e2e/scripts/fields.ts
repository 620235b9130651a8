/** How the server treats a text in a field. */
export type FieldUse =
  /** Saved, and shown unchanged. */
  | "shown"
  /** An email or a URL: other texts are rejected. */
  | "address"
  /** Never shown: rejected, or searched for without results. */
  | "answered";

/** Every field of the API that takes free text, as `METHOD path name`, and how the server treats it. */
export const fieldUses: Readonly<Record<string, FieldUse>> = {
  "POST /api/account/deletion username": "answered",
  "POST /api/account/email email": "address",
  "POST /api/account/email/code code": "answered",
  "GET /api/account/email/confirm token": "answered",
  "POST /api/account/email/confirm token": "answered",
  "GET /api/admin/members invitedBy": "answered",
  "GET /api/admin/members query": "answered",
  "PUT /api/admin/members/{userId}/invite-freeze message": "shown",
  "PUT /api/admin/members/{userId}/invite-freeze note": "shown",
  "PUT /api/admin/members/{userId}/invite-freeze rule": "shown",
  "PUT /api/admin/members/{userId}/invite-freeze until": "answered",
  "PUT /api/admin/members/{userId}/role note": "shown",
  "PUT /api/admin/members/{userId}/suspension message": "shown",
  "PUT /api/admin/members/{userId}/suspension note": "shown",
  "PUT /api/admin/members/{userId}/suspension rule": "shown",
  "PUT /api/admin/members/{userId}/suspension until": "answered",
  "POST /api/admin/objections/{id}/resolve answer": "shown",
  "PUT /api/admin/posts/{id}/removal message": "shown",
  "PUT /api/admin/posts/{id}/removal note": "shown",
  "PUT /api/admin/posts/{id}/removal rule": "shown",
  "POST /api/admin/reports/{id}/resolve message": "shown",
  "POST /api/admin/reports/{id}/resolve note": "shown",
  "POST /api/admin/reports/{id}/resolve rule": "shown",
  "POST /api/admin/reports/{id}/resolve until": "answered",
  "PUT /api/admin/settings contact": "address",
  "PUT /api/admin/settings description": "shown",
  "PUT /api/admin/settings headline": "shown",
  "PUT /api/admin/settings imprint": "shown",
  "PUT /api/admin/settings name": "shown",
  "PUT /api/admin/settings announcement": "shown",
  "PUT /api/admin/settings pinnedTopics[].category": "shown",
  "PUT /api/admin/settings pinnedTopics[].tag": "answered",
  "PUT /api/admin/settings privacy": "shown",
  "PUT /api/admin/settings rules": "shown",
  "PUT /api/admin/settings tagline": "shown",
  "PUT /api/admin/settings terms": "shown",
  "PUT /api/admin/settings/icon imageURL": "answered",
  "POST /api/auth/request-login-link email": "address",
  "POST /api/auth/request-magic-link email": "address",
  "POST /api/auth/request-magic-link inviteCode": "answered",
  "GET /api/auth/verify token": "answered",
  "GET /api/auth/verify invite": "answered",
  "POST /api/auth/verify email": "address",
  "POST /api/auth/verify token": "answered",
  "POST /api/auth/verify-code code": "answered",
  "POST /api/client-errors name": "answered",
  "POST /api/client-errors route": "answered",
  "POST /api/digest/unsubscribe token": "answered",
  "GET /api/hashtags/{tag}/posts tag": "answered",
  "PUT /api/header-images imageURL": "answered",
  "POST /api/moderation-notices/by-link token": "answered",
  // Without the token of a mail; with one, the text is shown like that of the endpoint with an id.
  "POST /api/moderation-notices/by-link/objection text": "answered",
  "POST /api/moderation-notices/by-link/objection token": "answered",
  "POST /api/moderation-notices/{id}/objection text": "shown",
  "PUT /api/notifications/quiet-hours timeZone": "answered",
  "PUT /api/objects/{id} signature": "answered",
  "POST /api/posts Idempotency-Key": "answered",
  "POST /api/posts content": "shown",
  "POST /api/posts imageAlts[]": "shown",
  "POST /api/posts imageUrls[]": "answered",
  "POST /api/posts pollOptions[]": "shown",
  "POST /api/posts replyToId": "answered",
  "POST /api/posts repostOfId": "answered",
  "POST /api/posts/{id}/vote option": "answered",
  "PUT /api/profile-images imageURL": "answered",
  "POST /api/reports note": "shown",
  "PUT /api/push/subscription auth": "answered",
  "PUT /api/push/subscription endpoint": "answered",
  "PUT /api/push/subscription p256dh": "answered",
  "PUT /api/users/profile bio": "shown",
  "PUT /api/users/profile displayName": "shown",
  "PUT /api/users/profile website": "answered",
  "GET /api/users/search q": "answered",
  "PUT /api/users/username username": "answered",
  "GET /api/users/username-available u": "answered",
  "GET /api/users/{username} username": "answered",
  "GET /api/users/{username}/followers cursor": "answered",
  "GET /api/users/{username}/followers username": "answered",
  "GET /api/users/{username}/following cursor": "answered",
  "GET /api/users/{username}/following username": "answered",
  "GET /api/users/{username}/posts cursor": "answered",
  "GET /api/users/{username}/posts username": "answered",
  "GET /api/site/pages/{page} page": "answered",
  "POST /api/waitlist email": "address",
  "POST /api/waitlist/vouches email": "address",
};

/** The parts of an OpenAPI document that are read here. */
export interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  pattern?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  allOf?: Schema[];
  anyOf?: Schema[];
}

/** The text fields of all requests, except enums and those whose pattern matches no payload. */
export function findFreeTextFields(description: Description, scripts: readonly string[]): string[] {
  const { paths, components } = description;

  function namesIn(name: string, schema: Schema): string[] {
    const reference = schema.$ref?.split("/").at(-1);
    // Ids consist of digits.
    if (reference === "Id") return [];
    const found = reference === undefined ? schema : (components.schemas[reference] ?? {});
    const parts = [...(found.oneOf ?? []), ...(found.allOf ?? []), ...(found.anyOf ?? [])];
    const inside = Object.entries(found.properties ?? {}).flatMap(([property, of]) =>
      namesIn(name === "" ? property : `${name}.${property}`, of),
    );
    const items = found.items ? namesIn(`${name}[]`, found.items) : [];
    return [
      ...parts.flatMap((part) => namesIn(name, part)),
      ...inside,
      ...items,
      ...(isFree(found) ? [name] : []),
    ];
  }

  function isFree({ type, enum: list, pattern }: Schema): boolean {
    if (![type].flat().includes("string") || list) return false;
    const form = pattern === undefined ? null : new RegExp(pattern, "u");
    return form === null || scripts.some((text) => form.test(text));
  }

  return Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content["application/json"]?.schema ?? {};
      const names = [
        ...parameters.flatMap(({ name, schema }) => namesIn(name, schema)),
        ...namesIn("", body),
      ];
      return names.map((name) => `${method.toUpperCase()} ${path} ${name}`);
    }),
  );
}
