/** A value that is created on first use, because that takes slow phones milliseconds. */
export function lazy<T>(create: () => T): () => T {
  let created: { value: T } | undefined;
  return () => (created ??= { value: create() }).value;
}
