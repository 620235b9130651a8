/** Caches in memory, for `vi.stubGlobal("caches", …)`, with the methods that `shares.ts` uses. */
export function createFakeCaches() {
  const opened = new Map<string, Map<string, Response>>();
  const open = (name: string) => {
    const entries = opened.get(name) ?? new Map<string, Response>();
    opened.set(name, entries);
    return Promise.resolve({
      keys: async () => [...entries.keys()],
      match: async (key: string) => entries.get(key)?.clone(),
      put: async (key: string, response: Response) => void entries.set(key, response),
      delete: async (key: string) => entries.delete(key),
    });
  };
  return {
    open,
    has: async (name: string) => opened.has(name),
    delete: async (name: string) => opened.delete(name),
  };
}
