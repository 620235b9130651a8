/** A screen and its expected content. Without a path it is the open screen. */
export interface Step {
  path?: string | undefined;
  /** The text or name of a button to press first. */
  press?: string;
  /** Expected texts, each the whole text of an element. */
  shows?: readonly string[];
  /** Expected accessible names and descriptions. */
  labels?: readonly string[];
  /** Expected values of fields. */
  values?: readonly string[];
  /** The expected end of the page's title, which may begin with an unread count. */
  title?: string;
}

/** Checks a page from inside. Each method returns the problems, a sentence each. */
export interface PageChecker {
  /** Opens screens, and loads more rows of lists until they show the expected content. */
  visit(steps: readonly Step[]): Promise<string[]>;
  /** Opens the description of each visible image, and compares them. */
  descriptions(expected: readonly string[]): Promise<string[]>;
  /** Types each text into all visible fields, which must number `fields`. */
  type(texts: readonly string[], fields: number): Promise<string[]>;
  /** Types each text into the field with a label, sends its form, and expects the text afterwards. */
  send(label: string, texts: readonly string[], then?: string): Promise<string[]>;
  /** Sends the form of a field, mocks an error with each text as its message, and expects the text. */
  reject(label: string, texts: readonly string[]): Promise<string[]>;
}

declare global {
  interface Window {
    /** Defined by `page-checker.ts`. */
    pageChecker: PageChecker;
  }
}
