/** A promise that a test resolves, to hold a response back until then. */
export function createDeferred() {
  const deferred: { promise?: Promise<void>; resolve?: () => void } = {};
  deferred.promise = new Promise((resolve) => (deferred.resolve = resolve));
  return deferred as Required<typeof deferred>;
}
