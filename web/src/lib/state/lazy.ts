/** What is made when it is first needed, for what costs a slow phone milliseconds to make. */
export function lazy<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}
