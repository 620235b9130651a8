import { t } from "@lingui/core/macro";
import { toast, toastError } from "@/lib/state/toast";

/** Hands a post's address to the device's share sheet, or copies it where there is none. */
export async function sharePost(id: string): Promise<void> {
  const url = getPostUrl(id);
  if (typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches) {
    // Closing the sheet rejects too; that is a decision, not a failure.
    await navigator.share({ url }).catch(() => undefined);
    return;
  }
  await copyLink(id);
}

export async function copyLink(id: string): Promise<void> {
  const url = getPostUrl(id);
  try {
    await navigator.clipboard.writeText(url);
    toast({ title: t`Copied`, description: t`The link to this post is on your clipboard.` });
  } catch {
    toastError(t`This browser does not let us copy. The link is ${url}`);
  }
}

function getPostUrl(id: string): string {
  return new URL(`/post/${id}`, location.origin).href;
}
