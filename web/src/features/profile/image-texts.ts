import { t } from "@lingui/core/macro";
import type { ProfileImageKind } from "@/api/profile";

/** What is said when an image could not be set or removed. */
export function getImageUpdateError(kind: ProfileImageKind): string {
  return kind === "profile"
    ? t`Failed to update profile image. Please try again.`
    : t`Failed to update header image. Please try again.`;
}
