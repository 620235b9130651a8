import { takeShares } from "@/lib/offline/shares";
import { toastError } from "@/lib/state/toast";
import { getDraft } from "./draft";
import { attachFiles } from "./use-attachments";

/**
 * Adds what other apps shared to the draft of a member's new post, after what is written there. Returns
 * whether there was anything.
 */
export async function addSharesToDraft(userId: string): Promise<boolean> {
  const shares = await takeShares();
  const { store, update } = getDraft(userId);
  const texts = [store.get().text, ...shares.map(({ text }) => text)];
  if (shares.length === 0) return false;
  update({ text: texts.filter((text) => text !== "").join("\n\n") });
  const problem = await attachFiles(
    shares.flatMap(({ files }) => files),
    update,
  );
  if (problem) toastError(problem);
  return true;
}
