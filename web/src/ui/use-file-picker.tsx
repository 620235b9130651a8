import { t } from "@lingui/core/macro";
import { type ReactNode, useRef } from "react";
import { ACCEPTED_IMAGE_TYPES } from "@/lib/images/validate-image";

interface Picker {
  /** To be rendered anywhere; it shows nothing. */
  field: ReactNode;
  open: () => void;
}

/** Lets the member choose images from their device. */
export function useFilePicker(multiple: boolean, onFiles: (files: File[]) => void): Picker {
  const input = useRef<HTMLInputElement>(null);
  const field = (
    <input
      ref={input}
      type="file"
      accept={ACCEPTED_IMAGE_TYPES}
      multiple={multiple}
      hidden
      tabIndex={-1}
      aria-label={multiple ? t`Images` : t`Image`}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])]);
        // The same file may be chosen again.
        event.target.value = "";
      }}
    />
  );
  return { field, open: () => input.current?.click() };
}
