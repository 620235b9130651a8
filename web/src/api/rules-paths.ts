/** The agreement to a version of the rules, until `schema.gen.ts` has it. */
export interface RulesPaths {
  "/api/rules/acceptance": {
    parameters: { query?: never; header?: never; path?: never; cookie?: never };
    get?: never;
    put?: never;
    post: {
      parameters: { query?: never; header?: never; path?: never; cookie?: never };
      requestBody: { content: { "application/json": { version: number } } };
      responses: { 204: { headers: Record<string, unknown>; content?: never } };
    };
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
