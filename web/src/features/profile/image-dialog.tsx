import { useState } from "react";
import { useMember } from "@/api/session";
import { Dialog } from "@/ui/dialog";
import { ImageChooser } from "./image-chooser";
import { ImageEditor } from "./image-editor";
import type { ImageKind } from "./own-images";
import { RemoveImage } from "./remove-image";
import { useImageUpload } from "./use-image-upload";

interface Props {
  kind: ImageKind;
  open: boolean;
  onClose: () => void;
}

/** Where one's own picture or header is chosen, cut, uploaded or removed. */
export function ImageDialog({ kind, open, onClose }: Props) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={kind.title}>
      {open && <Steps kind={kind} onClose={onClose} />}
    </Dialog>
  );
}

function Steps({ kind, onClose }: { kind: ImageKind; onClose: () => void }) {
  const me = useMember();
  const [removing, setRemoving] = useState(false);
  const upload = useImageUpload(kind);
  const current = kind.which === "profile" ? me.profileImageUrl : me.headerImageUrl;
  if (removing) {
    return <RemoveImage kind={kind} onKeep={() => setRemoving(false)} onRemoved={onClose} />;
  }
  if (upload.chosen) return <ImageEditor kind={kind} upload={upload} onClose={onClose} />;
  return (
    <ImageChooser
      problem={upload.problem}
      onFiles={(files) => void upload.choose(files)}
      {...(current && { onRemove: () => setRemoving(true) })}
    />
  );
}
