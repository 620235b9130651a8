import { useMutation } from "@tanstack/react-query";
import { hasStatus } from "@/api/error";
import { logInAgain, showFailure } from "@/api/failure";
import { patchAllRead, patchRead, sendAllRead, sendRead } from "@/api/notifications";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";

/** Marks a notification as read, at once; it goes back quietly if the server refuses. */
export function useRead() {
  const { mutate } = useMutation({
    mutationFn: sendRead,
    onMutate: (id) => patchRead(id, true),
    // A list that was under way meanwhile may have shown it as unread again.
    onSuccess: (_, id) => patchRead(id, true),
    onError(error, id) {
      patchRead(id, false);
      if (hasStatus(error, 401)) logInAgain();
    },
  });
  return mutate;
}

/** Marks all notifications as read and says how that went. */
export function useReadAll() {
  return useMutation({
    mutationFn: sendAllRead,
    onSuccess() {
      patchAllRead();
      // The button that was pressed is gone.
      focusMain();
      toast({ title: "All notifications marked as read" });
    },
    onError: (error) => showFailure(error, "Failed to mark notifications as read."),
  });
}
