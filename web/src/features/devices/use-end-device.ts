import { useMutation } from "@tanstack/react-query";
import { endDevice } from "@/api/devices";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import type { Device } from "@/api/types";
import { focusMain } from "@/lib/focus-main";
import { toast } from "@/lib/toast";

const failure = "Failed to log out the device. Please try again.";

/** Logs another device out. */
export function useEndDevice({ id, name }: Device) {
  return useMutation({
    mutationFn: () => endDevice(id),
    onSuccess() {
      toast({ title: "Device logged out", description: name });
      // Its row is gone, and the button with it.
      focusMain();
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
}
