import { useEffect } from "react";
import { hasStatus } from "@/api/error";
import { logInAgain } from "@/api/failure";

/** Takes the reader to the login once a query says that the session is over; answers whether it did. */
export function useLogInAgain(error: unknown): boolean {
  const isOver = hasStatus(error, 401);
  useEffect(() => {
    if (isOver) logInAgain();
  }, [isOver]);
  return isOver;
}
