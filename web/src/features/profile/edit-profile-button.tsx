import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { Button } from "@/ui/button";
import { lazyOverlay } from "@/ui/lazy-overlay";

const EditProfileDialog = lazyOverlay(() => import("./edit-profile-dialog"));

export function EditProfileButton() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="small" onClick={() => setOpen(true)}>
        <Trans>Edit Profile</Trans>
      </Button>
      {open && <EditProfileDialog onClose={() => setOpen(false)} />}
    </>
  );
}
