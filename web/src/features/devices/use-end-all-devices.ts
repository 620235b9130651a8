import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { endAllDevices } from "@/api/devices";
import { sentenceOf } from "@/api/error";
import { showFailure } from "@/api/failure";
import { toast } from "@/lib/toast";

const failure = "Failed to log out everywhere. Please try again.";

/** Logs all devices out, this one too, and goes to the landing page. */
export function useEndAllDevices() {
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: endAllDevices,
    onSuccess() {
      navigate("/");
      toast({ title: "Logged out everywhere" });
    },
    onError: (error) => showFailure(error, sentenceOf(error, failure)),
  });
}
