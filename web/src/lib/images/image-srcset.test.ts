import { expect, it } from "vitest";
import { getImageSources } from "./image-srcset";

it("a full-sized image has its smaller sizes beside it", () => {
  expect(getImageSources("/images/0f4a/400.webp", "avatar")).toEqual({
    src: "/images/0f4a/400.webp",
    srcSet: "/images/0f4a/96.webp 96w, /images/0f4a/200.webp 200w, /images/0f4a/400.webp 400w",
  });
  expect(getImageSources("/images/0f4a/1500.webp", "header").srcSet).toBe(
    "/images/0f4a/600.webp 600w, /images/0f4a/1200.webp 1200w, /images/0f4a/1500.webp 1500w",
  );
});

it.each(["/images/0f4a/240.webp", "/favicon.svg", "https://example.org/images/0f4a/400.webp"])(
  "of %s only that is known",
  (url) => {
    expect(getImageSources(url, "avatar")).toEqual({ src: url });
  },
);
