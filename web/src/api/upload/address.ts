import { cancelUpload, requestUpload, type UploadAddress } from "../uploads";

/** An address lives ten minutes; one that is older than this is not begun with. */
const FRESH = 9 * 60_000;

/** The address that one file is sent to. */
export interface Address {
  /** The present one, or a new one where there is none or it is about to expire. */
  get(): Promise<UploadAddress>;
  /** Has the next try ask for another one: this one was refused. */
  forget(): void;
  /** Gives what was asked for back. */
  giveBack(): void;
}

/** Keeps the address of a file between tries: each one that is asked for counts. */
export function addressFor(file: { size: number; type: string }): Address {
  let current: Promise<UploadAddress> | null = null;
  let askedAt = 0;

  function giveBack() {
    current?.then(({ name }) => cancelUpload(name)).catch(() => undefined);
    current = null;
  }
  return {
    get() {
      if (current && Date.now() - askedAt < FRESH) return current;
      giveBack();
      askedAt = Date.now();
      const asked = requestUpload(file);
      current = asked;
      asked.catch(() => {
        if (current === asked) current = null;
      });
      return asked;
    },
    forget: giveBack,
    giveBack,
  };
}
