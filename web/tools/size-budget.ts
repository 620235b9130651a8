import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** How much script a page may load at first. */
export interface Budget {
  page: string;
  /** The modules whose code the page starts with, as the ends of their paths. */
  starts: readonly string[];
  /** In bytes, compressed by gzip. */
  most: number;
}

/** A script of the build, as far as it matters here. */
export interface Script {
  fileName: string;
  /** The modules inside, by their paths. */
  moduleIds: readonly string[];
  /** The scripts it cannot do without, by their file names. */
  imports: readonly string[];
  code: string;
}

/** The scripts that a page loads: those with its first modules, and all that they import. */
export function scriptsOf(scripts: readonly Script[], starts: readonly string[]): Set<Script> {
  const found = new Set<Script>();
  const visit = (script: Script | undefined) => {
    if (!script || found.has(script)) return;
    found.add(script);
    for (const name of script.imports) visit(scripts.find((other) => other.fileName === name));
  };
  for (const start of starts) {
    const script = scripts.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(start)));
    if (!script) throw new Error(`No script of the build holds ${start}.`);
    visit(script);
  }
  return found;
}

/** The sum of scripts in bytes, each compressed by gzip at its usual level. */
export function weigh(scripts: Iterable<Script>): number {
  let sum = 0;
  for (const { code } of scripts) sum += gzipSync(code).length;
  return sum;
}

/** Prints what each page loads at first, and fails the build when it is more than the page may. */
export function sizeBudget(budgets: readonly Budget[]): Plugin {
  return {
    name: "size-budget",
    apply: "build",
    writeBundle(_, bundle) {
      const scripts = Object.values(bundle).filter((file) => file.type === "chunk");
      const over: string[] = [];
      for (const { page, starts, most } of budgets) {
        const size = weigh(scriptsOf(scripts, starts));
        const sentence = `${page} loads ${kilobytes(size)} of script by gzip, of ${kilobytes(most)}`;
        this.info(sentence);
        if (size > most) over.push(sentence);
      }
      if (over.length > 0) this.error(`Too much script: ${over.join("; ")}`);
    },
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
