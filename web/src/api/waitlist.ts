import { api } from "./client";

/** Puts an address on the waitlist. */
export async function joinWaitlist(email: string): Promise<void> {
  await api.POST("/api/waitlist", { body: { email } });
}
