import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { ReportCase } from "@/api/types";

/** A text with its images, as it was when it was reported or removed, or as it is now. */
export function EvidenceQuote({ evidence }: { evidence: ReportCase["evidence"][number] }) {
  const { text, imageUrls } = evidence;
  return (
    <blockquote className="clip-marks rounded-2xl border border-border bg-muted/50 px-4 py-3 whitespace-pre-wrap wrap-anywhere">
      {text ? (
        <bdi>{text}</bdi>
      ) : (
        <span className="text-muted-foreground">
          <Trans>No text.</Trans>
        </span>
      )}
      {imageUrls.length > 0 && (
        <span className="mt-3 flex flex-wrap gap-2">
          {imageUrls.map((url, index) => (
            <EvidenceImage key={url} url={url} name={t`Image ${index + 1}`} />
          ))}
        </span>
      )}
    </blockquote>
  );
}

function EvidenceImage({ url, name }: { url: string; name: string }) {
  const [isUnavailable, setUnavailable] = useState(false);
  if (isUnavailable)
    return (
      <span className="text-sm text-muted-foreground">
        <Trans>{name} can't be shown.</Trans>
      </span>
    );
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="flex h-40 max-w-full min-w-16 rounded-xl border border-border bg-muted"
    >
      <img
        src={url}
        alt={name}
        loading="lazy"
        onError={() => setUnavailable(true)}
        className="m-auto max-h-full max-w-full rounded-[11px] object-contain"
      />
    </a>
  );
}
