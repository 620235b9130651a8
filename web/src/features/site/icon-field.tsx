import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { removeIcon, setIcon, showSettings } from "@/api/site";
import { Upload, useUploadStatus } from "@/api/upload/upload";
import { validateImage } from "@/lib/images/validate-image";
import { toast } from "@/lib/state/toast";
import { ActionButton } from "@/ui/action-button";
import { Button } from "@/ui/button";
import { Logo } from "@/ui/logo";
import { useFilePicker } from "@/ui/use-file-picker";

/** The network's icon. It is changed at once, while the texts around it wait for "Save". */
export function IconField({ iconUrl }: { iconUrl: string | null }) {
  const [problem, setProblem] = useState<string | null>(null);
  const [upload, setUpload] = useState<Upload>();
  const { phase, detail } = useUploadStatus(upload);
  const isUploading = ["preprocessing", "uploading", "postprocessing"].includes(phase);
  const picker = useFilePicker(false, (files) => void choose(files));
  const remove = useMutation({
    mutationFn: removeIcon,
    meta: {
      success: { title: t`Icon removed` },
      failure: t`Failed to remove the icon. Please try again.`,
    },
    onSuccess: showSettings,
  });

  useEffect(() => () => upload?.cancel(), [upload]);

  async function choose([file]: readonly File[]) {
    if (!file) return;
    const check = await validateImage(file);
    if ("error" in check) return setProblem(check.error);
    const next = new Upload({ file, type: check.type }, async ({ url }) => {
      const imageUrl = new URL(url);
      imageUrl.search = "";
      showSettings(await setIcon(imageUrl.href));
      toast({ title: t`Icon updated` });
    });
    setProblem(null);
    setUpload(next);
    await next.start();
  }

  const error = problem ?? detail;
  return (
    <div>
      <p className="mb-1.5 text-sm font-medium">
        <Trans>Icon</Trans>
      </p>
      {picker.field}
      <div className="flex flex-wrap items-center gap-3">
        <span className="me-1 flex size-14 items-center justify-center">
          <Logo size={40} markOnly />
        </span>
        <Button
          variant="outline"
          aria-disabled={isUploading}
          onClick={() => !isUploading && picker.open()}
        >
          {isUploading ? t`Uploading...` : t`Choose icon`}
        </Button>
        {iconUrl !== null && (
          <ActionButton mutation={remove} variant="ghost" pending={t`Removing...`}>
            <Trans>Remove icon</Trans>
          </ActionButton>
        )}
      </div>
      {error === null ? (
        <p className="mt-1.5 text-sm text-muted-foreground">
          <Trans>An image of at least 192 by 192 pixels. Its central square is shown.</Trans>
        </p>
      ) : (
        <p role="alert" className="mt-1.5 text-sm wrap-anywhere text-destructive">
          {error}
        </p>
      )}
    </div>
  );
}
