import { useState } from "react";
import { Button } from "@/ui/button";
import { type Deed, DeedDialog } from "@/ui/deed-dialog";

interface Props {
  deed: Deed;
  /** Whom or what it is about, for screen readers. */
  about: string;
}

/** Does something to a post or a member, once that was asked. */
export function DeedButton({ deed, about }: Props) {
  // The deed as it was when it was asked: what is shown behind the dialog may change meanwhile.
  const [asked, setAsked] = useState<Deed | null>(null);
  return (
    <>
      <Button
        look="outline"
        size="small"
        aria-label={`${deed.action}: ${about}`}
        onClick={() => setAsked(deed)}
      >
        {deed.action}
      </Button>
      {asked && <DeedDialog deed={asked} onClose={() => setAsked(null)} />}
    </>
  );
}
