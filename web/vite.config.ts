import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      "@": source("./src"),
      // The dialog primitives lock scrolling by injecting a <style> element, which the
      // content security policy refuses. Our replacement goes through the CSSOM instead.
      "react-remove-scroll": source("./src/ui/scroll-lock.tsx"),
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
  build: {
    // The policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2022",
  },
  test: { include: ["src/**/*.test.ts"], environment: "node" },
});
