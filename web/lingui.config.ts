import { extractor as babelExtractor } from "@lingui/cli/api";
import { formatter } from "@lingui/format-po";
import type { LinguiConfig } from "@lingui/conf";
import { serverTextExtractor } from "./tools/server-texts.ts";

const src = "<rootDir>/src";
const runtime = ["@/lib/i18n/runtime"] as const;

/** The code that pages of visitors may run, beside that of members. */
const shared = [
  `${src}/{api,app,components,lib,ui}/**`,
  `${src}/features/{auth,waitlist}/**`,
  `${src}/screens/{landing,verify-login,confirm-email-change,legal-page,imprint,legal-layout,privacy,rules,terms}.tsx`,
];

const tests = ["**/*.test.ts", "**/*.test.tsx"];
const openApi = `${src}/api/openapi.json`;

export default {
  sourceLocale: "en",
  locales: ["de"],
  catalogs: [
    {
      path: `${src}/lib/i18n/locales/{locale}/shared`,
      include: shared,
      exclude: [...tests, openApi],
    },
    {
      path: `${src}/lib/i18n/locales/{locale}/member`,
      include: [`${src}/features`, `${src}/screens`],
      exclude: [...shared, ...tests],
    },
    {
      path: `${src}/lib/i18n/locales/{locale}/server`,
      include: [openApi],
    },
  ],
  extractors: [babelExtractor, serverTextExtractor],
  format: formatter({ lineNumbers: false }),
  orderBy: "message",
  runtimeConfigModule: {
    i18n: [...runtime, "i18n"],
    Trans: [...runtime, "Trans"],
    useLingui: [...runtime, "i18n"],
  },
} satisfies LinguiConfig;
