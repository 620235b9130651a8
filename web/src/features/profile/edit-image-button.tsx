import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Camera } from "lucide-react";
import { useState } from "react";
import type { ProfileImageKind } from "@/api/profile";
import { cx } from "@/lib/dom/cx";
import { lazyOverlay } from "@/ui/lazy-overlay";

const ImageDialog = lazyOverlay(() => import("./image-dialog"));

export function EditImageButton({
  kind,
  className,
}: {
  kind: ProfileImageKind;
  className: string;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={kind === "profile" ? t`Upload profile image` : t`Upload header image`}
        onClick={() => setOpen(true)}
        className={cx(
          "hit-area flex h-8 items-center gap-1.5 rounded-full bg-overlay px-3 text-caption font-semibold text-overlay-foreground transition-opacity hover:opacity-85",
          className,
        )}
      >
        <Camera size={15} aria-hidden />
        <Trans>Upload</Trans>
      </button>
      {open && <ImageDialog kind={kind} onClose={() => setOpen(false)} />}
    </>
  );
}
