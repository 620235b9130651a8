/** Code of the app that is fetched on its own, at the latest when it is first shown. */
export interface Code<Module> {
  /** Fetches it, once; after a failure anew. */
  load: () => Promise<Module>;
  /** The code, if it is here. */
  here: () => Module | undefined;
}

/** Code that `start` fetches. */
export function codeOf<Module>(start: () => Promise<Module>): Code<Module> {
  let module: Module | undefined;
  let coming: Promise<Module> | undefined;
  const load = async () => {
    try {
      coming ??= start();
      module = await coming;
      return module;
    } catch (error) {
      coming = undefined;
      throw error;
    }
  };
  return { load, here: () => module };
}
