import type { BrowserContext, Frame, Page } from "@playwright/test";

/**
 * Records what a script could do in a page of `origin`, from the first page of the context on: that
 * it runs, a report of the content security policy, a dialog, a request to another origin, a page
 * that navigates elsewhere or opens another one, a frame, a download, an error. Returns the list of
 * incidents, which grows.
 */
export async function watch(context: BrowserContext, origin: string): Promise<string[]> {
  const noticed: string[] = [];
  const here = new URL(origin).origin;
  await context.exposeBinding("hit", ({ frame }) => void noticed.push(`ran: ${frame.url()}`));
  await context.exposeBinding(
    "reported",
    (_, what: string) => void noticed.push(`policy: ${what}`),
  );
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const { effectiveDirective, blockedURI, sourceFile, sample } = event;
      const page = window as unknown as { reported: (what: string) => void };
      page.reported(`${effectiveDirective} ${blockedURI} ${sourceFile} ${sample}`);
    });
  });
  context.on("weberror", (event) => noticed.push(`error: ${event.error()}`));
  context.on("console", (message) => {
    const text = message.text();
    if (/content security policy|refused to/i.test(text)) noticed.push(`console: ${text}`);
  });
  context.on("dialog", async (dialog) => {
    noticed.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  context.on("request", (request) => {
    if (!isOurs(request.url(), here)) noticed.push(`request: ${request.url()}`);
  });
  context.on("page", (page) => watchPage(page, here, noticed));
  return noticed;
}

function watchPage(page: Page, here: string, noticed: string[]): void {
  page.on("popup", (opened) => noticed.push(`opened: ${opened.url()}`));
  page.on("download", (file) => noticed.push(`file: ${file.url()}`));
  page.on("frameattached", () => noticed.push(`a frame: ${page.url()}`));
  page.on("framenavigated", (frame: Frame) => {
    const url = frame.url();
    if (url !== "about:blank" && !isOurs(url, here)) noticed.push(`went: ${url}`);
  });
}

function isOurs(address: string, here: string): boolean {
  // Blob URLs contain the page's origin.
  return address.startsWith(`${here}/`) || address.startsWith(`blob:${here}/`);
}
