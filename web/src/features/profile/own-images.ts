import type { OwnImage } from "@/api/own-profile";

/** What differs between the picture and the header. */
export interface ImageKind {
  which: OwnImage;
  title: string;
  /** Width to height of what is shown. */
  shape: number;
  failed: string;
}

/** The picture beside a member's name: a square, shown as a circle. */
export const PROFILE: ImageKind = {
  which: "profile",
  title: "Profile image",
  shape: 1,
  failed: "Failed to update profile image. Please try again.",
};

/** The image above a profile. */
export const HEADER: ImageKind = {
  which: "header",
  title: "Header image",
  shape: 3,
  failed: "Failed to update header image. Please try again.",
};
