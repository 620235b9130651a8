import { Camera } from "lucide-react";
import { useState } from "react";
import { cx } from "@/lib/cx";
import { ImageDialog } from "./image-dialog";
import type { ImageKind } from "./own-images";

/** Leads to a new picture or header; on one's own profile, over the present one. */
export function UploadButton({ kind, className }: { kind: ImageKind; className: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={`Upload ${kind.title.toLowerCase()}`}
        onClick={() => setOpen(true)}
        className={cx(
          "flex h-8 items-center gap-1.5 rounded-full bg-shade px-3 text-[13px] font-semibold text-on-shade transition-opacity hover:opacity-85",
          className,
        )}
      >
        <Camera size={15} aria-hidden />
        Upload
      </button>
      <ImageDialog kind={kind} open={open} onClose={() => setOpen(false)} />
    </>
  );
}
