import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Maximum size of the scripts that a page loads initially. */
export interface Budget {
  page: string;
  /** Suffixes of the paths of the modules that the page starts with. */
  starts: readonly string[];
  /** In bytes, compressed by gzip. */
  maxBytes: number;
}

/** A script of the build. */
export interface Script {
  fileName: string;
  /** Paths of the modules in the script. */
  moduleIds: readonly string[];
  /** File names of the scripts that it imports statically. */
  imports: readonly string[];
  code: string;
}

/** Finds the scripts that a page loads: those with its first modules, and all that they import. */
export function scriptsOf(scripts: readonly Script[], starts: readonly string[]): Set<Script> {
  const found = new Set<Script>();
  const visit = (script: Script | undefined) => {
    if (!script || found.has(script)) return;
    found.add(script);
    for (const name of script.imports) visit(scripts.find((other) => other.fileName === name));
  };
  for (const start of starts) {
    const script = scripts.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(start)));
    if (!script) throw new Error(`No script of the build contains ${start}.`);
    visit(script);
  }
  return found;
}

/** Sums the bytes of scripts, each compressed by gzip at its default level. */
export function sumCompressedSizes(scripts: Iterable<Script>): number {
  let sum = 0;
  for (const { code } of scripts) sum += gzipSync(code).length;
  return sum;
}

/** Prints the size of each page's initial scripts, and fails the build if one exceeds its budget. */
export function sizeBudget(budgets: readonly Budget[]): Plugin {
  return {
    name: "size-budget",
    apply: "build",
    writeBundle(_, bundle) {
      const scripts = Object.values(bundle).filter((file) => file.type === "chunk");
      const over: string[] = [];
      for (const { page, starts, maxBytes } of budgets) {
        const size = sumCompressedSizes(scriptsOf(scripts, starts));
        const sentence = `${page} loads ${kilobytes(size)} of script by gzip, of ${kilobytes(maxBytes)}`;
        this.info(sentence);
        if (size > maxBytes) over.push(sentence);
      }
      if (over.length > 0) this.error(`Too much script: ${over.join("; ")}`);
    },
  };
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
