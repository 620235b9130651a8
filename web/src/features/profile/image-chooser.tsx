import { ImageUp } from "lucide-react";
import { cx } from "@/lib/cx";
import { Button } from "@/ui/button";
import { useFileDrop } from "@/ui/use-file-drop";
import { useFilePicker } from "@/ui/use-file-picker";

interface Props {
  /** Why the last file was not taken. */
  problem: string | null;
  onFiles: (files: File[]) => void;
  /** Offered while there is an image to remove. */
  onRemove?: () => void;
}

/** Where a file is chosen or dropped. */
export function ImageChooser({ problem, onFiles, onRemove }: Props) {
  const picker = useFilePicker(false, onFiles);
  const { isOver, target } = useFileDrop(onFiles);
  return (
    <div className="px-6 pt-5 pb-6">
      {picker.field}
      <div
        {...target}
        className={cx(
          "flex flex-col items-center gap-4 rounded-2xl border-2 border-dashed px-6 py-10 text-center",
          isOver ? "border-ember bg-wash" : "border-line",
        )}
      >
        <ImageUp size={30} strokeWidth={1.5} aria-hidden className="text-muted" />
        <Button autoFocus onClick={picker.open}>
          Choose image
        </Button>
        <p className="text-sm text-muted">
          {isOver
            ? "Drop it here."
            : "Or drop one here. JPEG, PNG, WebP, GIF or AVIF, up to 10 MB."}
        </p>
      </div>
      {problem !== null && (
        <p role="alert" className="mt-3 text-sm [overflow-wrap:anywhere] text-danger">
          {problem}
        </p>
      )}
      {onRemove && (
        <Button look="quiet" onClick={onRemove} className="mt-4 -ml-3 text-danger!">
          Remove image
        </Button>
      )}
    </div>
  );
}
