import { t } from "@lingui/core/macro";
import { Pause, Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { prefersReducedMotion, prefersReducedData } from "@/lib/hooks/use-media-query";

interface Props {
  /** Whether something covers it. It pauses then, because repainting it would slow down what is in front. */
  isCovered: boolean;
}

/** The button of a silent video that fills the positioned element around it. With less motion or data preferred, it is fetched on request only. */
export function BackgroundVideo({ isCovered }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [playing, setPlaying] = useState(() => !prefersReducedMotion() && !prefersReducedData());
  const [hasSources, setHasSources] = useState(playing);

  useEffect(() => {
    if (!playing || isCovered) return video.current?.pause();
    video.current?.play().catch((error: unknown) => {
      // Browsers may block autoplay; then the poster remains. A pause aborts a pending start.
      if (!(error instanceof DOMException && error.name === "AbortError")) setPlaying(false);
    });
  }, [playing, isCovered]);

  return (
    <>
      <video
        ref={video}
        aria-hidden
        tabIndex={-1}
        muted
        loop
        playsInline
        preload={hasSources ? "auto" : "none"}
        poster="/media/landing-poster.jpg"
        className="absolute inset-0 -z-20 size-full object-cover"
      >
        {hasSources && (
          <>
            <source src="/media/landing.webm" type="video/webm" />
            <source src="/media/landing.mp4" type="video/mp4" />
          </>
        )}
      </video>
      <button
        type="button"
        aria-label={playing ? t`Pause background video` : t`Play background video`}
        onClick={() => {
          setHasSources(true);
          setPlaying(!playing);
        }}
        className="flex size-11 items-center justify-center rounded-full text-white/85 transition-colors hover:bg-white/15 hover:text-white"
      >
        {playing ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
      </button>
    </>
  );
}
