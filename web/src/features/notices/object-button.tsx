import { t } from "@lingui/core/macro";
import { useState } from "react";
import { Button } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";
import type { ObjectionTarget } from "./objection-dialog";

const ObjectionDialog = lazyOverlay(() => import("./objection-dialog"));

interface Props extends ObjectionTarget {
  /** What is objected to, for screen readers. */
  about: string;
  size: "small" | "large";
}

/** Opens the form of an objection to a decision. */
export function ObjectButton({ about, size, ...target }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="outline"
        size={size}
        aria-label={t`Object: ${about}`}
        onClick={() => setOpen(true)}
      >
        {t`Object`}
      </Button>
      {isOpen && <ObjectionDialog {...target} onClose={() => setOpen(false)} />}
    </>
  );
}
