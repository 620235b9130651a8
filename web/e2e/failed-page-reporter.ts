import { readFileSync } from "node:fs";
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

/** Prints what the page of a failed test showed, since the files of a CI run are not kept. */
export default class FailedPageReporter implements Reporter {
  onTestEnd(test: TestCase, { status, attachments }: TestResult) {
    if (status === test.expectedStatus || status === "skipped") return;
    for (const { name, path } of attachments) {
      if (name === "error-context" && path) console.log(readFileSync(path, "utf8"));
    }
  }
}
