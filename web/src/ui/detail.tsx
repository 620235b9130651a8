import type { ReactNode } from "react";

/** An entry of a description list: a text as it was written, with its name above. */
export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted-foreground">{label}</dt>
      <dd className="clip-marks whitespace-pre-wrap wrap-anywhere">
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}
