import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { logout } from "@/api/session";
import { toastError } from "@/lib/toast";

const GOES_ON =
  "This device has forgotten you. The session ends on the server once Kith answers here again.";

/** Logs out and goes to the landing page. */
export function useLogout() {
  const [, navigate] = useLocation();
  const { mutate } = useMutation({
    mutationFn: logout,
    onSuccess: async ({ isEnded }) => {
      navigate("/");
      if (!(await isEnded)) toastError(GOES_ON, "Failed to logout");
    },
    onError: () => toastError("Failed to logout"),
  });
  return () => mutate();
}
