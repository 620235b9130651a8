import { useState } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { EditProfileForm } from "./edit-profile-form";
import { useUpdateProfile } from "./use-update-profile";

/** The button on my own profile, and the dialog behind it. */
export function EditProfile() {
  const [open, setOpen] = useState(false);
  const update = useUpdateProfile();

  function change(next: boolean) {
    // What is being saved stays in sight until it is known to be saved.
    if (update.isPending) return;
    update.reset();
    setOpen(next);
  }

  return (
    <>
      <Button look="outline" size="small" onClick={() => change(true)}>
        Edit Profile
      </Button>
      <Dialog open={open} onOpenChange={change} title="Edit Profile">
        <EditProfileForm
          pending={update.isPending}
          error={update.error}
          onCancel={() => change(false)}
          onSave={(profile) => update.mutate(profile, { onSuccess: () => setOpen(false) })}
        />
      </Dialog>
    </>
  );
}
