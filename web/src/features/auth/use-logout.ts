import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { logout } from "@/api/session";
import { toastError } from "@/lib/toast";

/** Logs out and goes to the landing page. */
export function useLogout() {
  const [, navigate] = useLocation();
  const { mutate } = useMutation({
    mutationFn: logout,
    onSuccess: () => navigate("/"),
    onError: () => toastError("Failed to logout"),
  });
  return () => mutate();
}
