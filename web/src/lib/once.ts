/** What is made when it is first needed, for what costs a slow phone milliseconds to make. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
