import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";

/** Files that compress well; images and fonts are compressed already. */
const compressible = /\.(?:html|js|css|svg|json|webmanifest|txt|map)$/;
/** Below this many bytes a response fits one packet either way. */
const SMALLEST = 1024;

/** Writes `.br` beside each built file that it makes smaller, so that the server never compresses one. */
export function brotliTwins(): Plugin {
  let folder = "";
  return {
    name: "brotli-twins",
    apply: "build",
    configResolved(config) {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: {
      order: "post",
      handler() {
        for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
          if (!compressible.test(name)) continue;
          const plain = readFileSync(join(folder, name));
          const compressed = brotliCompressSync(plain);
          if (plain.length < SMALLEST || compressed.length >= plain.length) continue;
          writeFileSync(join(folder, `${name}.br`), compressed);
        }
      },
    },
  };
}
