/** A screen, and what is to be seen there. Where there is no path, it is the screen that is open. */
export interface Step {
  path?: string | undefined;
  /** What is pressed there first: the words or the name of a button. */
  press?: string;
  /** Texts that stand there, each in an element of its own. */
  shows?: readonly string[];
  /** Names and descriptions for screen readers. */
  labels?: readonly string[];
  /** What stands in fields. */
  values?: readonly string[];
  /** How the page's title ends; what is unread is counted before it. */
  title?: string;
}

/** What looks at a page from inside. Each answers what is wrong, a sentence each. */
export interface Looker {
  /** Goes through screens; lists are loaded on until they show what they are to show. */
  visit(steps: readonly Step[]): Promise<string[]>;
  /** Opens the description of each image in sight, and compares them. */
  descriptions(expected: readonly string[]): Promise<string[]>;
  /** Types each text into all fields in sight, of which there are so many. */
  type(texts: readonly string[], fields: number): Promise<string[]>;
  /** Types each text into the field with a label, sends its form, and sees the text afterwards. */
  send(label: string, texts: readonly string[], then?: string): Promise<string[]>;
  /** Has the server refuse the form of a field with each text as its sentence, and sees it. */
  refuse(label: string, texts: readonly string[]): Promise<string[]>;
}

declare global {
  interface Window {
    /** Put there by `looker.ts`. */
    looker: Looker;
  }
}
