/** Code of the app that is fetched on its own, at the latest when it is first shown. */
export interface Code<Module> {
  /** Fetches it; the browser does so once, but again after a failure. */
  load: () => Promise<Module>;
  /** The code, if it is here. */
  here: () => Module | undefined;
}

/** Code that `start` imports. */
export function codeOf<Module>(start: () => Promise<Module>): Code<Module> {
  let module: Module | undefined;
  return { load: async () => (module = await start()), here: () => module };
}
