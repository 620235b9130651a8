import { type ComponentType, lazy, type ReactNode, Suspense, useState } from "react";

/** Code of the app that is fetched on its own, at the latest when it is first shown. */
export interface LazyModule<Module> {
  /** Fetches it; the browser does so once, but again after a failure. */
  load: () => Promise<Module>;
  /** The code, if it is here. */
  loaded: () => Module | undefined;
}

/** Code that `start` imports. */
export function lazyModule<Module>(importModule: () => Promise<Module>): LazyModule<Module> {
  let module: Module | undefined;
  return { load: async () => (module = await importModule()), loaded: () => module };
}

/** A component whose code is fetched when it is first shown; `Failed` is in its place if it can't be. */
export function lazyComponent<Props extends object>(
  { load, loaded }: LazyModule<{ default: ComponentType<Props> }>,
  Failed: ComponentType<Props>,
) {
  const createLazy = () =>
    lazy<ComponentType<Props>>(() => load().catch(() => ({ default: Failed })));
  return function LazyComponent({ props, fallback }: { props: Props; fallback: ReactNode }) {
    // React would show the fallback even for code that is here, and keep it for 300 ms.
    const [Content] = useState(() => loaded()?.default ?? createLazy());
    return (
      <Suspense fallback={fallback}>
        <Content {...props} />
      </Suspense>
    );
  };
}
