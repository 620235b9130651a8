import type { paths } from "./schema.gen";

type PageQuery = "limit" | "offset" | "cursor";

type Get<Path extends keyof paths> = paths[Path] extends { get: infer Operation }
  ? Operation
  : never;

type QueryParams<Path extends keyof paths> =
  Get<Path> extends { parameters: { query?: infer Query } } ? NonNullable<Query> : never;

/** A row of the list that an endpoint returns. */
export type ListRow<Path extends keyof paths> =
  Get<Path> extends { responses: { 200: { content: { "application/json": (infer Row)[] } } } }
    ? Row
    : never;

/** The paths of endpoints that return a list of rows in pages. */
export type ListPath<Row extends { id: string } = { id: string }> = {
  [Path in keyof paths]: "cursor" extends keyof QueryParams<Path>
    ? ListRow<Path> extends Row
      ? Path
      : never
    : never;
}[keyof paths];

/** The parameters of a list's endpoint, without those of its pages. */
export type ListParams<Path extends keyof paths> = {
  query?: Omit<QueryParams<Path>, PageQuery>;
} & (Get<Path> extends { parameters: { path: infer PathParams } }
  ? { path: PathParams }
  : { path?: undefined });
