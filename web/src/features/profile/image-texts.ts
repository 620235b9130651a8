import { t } from "@lingui/core/macro";
import type { ProfileImageKind } from "@/api/profile";

/** Error messages for setting and removing an image. */
export function getImageUpdateError(kind: ProfileImageKind): string {
  return kind === "profile"
    ? t`Failed to update profile image. Please try again.`
    : t`Failed to update header image. Please try again.`;
}
