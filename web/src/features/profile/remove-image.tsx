import { useMutation } from "@tanstack/react-query";
import { showFailure } from "@/api/failure";
import { removeOwnImage } from "@/api/own-profile";
import { toast } from "@/lib/toast";
import { Button } from "@/ui/button";
import type { ImageKind } from "./own-images";

interface Props {
  kind: ImageKind;
  onKeep: () => void;
  onRemoved: () => void;
}

/** Asks before one's own picture or header is removed. */
export function RemoveImage({ kind, onKeep, onRemoved }: Props) {
  const remove = useMutation({
    mutationFn: () => removeOwnImage(kind.which),
    onSuccess() {
      toast({ title: "Image removed" });
      onRemoved();
    },
    onError: (error) => showFailure(error, kind.failed),
  });
  return (
    <div className="px-6 pt-4 pb-6">
      <p>Remove your {kind.title.toLowerCase()}? It is gone for everybody at once.</p>
      <div className="mt-6 flex justify-end gap-3">
        <Button look="outline" autoFocus disabled={remove.isPending} onClick={onKeep}>
          Keep it
        </Button>
        <Button disabled={remove.isPending} onClick={() => remove.mutate()} className="min-w-28">
          {remove.isPending ? "Removing..." : "Remove"}
        </Button>
      </div>
    </div>
  );
}
